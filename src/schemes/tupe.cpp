#include "model/scheme.hpp"
#include "schemes/array_parts.hpp"
#include "schemes/bucket_table.hpp"
#include "schemes/drawn.hpp"
#include "schemes/files.hpp"
#include "schemes/heads.hpp"
#include "schemes/layer_norm.hpp"

#include <fmt/format.h>
#include <cmath>

namespace posenc::schemes {
namespace {

using model::Index;
using model::Pos;

/// Side of the projection: P U + b from PREFIX.weight.npy [output][input] and PREFIX.bias.npy.
struct Projection {
  std::string prefix;
  model::Matrix weights;  // [channels][heads * head_dim]
  model::Vector offset;
};

class Tupe : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"tupe", "transformer with untied positional encoding",
            "logit = <q_m, k_n>/sqrt(2d) + (P_m U_q + b_q).(P_n U_k + b_k)/sqrt(2d) + table[bucket(m - n), h], P = layer norm "
            "of the table's rows; class-token: position p is row p + 1, row 0 of the logits is the product of table row 0, "
            "the rest of column 0 that of row 1, with buckets 16 and 32; relative=false: TUPE-A, no bucket term",
            "Ke 2021 (arXiv 2006.15595) eq. 7-11; guolinke/TUPE transformer_sentence_encoder.py"};
  }
  model::Encoding lower(Pos) const override {
    model::Encoding e;
    e.head_dim = heads_.head_dim();
    e.heads = heads_.count();
    e.width = heads_.width();
    e.logit_scale = 1 / std::sqrt(2 * static_cast<double>(e.head_dim));
    e.causal = false;
    model::AbsoluteTable table;
    table.rows = rows_;
    table.first_row = class_token_ ? 1 : 0;
    model::Untied untied{query_.weights, key_.weights, query_.offset, key_.offset, e.heads, {}};
    if (class_token_) untied.class_reset = resets(e.logit_scale);
    table.entry = std::move(untied);
    e.terms.push_back(std::move(table));
    if (relative_) e.terms.push_back(buckets_.bias());
    return e;
  }

 private:
  Fields own_fields() override {
    Fields all = heads_.fields();
    Fields own = {
        {"rows", "row", "rows of the table", &row_count_, Range{.low = 1, .high = 0x1p52},
         "the table's, or original + class-token"},
        {"table", "1", "file of the table, rows x dim", &table_file_},
        {"norm", "1", "layer norm of the rows: NORM.weight.npy and NORM.bias.npy", &norm_prefix_},
        {"uq", "1", "query projection: UQ.weight.npy (heads head-dim x dim) and UQ.bias.npy", &query_.prefix},
        {"uk", "1", "key projection: UK.weight.npy (heads head-dim x dim) and UK.bias.npy", &key_.prefix},
        {"relative", "1", "TUPE-R: the bucketed bias is added", &relative_},
        {"bias", "1", "file of the bucketed bias, buckets (+ 1 with class-token) x heads", &buckets_.file},
        {"buckets", "bucket", "number of buckets, half of them a side", &buckets_.bucket_count, between(4, 1024),
         "the bias's, or 32"},
        {"max-distance", "position", "distance from which the last bucket holds all", &buckets_.max_distance, between(2, 0x1p53)},
        {"class-token", "1", "token 0 is the class token, whose row and column are reset", &class_token_},
        {"std", "1", "standard deviation of drawn parameters", &std_, above(0)}};
    all.insert(all.end(), own.begin(), own.end());
    return all;
  }

  void prepare(const model::Context& context) override {
    if (!table_file_.empty()) {
      rows_ = model::rows_from(context.tables->open(table_file_), "tupe", "table", table_file_);
      agree("tupe", "table", table_file_, "dim", heads_.dim, rows_->channels());
      agree("tupe", "table", table_file_, "rows", row_count_, *rows_->count());
    }
    if (row_count_ && !original_) original_ = *row_count_ - (class_token_ ? 1 : 0);
    if (original_ && *original_ < 1) reject("tupe", "rows", std::to_string(*row_count_), "must leave a row for position 0");
    if (relative_) {
      buckets_.bidirectional = true;
      buckets_.spread = std_;
      buckets_.head_count = heads_.heads;
      buckets_.resolve("tupe", 1, context, class_token_ ? 1 : 0, "bias");
      heads_.heads = buckets_.head_count;
    }
    heads_.resolve("tupe");
  }
  void finish(const model::Context& context) override {
    if (!row_count_) row_count_ = *original_ + (class_token_ ? 1 : 0);
    if (!rows_) rows_ = drawn_rows(context.seed, "tupe.table", *row_count_, heads_.width(), std_);
    rows_ = normed(rows_, layer_norm(context, "tupe", "norm", norm_prefix_, heads_.width()));
    fill(context, query_, "uq", "tupe.uq");
    fill(context, key_, "uk", "tupe.uk");
  }
  void fill(const model::Context& context, Projection& p, std::string_view field, const char* stream) const {
    if (p.prefix.empty()) {
      p.weights = drawn_matrix(context.seed, stream, heads_.width(), heads_.projected(), std_);
      p.offset = model::Vector::Zero(heads_.projected());
      return;
    }
    const std::string file = array_part(p.prefix, "weight");
    p.weights = matrix_file(context, "tupe", field, file, -1, heads_.width()).transpose();
    heads_.check_projection("tupe", field, file, p.weights.cols());
    p.offset = vector_file(context, "tupe", field, array_part(p.prefix, "bias"), heads_.projected());
  }

  /// In logits, by head: the product of table row 0 with itself (from the class token) and of row 1 (to it), bucket terms
  /// included.
  std::array<model::Vector, 2> resets(double scale) const {
    std::array<model::Vector, 2> out;
    model::Matrix row(1, heads_.width());
    for (const Index side : {0, 1}) {
      rows_->block(side, row);
      const model::Matrix q = row * query_.weights + query_.offset.transpose(), k = row * key_.weights + key_.offset.transpose();
      model::Vector& theta = out[static_cast<std::size_t>(side)];
      theta = model::Vector::Zero(heads_.count());
      for (Index c = 0; c < q.cols(); ++c) theta(c / heads_.head_dim()) += scale * q(0, c) * k(0, c);
      if (relative_) theta += buckets_.values().row(side == 0 ? *buckets_.bucket_count / 2 : *buckets_.bucket_count).transpose();
    }
    return out;
  }

  Heads heads_;
  std::optional<std::int64_t> row_count_;
  std::string table_file_, norm_prefix_;
  Projection query_, key_;
  BucketTable buckets_;
  bool relative_ = true, class_token_ = false;
  double std_ = 0.02;
  std::shared_ptr<const model::Rows> rows_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_tupe() { return std::make_unique<Tupe>(); }

}  // namespace posenc::schemes
