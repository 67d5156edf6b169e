#include "model/scheme.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/rotary.hpp"

namespace posenc::schemes {
namespace {

class HopeCut : public model::Scheme {
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

 private:
  Fields own_fields() override { return head_.fields(); }
  void finish(const model::Context&) override { head_.resolve("hope-cut"); }

  RotaryHead head_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_hope_cut() { return std::make_unique<HopeCut>(); }

}  // namespace posenc::schemes
