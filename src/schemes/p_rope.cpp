#include "model/recogniser.hpp"
#include "schemes/estimates.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/rotary.hpp"

namespace posenc::schemes {
namespace {

class PRope : public model::Scheme, public model::Recogniser {
 public:
  model::SchemeInfo info() const override {
    return {
        "p-rope", "p-RoPE, the slowest pairs not turned",
        "rope with theta_i = base^(-2i/d) for the first floor(keep d / 2) pairs and 0 for the rest, d all channels of the head",
        "Barbero 2025 (arXiv 2410.06205) sec. 6 and listing in the appendix"};
  }
  model::Encoding lower(model::Pos) const override {
    Thetas thetas = geometric(head_.base, head_.dim);
    for (auto i = static_cast<std::size_t>(keep_ * static_cast<double>(head_.dim) / 2); i < thetas.size(); ++i) thetas[i] = 0;
    return head_.encoding(head_.rotation(frequencies(thetas)));
  }
  std::vector<model::Proposal> explain(const model::Observation& seen) const override {
    std::vector<model::Proposal> out;
    const auto turning = turning_pairs(seen);
    if (!seen.rotation || !turning || *turning == 0 || *turning == seen.frequency.size()) return out;
    if (const auto g = geometric_fit(seen, 0, *turning - 1, true))
      for (const std::string& base : near_base(g->base, g->base_off))
        out.push_back(rotary_proposal("p-rope", seen, {{"base", base}, {"keep", share_word(*turning, seen.frequency.size())}}));
    return out;
  }

 private:
  Fields own_fields() override {
    return join(head_.whole_fields(), {{"keep", "1", "share of the pairs, the fastest, that turn", &keep_, between(0, 1)}});
  }
  void finish(const model::Context&) override { head_.resolve("p-rope"); }

  RotaryHead head_;
  double keep_ = 0.75;
};

}  // namespace

std::unique_ptr<model::Scheme> make_p_rope() { return std::make_unique<PRope>(); }

}  // namespace posenc::schemes
