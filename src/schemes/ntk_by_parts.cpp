#include "model/recogniser.hpp"
#include "schemes/bands.hpp"
#include "schemes/ramp.hpp"
#include "schemes/rotary.hpp"

#include <numbers>

namespace posenc::schemes {
namespace {

class NtkByParts : public model::Scheme, public model::Recogniser {
 public:
  NtkByParts() { ramp_.ramp = Ramp::paper; }
  model::SchemeInfo info() const override {
    return {"ntk-by-parts", "NTK-by-parts interpolation",
            "rope with (1 - g_i) theta_i/factor + g_i theta_i, g_i = clamp((r_i - beta-slow)/(beta-fast - beta-slow), 0, 1), r_i "
            "= original theta_i/(2 pi) the turns of pair i within the training length; no attention factor (yarn: with it)",
            "Peng 2023 (arXiv 2309.00071) eq. 17-20 (beta-slow and beta-fast are its alpha and beta)"};
  }
  model::Encoding lower(model::Pos sequence) const override {
    const double factor = stretch(factor_, sequence, train_length());
    const Thetas plain = geometric(head_.base, head_.rotary_width());
    return head_.encoding(head_.rotation(frequencies(ramp_.apply(plain, head_.base, train_length(), factor))));
  }
  std::vector<model::Proposal> explain(const model::Observation& seen) const override {
    if (!seen.rotation) return {};
    return banded("ntk-by-parts", seen,
                  [&](double base, const std::vector<double>& ratio) { return blends(plain(seen, base), ratio); }, {});
  }

 private:
  static std::vector<Blend> blends(const std::vector<double>& thetas, const std::vector<double>& ratio) {
    std::vector<Blend> out;
    std::vector<double> lengths = usual_lengths();
    if (const auto length = length_of_turns(thetas, ratio, 1, 32)) lengths.push_back(*length);
    for (const double length : lengths) {
      Blend b{{{"original", plain_text(length)}}, {}};
      for (const double theta : thetas) b.share.push_back(share_of_turns(length * theta / (2 * std::numbers::pi), 1, 32));
      out.push_back(std::move(b));
    }
    return out;
  }
  Fields own_fields() override {
    Fields blend = ramp_.fields();
    std::erase_if(blend, [](const Field& f) { return f.name == "truncate" || f.name == "ramp"; });
    return join(join(head_.fields(), {factor_field(factor_)}), std::move(blend));
  }
  void finish(const model::Context&) override {
    head_.resolve("ntk-by-parts");
    ramp_.check("ntk-by-parts");
  }

  RotaryHead head_;
  std::optional<double> factor_;
  YarnRamp ramp_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_ntk_by_parts() { return std::make_unique<NtkByParts>(); }

}  // namespace posenc::schemes
