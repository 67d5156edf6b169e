#include "model/recogniser.hpp"
#include "schemes/estimates.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/rotary.hpp"

namespace posenc::schemes {
namespace {

class Proportional : public model::Scheme, public model::Recogniser {
 public:
  model::SchemeInfo info() const override {
    return {"proportional", "proportional rotary (Gemma 4)",
            "the whole head turns; theta_i = base^(-2i/d)/factor for the first floor(partial d / 2) pairs, 0 for the rest, d "
            "all channels of the head",
            "huggingface/transformers modeling_rope_utils.py (proportional)"};
  }
  model::Encoding lower(model::Pos sequence) const override {
    Thetas thetas = geometric(head_.base, head_.dim);
    const auto kept = static_cast<std::size_t>(partial_ * static_cast<double>(head_.dim) / 2);
    for (std::size_t i = 0; i < thetas.size(); ++i)
      thetas[i] = i < kept ? math::Real(thetas[i] / (sequence == 0 ? 1 : factor_)) : 0;
    return head_.encoding(head_.rotation(frequencies(thetas)));
  }
  std::vector<model::Proposal> explain(const model::Observation& seen) const override {
    std::vector<model::Proposal> out;
    const auto turning = turning_pairs(seen);
    if (!seen.rotation || !turning || *turning == 0 || *turning == seen.frequency.size()) return out;
    for (const bool whole : {true, false})
      if (const auto g = geometric_fit(seen, 0, *turning - 1, whole))
        for (const std::string& base : near_base(g->base, g->base_off)) {
          const Values values{{"base", base}, {"partial", share_word(*turning, seen.frequency.size())}};
          if (whole) out.push_back(rotary_proposal("proportional", seen, values));
          if (!whole && g->scale < 0.999)
            for (const std::string& factor : near_factor(1 / g->scale, g->scale_off))
              out.push_back(rotary_proposal("proportional", seen, join_values(values, {{"factor", factor}})));
        }
    return out;
  }

 private:
  Fields own_fields() override {
    return join(head_.whole_fields(), {{"partial", "1", "share of the pairs that turn", &partial_, between(0, 1)},
                                       {"factor", "1", "the frequencies in use are divided by it", &factor_, above(0)}});
  }
  void finish(const model::Context&) override { head_.resolve("proportional"); }

  RotaryHead head_;
  double partial_ = 0.25, factor_ = 1;
};

}  // namespace

std::unique_ptr<model::Scheme> make_proportional() { return std::make_unique<Proportional>(); }

}  // namespace posenc::schemes
