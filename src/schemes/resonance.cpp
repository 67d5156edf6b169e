#include "model/scheme.hpp"
#include "schemes/ramp.hpp"
#include "schemes/rotary.hpp"

namespace posenc::schemes {
namespace {

using math::Real;

enum class Rounding : int { code, paper_pre_critical };
constexpr std::array<std::string_view, 3> roundings{"code", "paper-pre-critical", "paper_pre_critical"};
enum class Scaling : int { none, yarn };
constexpr std::array<std::string_view, 2> scalings{"none", "yarn"};

/// Half to even.
Real rounded(const Real& x) {
  const Real below = floor(x), half = x - below;
  const bool up = half > 0.5 || (half == 0.5 && fmod(below, Real(2)) != 0);
  return up ? Real(below + 1) : below;
}

class Resonance : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"resonance", "Resonance RoPE",
            "rope (or yarn, scaling=yarn) with every wavelength 2 pi/theta_i rounded to an integer; paper-pre-critical: only "
            "wavelengths below the training length",
            "Wang 2024 (arXiv 2403.00071) sec. 4.1; code: sheryc/resonance_rope rotary_resonance.py rounds every pair"};
  }
  model::Encoding lower(model::Pos sequence) const override {
    const double factor = scaling_ == Scaling::none ? 1 : stretch(factor_, sequence, train_length());
    std::vector<model::Frequency> out;
    for (const Real& theta : ramp_.apply(geometric(head_.base, head_.rotary_width()), head_.base, train_length(), factor)) {
      const Real wavelength = math::two_pi() / theta;
      out.push_back(rounding_ == Rounding::code || wavelength < train_length() ? frequency(math::two_pi() / rounded(wavelength))
                                                                               : frequency(theta));
    }
    const bool magnified = scaling_ == Scaling::yarn && sequence != 0;
    return head_.encoding(head_.rotation(std::move(out), magnified ? yarn_magnitude(factor) : 1));
  }

 private:
  Fields own_fields() override {
    return join(join(head_.fields(),
                     {{"rounding", "1", "which wavelengths are rounded",
                       Choice{[this] { return static_cast<int>(rounding_); },
                              [this](int i) { rounding_ = i == 0 ? Rounding::code : Rounding::paper_pre_critical; }, roundings}},
                      {"scaling", "1", "frequencies before rounding: plain or YaRN's", choice(scaling_, scalings)},
                      factor_field(factor_)}),
                ramp_.fields());
  }
  void finish(const model::Context&) override {
    head_.resolve("resonance");
    ramp_.check("resonance");
  }

  RotaryHead head_;
  Rounding rounding_ = Rounding::code;
  Scaling scaling_ = Scaling::none;
  std::optional<double> factor_;
  YarnRamp ramp_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_resonance() { return std::make_unique<Resonance>(); }

}  // namespace posenc::schemes
