#include "core/error.hpp"
#include "model/scheme.hpp"
#include "schemes/drawn.hpp"
#include "schemes/files.hpp"
#include "schemes/given_frequencies.hpp"
#include "schemes/limits.hpp"
#include "schemes/sinusoid.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace posenc::schemes {
namespace {

using model::Index;
using model::Pos;

enum class Vectors : int { learned, sinusoid };
constexpr std::array<std::string_view, 2> vector_words{"learned", "sinusoid"};

class Shaw : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"shaw", "clipped relative vectors",
            "logit = <q_m, k_n + a[r]>/sqrt(d), output = sum alpha_mn (v_n + aV[r]), r = clip(n - m, -K, K) + K; shared by the "
            "heads; "
            "vectors=sinusoid: a[r] = sines and cosines of (r - K) w_i, fixed, or with learned w_i",
            "Shaw 2018 (arXiv 1803.02155) eq. 3-5; init: tensorflow/tensor2tensor, uniform unit scaling, std 1/sqrt(2K + 1); "
            "sinusoid: Wang 2021, On position embeddings in BERT"};
  }
  model::Encoding lower(Pos) const override {
    model::Encoding e;
    e.head_dim = e.width = *dim_;
    e.logit_scale = 1 / std::sqrt(static_cast<double>(*dim_));
    e.causal = causal_;
    model::RelativeVectors r;
    r.head_dim = *dim_;
    r.at_query = model::RelativeVectors::Side{key_rows_,
                                              [K = *clip_](Pos m, Pos n) { return std::clamp<Pos>(n - m, -K, K) + K; },
                                              model::RelativeVectors::Through::as_is,
                                              {},
                                              false};
    r.value = value_rows_;
    e.terms.push_back(std::move(r));
    return e;
  }

 private:
  Fields own_fields() override {
    return {{"dim", "channel", "channels of a head", &dim_, widths, "the table's, or 128"},
            {"clip", "position", "largest distance K told apart", &clip_, between(1, 1 << 20), "the table's, or 16"},
            {"layer", "1", "with table: layer of a table with three dimensions", &layer_, between(0, 1 << 20)},
            {"table", "1", "file of the vectors met by the query, [layer x] 2K+1 x dim", &key_file_},
            {"value-table", "1", "values=true: file of the vectors added to the values, [layer x] 2K+1 x dim", &value_file_},
            {"vectors", "1", "vectors of their own, or sinusoids of the clipped distance", choice(vectors_, vector_words)},
            {"base", "1", "vectors=sinusoid, without frequencies: base of the geometric frequencies", &base_, above(1)},
            {"frequencies", "1", "vectors=sinusoid: file of learned frequencies in rad per position, dim/2 of them",
             &frequency_file_},
            {"values", "1", "vectors are added to the values too", &values_},
            {"causal", "1", "keys after the query are masked", &causal_},
            {"std", "1", "vectors=learned, without table: standard deviation of drawn vectors, uniform", &std_, deviations,
             "1/sqrt(2 clip + 1)"}};
  }
  void prepare(const model::Context& context) override {
    if (!key_file_.empty()) key_rows_ = rows(context, "table", key_file_);
    if (!value_file_.empty()) value_rows_ = rows(context, "value-table", value_file_);
    if (!dim_) dim_ = 128;
    if (!clip_) clip_ = 16;
    if (!std_) std_ = 1 / std::sqrt(2.0 * static_cast<double>(*clip_) + 1);
    if (vectors_ == Vectors::sinusoid) return sinusoids(context);
    if (!frequency_file_.empty()) reject("shaw", "frequencies", frequency_file_, "needs vectors=sinusoid");
    const auto drawn = [&](const char* name) {
      return drawn_rows(context.seed, name, 2 * *clip_ + 1, *dim_, *std_, Law::uniform);
    };
    if (!key_rows_) key_rows_ = drawn("shaw.key");
    if (!value_rows_ && values_ && key_file_.empty()) value_rows_ = drawn("shaw.value");
  }
  void sinusoids(const model::Context& context) {
    for (const auto& [name, file] : {std::pair("table", &key_file_), std::pair("value-table", &value_file_)})
      if (!file->empty()) reject("shaw", name, *file, "needs vectors=learned");
    if (*dim_ % 2 != 0) reject("shaw", "dim", std::to_string(*dim_), "must be even with vectors=sinusoid");
    const auto rows =
        frequency_file_.empty()
            ? sinusoid(*dim_, base_, Columns::interleaved, Exponent::paper)
            : sinusoid(frequency_file(context, "shaw", "frequencies", frequency_file_, *dim_ / 2), Columns::interleaved);
    model::Matrix values(2 * *clip_ + 1, *dim_);
    rows->block(-*clip_, values);
    key_rows_ = matrix_rows(values);
    if (values_) value_rows_ = matrix_rows(std::move(values));
  }
  /// One layer of [rows][channels] or [layers][rows][channels].
  std::shared_ptr<const model::Rows> rows(const model::Context& context, std::string_view field, const std::string& file) {
    const auto tensor = context.tables->open(file);
    const auto& shape = tensor->shape();
    const bool layered = shape.size() == 3;
    if (shape.size() != 2 && !layered)
      throw BadData(fmt::format("shaw: {} = {}: shape [{}] must be [2K+1, dim] or [layers, 2K+1, dim]", field, file,
                                fmt::join(shape, ", ")));
    const Pos layers = layered ? shape[0] : 1, count = shape[shape.size() - 2], channels = shape.back();
    if (layer_ >= layers) reject("shaw", "layer", std::to_string(layer_), fmt::format("{} has {} layers", file, layers));
    if (count % 2 == 0) throw BadData(fmt::format("shaw: {} = {}: {} rows must be odd, 2K+1", field, file, count));
    agree("shaw", field, file, "clip", clip_, (count - 1) / 2);
    agree("shaw", field, file, "dim", dim_, channels);
    model::Matrix values(count, channels);
    tensor->read(layer_ * count * channels, {values.data(), static_cast<std::size_t>(values.size())});
    return matrix_rows(std::move(values));
  }

  std::optional<std::int64_t> dim_, clip_;
  std::int64_t layer_ = 0;
  std::string key_file_, value_file_, frequency_file_;
  Vectors vectors_ = Vectors::learned;
  double base_ = 10000;
  bool values_ = true, causal_ = false;
  std::optional<double> std_;
  std::shared_ptr<const model::Rows> key_rows_, value_rows_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_shaw() { return std::make_unique<Shaw>(); }

}  // namespace posenc::schemes
