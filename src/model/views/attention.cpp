#include "model/views/terms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posenc::model {

bool sees(const Encoding& e, Pos m, Pos n) { return (!e.causal || n <= m) && (!e.visible || e.visible(m, n)); }

Matrix logits(const Encoding& e, Index head, const Content& c, Pos start) {
  Matrix out = terms(e, head, c, start).sum();
  for (Index i = 0; i < out.rows(); ++i) out.row(i) *= logit_scale(e, start + i);
  return out;
}

void softmax_rows(const Encoding& e, Pos start, Matrix& x) {
  for (Index i = 0; i < x.rows(); ++i) {
    double top = -std::numeric_limits<double>::infinity(), sum = 0;
    const auto seen = [&](Index j) { return sees(e, start + i, start + j); };
    for (Index j = 0; j < x.cols(); ++j)
      if (seen(j)) top = std::max(top, x(i, j));
    for (Index j = 0; j < x.cols(); ++j) sum += x(i, j) = seen(j) ? std::exp(x(i, j) - top) : 0;
    for (Index j = 0; j < x.cols(); ++j) x(i, j) /= sum;
  }
}

Matrix attention(const Encoding& e, Index head, const Content& c, Pos start) {
  const Terms t = terms(e, head, c, start);
  Matrix x = t.sum();
  if (!e.linear) {
    for (Index i = 0; i < x.rows(); ++i) x.row(i) *= logit_scale(e, start + i);
    softmax_rows(e, start, x);
    return x;
  }
  for (Index i = 0; i < x.rows(); ++i) {
    double sum = 0;
    for (Index j = 0; j < x.cols(); ++j)
      if (sees(e, start + i, start + j))
        sum += t.cc(i, j);
      else
        x(i, j) = 0;
    x.row(i) /= sum;
  }
  return x;
}

}  // namespace posenc::model
