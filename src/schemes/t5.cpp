#include "model/scheme.hpp"
#include "schemes/bucket_table.hpp"
#include "schemes/limits.hpp"

#include <cmath>

namespace posenc::schemes {
namespace {

class T5 : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"t5", "T5's bucketed relative bias",
            "logit = <q_m, k_n> + table[bucket(m - n), h]; half of the buckets hold one distance each, the others grow "
            "geometrically up to max-distance; bidirectional: half of the buckets a side, the upper half for n > m",
            "Raffel 2020 (arXiv 1910.10683) sec. 2.1; buckets: tensorflow/mesh transformer_layers.py; init: "
            "huggingface/transformers modeling_t5.py, N(0, 1/D)"};
  }
  model::Encoding lower(model::Pos) const override {
    model::Encoding e;
    e.head_dim = e.width = dim_;
    e.heads = table_.heads();
    e.logit_scale = scaled_ ? 1 / std::sqrt(static_cast<double>(dim_)) : 1;
    e.causal = !table_.bidirectional;
    e.terms.push_back(table_.bias());
    return e;
  }

 private:
  Fields own_fields() override {
    Fields all = table_.fields();
    all.insert(all.begin(), {"dim", "channel", "channels of a head", &dim_, widths});
    all.push_back({"scaled", "1", "divide the content logit by sqrt(dim), as models other than T5 do", &scaled_});
    return all;
  }
  void prepare(const model::Context& context) override { table_.resolve("t5", dim_, context); }

  std::int64_t dim_ = 128;
  bool scaled_ = false;
  BucketTable table_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_t5() { return std::make_unique<T5>(); }

}  // namespace posenc::schemes
