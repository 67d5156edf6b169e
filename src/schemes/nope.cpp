#include "model/scheme.hpp"
#include "schemes/limits.hpp"
#include "schemes/query_scale.hpp"

#include <cmath>

namespace posenc::schemes {
namespace {

class Nope : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"nope", "no positional encoding",
            "score(m, n) = <q_m, k_n>; order reaches the model through the causal mask alone; attn-scale: queries times 1 + "
            "attn-scale ln(1 + floor((p + 1)/floor-scale))",
            "Kazemnejad 2023 (arXiv 2305.19466); attn-scale: the layers without positions of meta-llama/llama-models "
            "llama4/model.py (0.1, 8192)"};
  }
  model::Encoding lower(model::Pos) const override {
    model::Encoding e;
    e.head_dim = e.width = dim_;
    e.logit_scale = 1 / std::sqrt(static_cast<double>(dim_));
    e.causal = causal_;
    if (attn_scale_ != 0) e.query_scale = stepped_scale(attn_scale_, floor_scale_, 1);
    return e;
  }

 private:
  Fields own_fields() override {
    return {{"dim", "channel", "channels of a head", &dim_, widths},
            {"causal", "1", "keys after the query are masked", &causal_},
            {"attn-scale", "1", "Llama 4: growth of the query's factor; 0: none", &attn_scale_, at_least(0)},
            {"floor-scale", "position", "with attn-scale: positions that share a factor", &floor_scale_, between(1, 0x1p53)}};
  }

  std::int64_t dim_ = 128, floor_scale_ = 8192;
  double attn_scale_ = 0;
  bool causal_ = true;
};

}  // namespace

std::unique_ptr<model::Scheme> make_nope() { return std::make_unique<Nope>(); }

}  // namespace posenc::schemes
