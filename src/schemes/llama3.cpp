#include "model/recogniser.hpp"
#include "schemes/bands.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/rotary.hpp"

#include <fmt/format.h>
#include <numbers>

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
  std::vector<model::Proposal> explain(const model::Observation& seen) const override {
    if (!seen.rotation) return {};
    return banded("llama3", seen, [&](double base, const std::vector<double>& ratio) { return blends(plain(seen, base), ratio); },
                  {});
  }

 private:
  static std::vector<Blend> blends(const std::vector<double>& thetas, const std::vector<double>& ratio) {
    std::vector<Blend> out;
    for (const auto& [low, high] : {std::pair(1.0, 4.0), std::pair(1.0, 1.0), std::pair(1.0, 2.0), std::pair(1.0, 8.0)}) {
      std::vector<double> lengths = usual_lengths();
      if (const auto length = length_of_turns(thetas, ratio, low, high)) lengths.push_back(*length);
      for (const double length : lengths) {
        Blend b{{{"original", plain_text(length)}}, {}};
        if (high != 4) b.values.emplace_back("high-freq-factor", number_text(high));
        for (const double theta : thetas) b.share.push_back(share_of_turns(length * theta / (2 * std::numbers::pi), low, high));
        out.push_back(std::move(b));
      }
    }
    return out;
  }
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
