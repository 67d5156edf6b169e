#include "schemes/reflections.hpp"

namespace posenc::schemes {

using model::Index;

model::Matrix reflected_scores(const model::Matrix& q, const model::Matrix& k, const model::Matrix& w,
                               const model::Vector& beta) {
  model::Matrix out = q * k.transpose();
  std::vector<double> v(static_cast<std::size_t>(q.cols()));
  for (Index m = 0; m < q.rows(); ++m) {
    for (Index c = 0; c < q.cols(); ++c) v[static_cast<std::size_t>(c)] = q(m, c);
    for (Index n = m; n >= 0; --n) {
      double score = 0;
      for (Index c = 0; c < q.cols(); ++c) score += v[static_cast<std::size_t>(c)] * k(n, c);
      out(m, n) = score;
      double along = 0;  // v <- H_n v
      for (Index c = 0; c < q.cols(); ++c) along += v[static_cast<std::size_t>(c)] * w(n, c);
      for (Index c = 0; c < q.cols(); ++c) v[static_cast<std::size_t>(c)] -= beta(n) * along * w(n, c);
    }
  }
  return out;
}

}  // namespace posenc::schemes
