#include "model/scheme.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/rotary.hpp"

namespace posenc::schemes {
namespace {

class Drope : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"drope", "DroPE, positions dropped after training",
            "rope as trained; in use, after a short recalibration, no rotation at all: score(m, n) = <q_m, k_n> as nope",
            "Gelberg 2025 (arXiv 2512.12167); SakanaAI/DroPE custom_models/drope.py"};
  }
  model::Encoding lower(model::Pos sequence) const override {
    model::Encoding e = head_.encoding(head_.rotation(frequencies(geometric(head_.base, head_.rotary_width()))));
    if (sequence != 0) e.terms.clear();
    return e;
  }

 private:
  Fields own_fields() override { return head_.fields(); }
  void finish(const model::Context&) override { head_.resolve("drope"); }

  RotaryHead head_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_drope() { return std::make_unique<Drope>(); }

}  // namespace posenc::schemes
