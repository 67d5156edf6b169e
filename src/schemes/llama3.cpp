#include "model/recogniser.hpp"
#include "schemes/estimates.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/rotary.hpp"

#include <fmt/format.h>

namespace posenc::schemes {
namespace {

using math::Real;

class Llama3 : public model::Scheme, public model::Recogniser {
 public:
  model::SchemeInfo info() const override {
    return {"llama3", "Llama 3.1 frequency bands",
            "rope with theta_i kept where its wavelength < L/high, divided by the factor where > L/low, else (1 - t) "
            "theta_i/factor + t theta_i, t = (L/wavelength - low)/(high - low)",
            "meta-llama/llama-models apply_scaling; huggingface/transformers modeling_rope_utils.py (llama3)"};
  }
  model::Encoding lower(model::Pos sequence) const override {
    const Real factor = stretch(factor_, sequence, train_length());
    Thetas thetas = geometric(head_.base, head_.rotary_width());
    for (Real& theta : thetas) {
      const Real turns = train_length() * theta / math::two_pi();
      if (turns > high_) continue;
      const Real t = turns < low_ || low_ == high_ ? Real(0) : Real((turns - low_) / (Real(high_) - low_));
      theta = (1 - t) * theta / factor + t * theta;
    }
    return head_.encoding(head_.rotation(frequencies(thetas)));
  }
  std::vector<model::EncodingSpec> explain(const model::Observation& seen) const override {
    return banded_specs("llama3", seen);
  }

 private:
  Fields own_fields() override {
    return join(head_.fields(), {factor_field(factor_),
                                 {"low-freq-factor", "turn",
                                  "pairs that turn less often than this within the training length are divided", &low_, above(0)},
                                 {"high-freq-factor", "turn",
                                  "pairs that turn more often than this within the training length are kept", &high_, above(0)}});
  }
  void finish(const model::Context&) override {
    head_.resolve("llama3");
    if (high_ < low_)
      reject("llama3", "high-freq-factor", number_text(high_), fmt::format("must be >= low-freq-factor = {}", number_text(low_)));
  }

  RotaryHead head_;
  std::optional<double> factor_;
  double low_ = 1, high_ = 4;
};

}  // namespace

std::unique_ptr<model::Scheme> make_llama3() { return std::make_unique<Llama3>(); }

}  // namespace posenc::schemes
