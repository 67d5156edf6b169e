#include "model/scheme.hpp"
#include "schemes/limits.hpp"

#include <cmath>

namespace posenc::schemes {
namespace {

class Nope : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"nope", "no positional encoding", "score(m, n) = <q_m, k_n>; order reaches the model through the causal mask alone",
            "Kazemnejad 2023 (arXiv 2305.19466)"};
  }
  model::Encoding lower(model::Pos) const override {
    model::Encoding e;
    e.head_dim = e.width = dim_;
    e.logit_scale = 1 / std::sqrt(static_cast<double>(dim_));
    return e;
  }

 private:
  Fields own_fields() override { return {{"dim", "channel", "channels of a head", &dim_, widths}}; }

  std::int64_t dim_ = 128;
};

}  // namespace

std::unique_ptr<model::Scheme> make_nope() { return std::make_unique<Nope>(); }

}  // namespace posenc::schemes
