#include "model/scheme.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/query_scale.hpp"
#include "schemes/rotary.hpp"

namespace posenc::schemes {
namespace {

using model::Pos;

class Irope : public model::Scheme {
 public:
  Irope() { head_.layout = Layout::interleaved, head_.base = 500000; }
  model::SchemeInfo info() const override {
    return {"irope", "iRoPE, one layer of Llama 4",
            "layer l, counted from 0: where (l + 1) mod interval = 0, no positions and queries times 1 + attn-scale ln(1 + "
            "floor((p + 1)/floor-scale)); elsewhere rope among keys of the query's own chunk, floor(n/chunk) = floor(m/chunk). "
            "The norm of queries and keys that some of these models take behind the rotation commutes with it",
            "meta-llama/llama-models models/llama4/model.py, args.py; huggingface/transformers models/llama4"};
  }
  model::Encoding lower(Pos) const override {
    model::Encoding e = head_.encoding(head_.rotation(frequencies(geometric(head_.base, head_.rotary_width()))));
    if ((layer_ + 1) % interval_ == 0) {
      e.terms.clear();
      if (tuned_ && attn_scale_ != 0) e.query_scale = stepped_scale(attn_scale_, floor_scale_, 1);
    } else {
      e.visible = [chunk = chunk_](Pos m, Pos n) { return m / chunk == n / chunk; };
    }
    return e;
  }

 private:
  Fields own_fields() override {
    return join(head_.fields(),
                {{"layer", "layer", "index of the layer, from 0", &layer_, between(0, 0x1p53)},
                 {"interval", "layer", "layers from one without positions to the next", &interval_, between(1, 0x1p53)},
                 {"chunk", "position", "length of the chunks of rotary layers", &chunk_, between(1, 0x1p53)},
                 {"temperature", "1",
                  "queries of layers without positions grow (as the released checkpoints and transformers have it; off in a "
                  "llama-models checkpoint that does not ask for it)",
                  &tuned_},
                 {"attn-scale", "1", "temperature=true: growth of that factor", &attn_scale_, at_least(0)},
                 {"floor-scale", "position", "temperature=true, with attn-scale: positions that share a factor", &floor_scale_,
                  between(1, 0x1p53)}});
  }
  void finish(const model::Context&) override { head_.resolve("irope"); }

  RotaryHead head_;
  std::int64_t layer_ = 0, interval_ = 4, chunk_ = 8192, floor_scale_ = 8192;
  bool tuned_ = true;
  double attn_scale_ = 0.1;
};

}  // namespace

std::unique_ptr<model::Scheme> make_irope() { return std::make_unique<Irope>(); }

}  // namespace posenc::schemes
