#include "model/scheme.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/rotary.hpp"

#include <cmath>

namespace posenc::schemes {
namespace {

class LinearRope : public model::Scheme {
 public:
  LinearRope() { head_.layout = Layout::interleaved; }
  model::SchemeInfo info() const override {
    return {"linear-rope", "linear attention with rotary positions",
            "weight(m, n) = (R_m f(q_m)).(R_n f(k_n)) / sum_n f(q_m).f(k_n), f(x) = elu(x) + 1: the rotation stands in the "
            "numerator alone, which may be negative; R as in rope",
            "Su 2021 (arXiv 2104.09864) eq. 19, f of Katharopoulos 2020 (arXiv 2006.16236) eq. 7"};
  }
  model::Encoding lower(model::Pos) const override {
    model::Encoding e = head_.encoding(head_.rotation(frequencies(geometric(head_.base, head_.rotary_width()))));
    e.logit_scale = 1;
    e.linear = [](double x) { return x > 0 ? x + 1 : std::exp(x); };
    e.causal = causal_;
    return e;
  }

 private:
  Fields own_fields() override {
    return join(head_.fields(), {{"causal", "1", "the sums run over the keys up to the query, else over all", &causal_}});
  }
  void finish(const model::Context&) override { head_.resolve("linear-rope"); }

  RotaryHead head_;
  bool causal_ = false;
};

}  // namespace

std::unique_ptr<model::Scheme> make_linear_rope() { return std::make_unique<LinearRope>(); }

}  // namespace posenc::schemes
