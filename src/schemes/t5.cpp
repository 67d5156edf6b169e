#include "model/scheme.hpp"
#include "schemes/bucket_table.hpp"
#include "schemes/drawn.hpp"
#include "schemes/files.hpp"
#include "schemes/limits.hpp"

#include <cmath>

namespace posenc::schemes {
namespace {

enum class Form : int { table, contextual };
constexpr std::array<std::string_view, 2> forms{"table", "contextual"};

class T5 : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"t5", "T5's bucketed relative bias",
            "logit = <q_m, k_n> + table[bucket(m - n), h]; half of the buckets hold one distance each, the others grow "
            "geometrically up to max-distance; bidirectional: half of the buckets a side, the upper half for n > m; scaled: "
            "<q_m, k_n>/sqrt(d) (MPNet, with bidirectional); contextual: <q_m, w_h[bucket]> in place of the table's number",
            "Raffel 2020 (arXiv 1910.10683) sec. 2.1; buckets, init mesh and contextual: tensorflow/mesh "
            "transformer_layers.py; init hf, N(0, 1/D): huggingface/transformers modeling_t5.py; scaled: microsoft/MPNet"};
  }
  model::Encoding lower(model::Pos) const override {
    model::Encoding e;
    e.head_dim = e.width = dim_;
    e.heads = table_.heads();
    e.logit_scale = scaled_ ? 1 / std::sqrt(static_cast<double>(dim_)) : 1;
    e.causal = !table_.bidirectional;
    if (form_ == Form::table) {
      e.terms.push_back(table_.bias());
      return e;
    }
    model::RelativeVectors r;
    r.head_dim = dim_;
    r.heads = table_.heads();
    r.shared = false;
    r.at_query = model::RelativeVectors::Side{vectors_, table_.bias().bucket, model::RelativeVectors::Through::as_is, {}, false};
    e.terms.push_back(std::move(r));
    return e;
  }

 private:
  Fields own_fields() override {
    Fields all = table_.fields();
    find(all, "init")->about =
        "form=table, without table: law of drawn biases, uniform of std sqrt(2/(heads + buckets)) (mesh), normal of std "
        "1/sqrt(dim heads) (hf)";
    find(all, "std")->about = "form=table, without table: standard deviation of drawn biases";
    all.insert(all.begin(), {"dim", "channel", "channels of a head", &dim_, widths});
    all.push_back({"scaled", "1", "divide the content logit by sqrt(dim), as models other than T5 do", &scaled_});
    all.push_back({"form", "1", "one number a bucket and head, or its product with the query", choice(form_, forms)});
    all.push_back({"vectors", "1", "contextual: file of w, buckets x heads dim; drawn N(0, 1/dim)", &vector_file_});
    return all;
  }
  void prepare(const model::Context& context) override {
    if (form_ == Form::table && !vector_file_.empty()) reject("t5", "vectors", vector_file_, "needs form=contextual");
    if (form_ == Form::contextual && scaled_) reject("t5", "scaled", "true", "must be false with form=contextual");
    if (form_ == Form::contextual && !table_.file.empty()) reject("t5", "table", table_.file, "needs form=table");
    table_.resolve("t5", dim_, context);
    if (form_ == Form::table) return;
    const model::Index buckets = *table_.bucket_count, channels = table_.heads() * dim_;
    vectors_ = vector_file_.empty()
                   ? drawn_rows(context.seed, "t5.vectors", buckets, channels, 1 / std::sqrt(static_cast<double>(dim_)))
                   : matrix_rows(matrix_file(context, "t5", "vectors", vector_file_, buckets, channels));
  }

  std::int64_t dim_ = 128;
  bool scaled_ = false;
  Form form_ = Form::table;
  BucketTable table_;
  std::string vector_file_;
  std::shared_ptr<const model::Rows> vectors_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_t5() { return std::make_unique<T5>(); }

}  // namespace posenc::schemes
