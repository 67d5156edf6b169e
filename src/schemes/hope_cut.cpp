#include "model/recogniser.hpp"
#include "schemes/bands.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/rotary.hpp"

#include <cmath>
#include <numbers>

namespace posenc::schemes {
namespace {

class HopeCut : public model::Scheme, public model::Recogniser {
 public:
  model::SchemeInfo info() const override {
    return {"hope-cut", "high-frequency rotary (HoPE)",
            "rope with theta_i = 0 where a turn is longer than the training length, theta_i < 2 pi/L",
            "Chen 2024 (arXiv 2410.21216): high frequencies are kept, the others do not depend on position; the cut at 2 pi/L "
            "is the common reading, also TsinghuaC3I/Fourier-Position-Embedding get_inv_freq"};
  }
  model::Encoding lower(model::Pos) const override {
    Thetas thetas = geometric(head_.base, head_.rotary_width());
    for (math::Real& t : thetas)
      if (t * train_length() < math::two_pi()) t = 0;
    return head_.encoding(head_.rotation(frequencies(thetas)));
  }
  std::vector<model::Proposal> explain(const model::Observation& seen) const override {
    std::vector<model::Proposal> out;
    const auto turning = turning_pairs(seen);
    if (!seen.rotation || !turning || *turning == 0 || *turning == seen.frequency.size()) return out;
    const auto g = geometric_fit(seen, 0, *turning - 1, true);
    if (!g) return out;
    const auto turn = [&](std::size_t j) {
      return 2 * std::numbers::pi * std::pow(g->base, static_cast<double>(j) / static_cast<double>(seen.frequency.size()));
    };
    const auto length = round_length(turn(*turning - 1), turn(*turning));
    for (const std::string& base : near_base(g->base, g->base_off))
      if (length) out.push_back(rotary_proposal("hope-cut", seen, {{"base", base}, {"original", plain_text(*length)}}));
    return out;
  }

 private:
  Fields own_fields() override { return head_.fields(); }
  void finish(const model::Context&) override { head_.resolve("hope-cut"); }

  RotaryHead head_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_hope_cut() { return std::make_unique<HopeCut>(); }

}  // namespace posenc::schemes
