#include "model/recogniser.hpp"
#include "schemes/ramp.hpp"
#include "schemes/rotary.hpp"

#include <cmath>
#include <numbers>

namespace posenc::schemes {
namespace {

using math::Real;

enum class Rounding : int { code, paper_pre_critical };
constexpr std::array<std::string_view, 3> roundings{"code", "paper-pre-critical", "paper_pre_critical"};
enum class Scaling : int { none, yarn, ntk, linear };
constexpr std::array<std::string_view, 4> scalings{"none", "yarn", "ntk", "linear"};
enum class Trained : int { rounded, plain };
constexpr std::array<std::string_view, 2> trainings{"rounded", "plain"};

/// Half to even.
Real rounded(const Real& x) {
  const Real below = floor(x), half = x - below;
  const bool up = half > 0.5 || (half == 0.5 && fmod(below, Real(2)) != 0);
  return up ? Real(below + 1) : below;
}

class Resonance : public model::Scheme, public model::Recogniser {
 public:
  model::SchemeInfo info() const override {
    return {"resonance", "Resonance RoPE",
            "rope (or yarn, ntk: scaling) with every wavelength 2 pi/theta_i rounded to an integer, halves to even; "
            "paper-pre-critical: only wavelengths below the training length; scaling=linear: the rounded frequencies over the "
            "factor",
            "Wang 2024 (arXiv 2403.00071) sec. 4.1; code: sheryc/resonance_rope rotary_resonance.py rounds every pair, after "
            "YaRN's or NTK's change, before the division of linear interpolation"};
  }
  model::Encoding lower(model::Pos sequence) const override {
    const double factor = scaling_ == Scaling::none ? 1 : stretch(factor_, sequence, train_length());
    std::vector<model::Frequency> out;
    if (sequence == 0 && trained_ == Trained::plain)
      return head_.encoding(head_.rotation(frequencies(geometric(head_.base, head_.rotary_width()))));
    const Real divisor = scaling_ == Scaling::linear ? factor : 1;
    for (const Real& theta : scaled(factor)) {
      const Real wavelength = math::two_pi() / theta;
      const bool rounds = rounding_ == Rounding::code || wavelength < train_length();
      out.push_back(frequency((rounds ? Real(math::two_pi() / rounded(wavelength)) : theta) / divisor));
    }
    const bool magnified = scaling_ == Scaling::yarn && sequence != 0;
    return head_.encoding(head_.rotation(std::move(out), magnified ? yarn_magnitude(factor) : 1));
  }
  /// Wavelengths, or wavelengths over a factor, that are whole numbers where they are short enough to tell.
  std::vector<model::Proposal> explain(const model::Observation& seen) const override {
    std::vector<model::Proposal> out;
    if (!seen.rotation || seen.frequency.size() < 4 || !(seen.frequency.back() > 0)) return out;
    const double pi = std::numbers::pi, first = 2 * pi / seen.frequency.front();
    model::Observation loose = seen;  // a wavelength moves by half a position
    bool whole = true;
    for (std::size_t j = 0; j < seen.frequency.size(); ++j) {
      const double t = seen.frequency[j], wavelength = 2 * pi / t, off = wavelength * seen.uncertainty[j] / t;
      whole = whole && (off > 0.05 || std::abs(wavelength - std::round(wavelength)) <= 1e-9 * wavelength + 2 * off);
      loose.uncertainty[j] += t * t / (4 * pi);
    }
    const auto propose = [&](const model::Observation& plain_seen, const Values& more) {
      if (const auto g = geometric_fit(plain_seen, 0, seen.frequency.size() - 1, true))
        for (const std::string& base : near_base(g->base, g->base_off))
          out.push_back(rotary_proposal("resonance", seen, join_values({{"base", base}}, more)));
    };
    if (whole) {
      propose(loose, {});
      for (const auto& [base, factor] : stretched_bases(loose))
        out.push_back(
            rotary_proposal("resonance", seen, {{"base", plain_text(base)}, {"scaling", "ntk"}, {"factor", plain_text(factor)}}));
      for (model::Proposal& p : banded(
               "resonance", loose, [](double base, const std::vector<double>&ratio) { return ramp_blends(base, ratio); },
               [](double) {
                 return Values{{"scaling", "yarn"}};
               }))
        out.push_back(std::move(p));
    }
    if (first > 7) {
      const double factor = first / 6;  // 2 pi is rounded to 6
      for (double& t : loose.frequency) t *= factor;
      for (double& t : loose.uncertainty) t *= factor;
      if (const auto words = near_factor(factor, 1e-9); !words.empty())
        propose(loose, {{"scaling", "linear"}, {"factor", words.front()}});
    }
    return out;
  }

 private:
  Fields own_fields() override {
    Fields ramp = ramp_.fields();
    find(ramp, "beta-fast")->about =
        "scaling=yarn: pairs that turn more often than this within the training length keep their frequency";
    find(ramp, "beta-slow")->about = "scaling=yarn: pairs that turn less often than this are divided by the factor";
    find(ramp, "truncate")->about = "scaling=yarn, ramp=code: the blend starts and ends at whole pairs";
    find(ramp, "ramp")->about = "scaling=yarn: blend linear in the pair index, or in the turns within the training length";
    Field factor = factor_field(factor_);
    factor.about = "scaling=yarn|ntk|linear: length that the frequencies are stretched to, over the training length";
    return join(
        join(head_.fields(),
             {{"rounding", "1", "which wavelengths are rounded",
               Choice{[this] { return static_cast<int>(rounding_); },
                      [this](int i) { rounding_ = i == 0 ? Rounding::code : Rounding::paper_pre_critical; }, roundings}},
              {"trained", "1", "wavelengths that training saw: rounded too, or those of plain rope", choice(trained_, trainings)},
              {"scaling", "1", "change of the frequencies: before the rounding (yarn, ntk) or after it (linear)",
               choice(scaling_, scalings)},
              factor}),
        std::move(ramp));
  }
  void finish(const model::Context&) override {
    head_.resolve("resonance");
    ramp_.check("resonance");
    if (scaling_ == Scaling::ntk) head_.require_two_pairs("resonance");
  }
  Thetas scaled(double factor) const {
    const model::Index d = head_.rotary_width();
    if (scaling_ == Scaling::ntk) return geometric(ntk_base(head_.base, factor, d), d);
    const Thetas plain = geometric(head_.base, d);
    return scaling_ == Scaling::yarn ? ramp_.apply(plain, head_.base, train_length(), factor) : plain;
  }

  RotaryHead head_;
  Rounding rounding_ = Rounding::code;
  Scaling scaling_ = Scaling::none;
  Trained trained_ = Trained::rounded;
  std::optional<double> factor_;
  YarnRamp ramp_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_resonance() { return std::make_unique<Resonance>(); }

}  // namespace posenc::schemes
