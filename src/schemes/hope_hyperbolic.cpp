#include "model/scheme.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/rotary.hpp"

#include <cmath>

namespace posenc::schemes {
namespace {

class HopeHyperbolic : public model::Scheme {
 public:
  HopeHyperbolic() { head_.layout = Layout::interleaved; }
  model::SchemeInfo info() const override {
    return {"hope-hyperbolic", "hyperbolic rotary (HoPE)",
            "q_m -> e^(-m t') B(m theta_i) q, k_n -> e^(n t') B(-n theta_i) k in pair i, B(x) = ((cosh x, sinh x), (sinh x, "
            "cosh x)), theta_i = base^(-2i/d), t' = damping: the score of channels along and across the diagonal of a pair falls "
            "as e^(-(t' - theta_i) s) and e^(-(t' + theta_i) s)",
            "Dai 2025 (arXiv 2509.05218) sec. 3: t' learned, above every theta; interleaved pairs and the value of t' at the "
            "start of training, softplus(1.5) + 1.0001, as in the public reimplementation hugoramos/ufc-easytpp "
            "torch_hothp.py"};
  }
  model::Encoding lower(model::Pos) const override {
    model::Rotary r = head_.rotation(frequencies(geometric(head_.base, head_.dim)));
    r.hyperbolic = true;
    r.log_damping.assign(r.channel.size(), -damping_);
    return head_.encoding(std::move(r));
  }

 private:
  Fields own_fields() override {
    return join(head_.whole_fields(),
                {{"damping", "position-1", "t'; above theta_0 = 1, so that every score falls", &damping_, above(1)}});
  }
  void finish(const model::Context&) override { head_.resolve("hope-hyperbolic"); }

  RotaryHead head_;
  double damping_ = std::log1p(std::exp(1.5)) + 1.0001;
};

}  // namespace

std::unique_ptr<model::Scheme> make_hope_hyperbolic() { return std::make_unique<HopeHyperbolic>(); }

}  // namespace posenc::schemes
