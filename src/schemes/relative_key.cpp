#include "core/error.hpp"
#include "model/scheme.hpp"
#include "schemes/drawn.hpp"
#include "schemes/files.hpp"
#include "schemes/limits.hpp"

#include <fmt/format.h>
#include <cmath>

namespace posenc::schemes {
namespace {

using model::Pos;

class RelativeKey : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {
        "relative-key", "relative keys of BERT variants",
        "logit = [<q_m, k_n> + <q_m, E[r]> (+ <k_n, E[r]>, with-query)]/sqrt(d), r = m - n + L - 1, E of 2L - 1 rows; no "
        "clipping: distances of L and more have no row",
        "Huang 2020 (arXiv 2009.13658) method 4; huggingface/transformers modeling_bert.py (relative_key, relative_key_query)"};
  }
  model::Encoding lower(Pos) const override {
    model::Encoding e;
    e.head_dim = e.width = *dim_;
    e.logit_scale = 1 / std::sqrt(static_cast<double>(*dim_));
    e.causal = causal_;
    model::RelativeVectors r;
    r.head_dim = *dim_;
    const model::RelativeVectors::Side side{rows_,
                                            [last = train_length() - 1](Pos m, Pos n) { return m - n + last; },
                                            model::RelativeVectors::Through::as_is,
                                            {},
                                            false};
    r.at_query = side;
    if (with_query_) r.at_key = side;
    e.terms.push_back(std::move(r));
    return e;
  }

 private:
  Fields own_fields() override {
    return {{"dim", "channel", "channels of a head", &dim_, widths, "the table's, or 128"},
            {"with-query", "1", "the key meets the vectors too (relative_key_query)", &with_query_},
            {"causal", "1", "keys after the query are masked", &causal_},
            {"table", "1", "file of the vectors, 2 original - 1 rows x dim", &file_},
            {"std", "1", "without table: standard deviation of drawn vectors", &std_, deviations}};
  }
  void prepare(const model::Context& context) override {
    if (file_.empty()) return;
    rows_ = model::rows_from(context.tables->open(file_), "relative-key", "table", file_);
    agree("relative-key", "table", file_, "dim", dim_, rows_->channels());
    if (*rows_->count() % 2 == 0)
      throw BadData(fmt::format("relative-key: table = {}: {} rows must be odd, 2 original - 1", file_, *rows_->count()));
    agree("relative-key", "table", file_, "original", original_, (*rows_->count() + 1) / 2);
  }
  void finish(const model::Context& context) override {
    if (!dim_) dim_ = 128;
    if (!rows_) rows_ = drawn_rows(context.seed, "relative-key.table", 2 * train_length() - 1, *dim_, std_);
  }

  std::optional<std::int64_t> dim_;
  bool with_query_ = false, causal_ = false;
  std::string file_;
  double std_ = 0.02;
  std::shared_ptr<const model::Rows> rows_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_relative_key() { return std::make_unique<RelativeKey>(); }

}  // namespace posenc::schemes
