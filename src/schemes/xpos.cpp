#include "model/scheme.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/rotary.hpp"

namespace posenc::schemes {
namespace {

using math::Real;

class Xpos : public model::Scheme {
 public:
  Xpos() { head_.layout = Layout::interleaved; }
  model::SchemeInfo info() const override {
    return {"xpos", "extrapolatable position embedding",
            "rope; pair i of the query also times zeta_i^((p - c)/B), of the key times zeta_i^(-(p - c)/B), zeta_i = (2i + "
            "0.4 d)/(1.4 d), B = scale-base, c = ceil(T/2) at T tokens: the score of pair i decays as zeta_i^(s/B)",
            "Sun 2023 (arXiv 2212.10554) sec. 2.2; microsoft/torchscale xpos_relative_position.py (scale-base, centre)"};
  }
  model::Encoding lower(model::Pos sequence) const override {
    model::Rotary r = head_.rotation(frequencies(geometric(head_.base, head_.dim)));
    for (std::int64_t i = 0; i < head_.dim / 2; ++i)
      r.log_damping.push_back(
          Real(log((2 * i + Real(2) / 5 * head_.dim) / (Real(7) / 5 * head_.dim)) / scale_base_).convert_to<double>());
    const model::Pos tokens = sequence == 0 ? train_length() : sequence;
    r.damping_centre = static_cast<double>(tokens - tokens / 2);
    return head_.encoding(std::move(r));
  }

 private:
  Fields own_fields() override {
    return join(head_.whole_fields(),
                {{"scale-base", "position", "positions over which pair i decays by zeta_i", &scale_base_, above(0)}});
  }
  void finish(const model::Context&) override { head_.resolve("xpos"); }

  RotaryHead head_;
  double scale_base_ = 512;
};

}  // namespace

std::unique_ptr<model::Scheme> make_xpos() { return std::make_unique<Xpos>(); }

}  // namespace posenc::schemes
