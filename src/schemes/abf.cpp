#include "model/recogniser.hpp"
#include "schemes/estimates.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/rotary.hpp"

#include <cmath>

namespace posenc::schemes {
namespace {

class Abf : public model::Scheme, public model::Recogniser {
 public:
  Abf() { head_.base = 500000; }
  model::SchemeInfo info() const override {
    return {"abf", "adjusted base frequency",
            "rope with a base of 500000 instead of 10000, in continued training and in use alike: every frequency but the first "
            "falls, the slowest most",
            "Xiong 2023 (arXiv 2309.16039) sec. 2.1; the base of meta-llama/llama3 ModelArgs rope_theta"};
  }
  model::Encoding lower(model::Pos) const override {
    return head_.encoding(head_.rotation(frequencies(geometric(head_.base, head_.rotary_width()))));
  }
  /// Its base alone tells it from rope.
  std::vector<model::Proposal> explain(const model::Observation& seen) const override {
    if (!seen.rotation || seen.frequency.empty()) return {};
    const auto g = geometric_fit(seen, 0, seen.frequency.size() - 1, true);
    if (!g || std::abs(g->base - 500000) > std::max(1e-3, 4 * g->base_off) * 500000) return {};
    return {rotary_proposal("abf", seen, {{"base", "500000"}})};
  }

 private:
  Fields own_fields() override { return head_.fields(); }
  void finish(const model::Context&) override { head_.resolve("abf"); }

  RotaryHead head_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_abf() { return std::make_unique<Abf>(); }

}  // namespace posenc::schemes
