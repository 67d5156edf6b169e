#include "model/scheme.hpp"
#include "schemes/drawn.hpp"
#include "schemes/files.hpp"
#include "schemes/head_parameter.hpp"
#include "schemes/limits.hpp"
#include "schemes/slopes.hpp"

#include <cmath>
#include <limits>

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
    e.head_dim = e.width = *dim_;
    e.heads = *heads_;
    e.logit_scale = 1 / std::sqrt(static_cast<double>(*dim_));
    e.terms.push_back(model::Contextual{[slopes = slopes_, u = directions_, factor = factor_.values, scale = e.logit_scale](
                                            const model::Content& x, Index head, model::Pos) -> Matrix {
                                          const Matrix k = x.k();
                                          Matrix out = x.q() * k.transpose();
                                          for (Index n = 0; n < out.cols(); ++n) {
                                            double gate = 0;
                                            for (Index c = 0; c < k.cols(); ++c) gate += u(head, c) * k(n, c);
                                            const double slope = factor[static_cast<std::size_t>(head)] *
                                                                 slopes[static_cast<std::size_t>(head)] * softplus(gate * scale);
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
    return {{"dim", "channel", "channels of a head", &dim_, widths, "u's, or 128"},
            {"heads", "head", "number of heads", &heads_, head_counts, "the files', or 8"},
            {"factor", "1", "softplus(omega), a number or a file by head; 1 at the start", &factor_.text},
            {"u", "1", "file of u, heads x dim", &file_},
            {"std", "1", "standard deviation of drawn u", &std_, deviations}};
  }
  void prepare(const model::Context& context) override {
    if (!file_.empty()) {
      directions_ = matrix_file(context, "grape-a", "u", file_, -1, -1);
      agree("grape-a", "u", file_, "heads", heads_, directions_.rows());
      agree("grape-a", "u", file_, "dim", dim_, directions_.cols());
    }
    factor_.read(context, "grape-a", "factor", heads_);
    if (!dim_) dim_ = 128;
    if (!heads_) heads_ = 8;
    factor_.fill(context, "grape-a", "factor", "grape-a.factor", *heads_, {1, 1}, {0, std::numeric_limits<double>::infinity()});
    slopes_ = alibi_slopes(*heads_);
    if (file_.empty()) directions_ = drawn_matrix(context.seed, "grape-a.u", *heads_, *dim_, std_);
  }

  std::optional<std::int64_t> dim_, heads_;
  HeadParameter factor_;
  std::string file_;
  double std_ = 0.02;
  std::vector<double> slopes_;
  Matrix directions_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_grape_a() { return std::make_unique<GrapeA>(); }

}  // namespace posenc::schemes
