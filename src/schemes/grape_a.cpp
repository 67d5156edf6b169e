#include "model/scheme.hpp"
#include "schemes/drawn.hpp"
#include "schemes/limits.hpp"
#include "schemes/slopes.hpp"

#include <cmath>

namespace posenc::schemes {
namespace {

using model::Index;
using model::Matrix;

double softplus(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }

class GrapeA : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"grape-a", "GRAPE key-gated slopes",
            "b_h(m, n) = -(m - n) softplus(omega_h) m_h softplus(u_h.k_n/sqrt d), m_h the slopes of alibi; softplus(omega_h) "
            "starts at 1",
            "GRAPE (arXiv 2512.07805); model-architectures/GRAPE model/llama-mha-grape-a-keygated.py"};
  }
  model::Encoding lower(model::Pos) const override {
    model::Encoding e;
    e.head_dim = e.width = dim_;
    e.heads = heads_;
    e.logit_scale = 1 / std::sqrt(static_cast<double>(dim_));
    e.terms.push_back(model::Contextual{[slopes = slopes_, u = directions_, factor = factor_, scale = e.logit_scale](
                                            const model::Content& x, Index head, model::Pos) -> Matrix {
                                          const Matrix k = x.k();
                                          Matrix out = x.q() * k.transpose();
                                          for (Index n = 0; n < out.cols(); ++n) {
                                            double gate = 0;
                                            for (Index c = 0; c < k.cols(); ++c) gate += u(head, c) * k(n, c);
                                            const double slope =
                                                factor * slopes[static_cast<std::size_t>(head)] * softplus(gate * scale);
                                            for (Index m = n; m < out.rows(); ++m)
                                              out(m, n) -= static_cast<double>(m - n) * slope / scale;
                                          }
                                          return out;
                                        },
                                        "the slope of the bias is a gate of the key"});
    return e;
  }

 private:
  Fields own_fields() override {
    return {{"dim", "channel", "channels of a head", &dim_, widths},
            {"heads", "head", "number of heads", &heads_, head_counts},
            {"factor", "1", "softplus(omega), of all heads", &factor_, above(0)},
            {"std", "1", "standard deviation of drawn u", &std_, above(0)}};
  }
  void prepare(const model::Context& context) override {
    slopes_ = alibi_slopes(heads_);
    directions_ = drawn_matrix(context.seed, "grape-a.u", heads_, dim_, std_);
  }

  std::int64_t dim_ = 128, heads_ = 8;
  double factor_ = 1, std_ = 0.02;
  std::vector<double> slopes_;
  Matrix directions_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_grape_a() { return std::make_unique<GrapeA>(); }

}  // namespace posenc::schemes
