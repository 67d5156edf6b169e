#include "core/error.hpp"
#include "model/scheme.hpp"
#include "schemes/drawn.hpp"
#include "schemes/files.hpp"
#include "schemes/limits.hpp"

#include <fmt/format.h>
#include <cmath>

namespace posenc::schemes {
namespace {

using model::Index;
using model::Pos;

class MusicTransformer : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"music-transformer", "Music Transformer relative vectors",
            "logit = <q_m, k_n + E_h[K - 1 - s]>/sqrt(d) for 0 <= s = m - n < K, <q_m, k_n>/sqrt(d) beyond; causal",
            "Huang 2018 (arXiv 1809.04281) sec. 3.4; tensorflow/tensor2tensor dot_product_self_attention_relative_v2 (zero "
            "beyond K, init d^-0.5)"};
  }
  model::Encoding lower(Pos) const override {
    model::Encoding e;
    e.head_dim = *dim_;
    e.heads = *heads_;
    e.width = e.head_dim * e.heads;
    e.logit_scale = 1 / std::sqrt(static_cast<double>(*dim_));
    model::RelativeVectors r;
    r.head_dim = *dim_;
    r.heads = *heads_;
    r.shared = shared_;
    r.at_query = model::RelativeVectors::Side{rows_,
                                              [K = *clip_](Pos m, Pos n) { return m - n < K && n <= m ? K - 1 - (m - n) : K; },
                                              model::RelativeVectors::Through::as_is,
                                              {},
                                              false};
    e.terms.push_back(std::move(r));
    return e;
  }

 private:
  Fields own_fields() override {
    return {{"dim", "channel", "channels of a head", &dim_, widths, "the table's, or 128"},
            {"heads", "head", "number of heads", &heads_, head_counts, "the table's, or 8"},
            {"clip", "position", "number K of distances with a vector", &clip_, between(1, 1 << 20), "the table's, or 512"},
            {"shared", "1", "one table for all heads", &shared_},
            {"table", "1", "file of the vectors, heads x K x dim (shared: K x dim)", &file_},
            {"std", "1", "without table: standard deviation of drawn vectors", &std_, deviations, "1/sqrt(dim)"}};
  }
  /// Rows of K vectors, one set a head side by side, and a last row of zeros for all distances beyond.
  void prepare(const model::Context& context) override {
    const auto tensor = file_.empty() ? nullptr : context.tables->open(file_);
    if (tensor) {
      const auto& shape = tensor->shape();
      if (shape.size() != (shared_ ? 2U : 3U))
        throw BadData(fmt::format("music-transformer: table = {}: shape [{}] must be [{}]", file_, fmt::join(shape, ", "),
                                  shared_ ? "K, dim" : "heads, K, dim"));
      agree("music-transformer", "table", file_, "dim", dim_, shape.back());
      agree("music-transformer", "table", file_, "clip", clip_, shape[shape.size() - 2]);
      if (!shared_) agree("music-transformer", "table", file_, "heads", heads_, shape[0]);
    }
    if (!dim_) dim_ = 128;
    if (!heads_) heads_ = 8;
    if (!clip_) clip_ = 512;
    if (!std_) std_ = 1 / std::sqrt(static_cast<double>(*dim_));
    const Index sets = shared_ ? 1 : *heads_;
    model::Matrix all = model::Matrix::Zero(*clip_ + 1, sets * *dim_);
    if (!tensor) all.topRows(*clip_) = drawn_matrix(context.seed, "music-transformer.table", *clip_, sets * *dim_, *std_);
    for (Index h = 0; tensor && h < sets; ++h) {
      model::Matrix one(*clip_, *dim_);
      tensor->read(h * one.size(), {one.data(), static_cast<std::size_t>(one.size())});
      all.block(0, h * *dim_, *clip_, *dim_) = one;
    }
    rows_ = matrix_rows(std::move(all));
  }

  std::optional<std::int64_t> dim_, heads_, clip_;
  bool shared_ = false;
  std::string file_;
  std::optional<double> std_;
  std::shared_ptr<const model::Rows> rows_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_music_transformer() { return std::make_unique<MusicTransformer>(); }

}  // namespace posenc::schemes
