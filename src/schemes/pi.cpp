#include "model/recogniser.hpp"
#include "schemes/estimates.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/rotary.hpp"

#include <cmath>

namespace posenc::schemes {
namespace {

class Pi : public model::Scheme, public model::Recogniser {
 public:
  model::SchemeInfo info() const override {
    return {"pi", "position interpolation", "rope with theta_i / factor, i.e. positions divided by the factor",
            "Chen 2023 (arXiv 2306.15595) eq. 4; kaiokendev's SuperHOT"};
  }
  model::Encoding lower(model::Pos sequence) const override {
    Thetas thetas = geometric(head_.base, head_.rotary_width());
    for (math::Real& theta : thetas) theta /= stretch(factor_, sequence, train_length());
    return head_.encoding(head_.rotation(frequencies(thetas)));
  }
  std::vector<model::Proposal> explain(const model::Observation& seen) const override {
    std::vector<model::Proposal> out;
    if (!seen.rotation || seen.frequency.empty() || seen.frequency[0] > 0.999) return out;
    const auto g = geometric_fit(seen, 0, seen.frequency.size() - 1, false);
    if (!g) return out;
    // Pairs counted from 1 are slower by base^(2/d) all of them.
    const double counted = std::pow(g->base, -1 / static_cast<double>(seen.frequency.size()));
    const bool from_one = std::abs(g->scale - counted) <= std::max(1e-9, 4 * (g->scale_off + g->base_off)) * counted;
    for (const std::string& base : near_base(g->base, g->base_off))
      for (const std::string& factor : near_factor(1 / g->scale, g->scale_off))
        out.push_back(rotary_proposal("pi", seen, {{"base", base}, {"factor", factor}},
                                      from_one ? "as pairs counted from 1: exponent 2(i + 1)/d for 2i/d" : ""));
    return out;
  }

 private:
  Fields own_fields() override { return join(head_.fields(), {factor_field(factor_)}); }
  void finish(const model::Context&) override { head_.resolve("pi"); }

  RotaryHead head_;
  std::optional<double> factor_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_pi() { return std::make_unique<Pi>(); }

}  // namespace posenc::schemes
