#include "model/scheme.hpp"
#include "schemes/array_parts.hpp"
#include "schemes/bucket_table.hpp"
#include "schemes/drawn.hpp"
#include "schemes/files.hpp"
#include "schemes/head_parameter.hpp"
#include "schemes/heads.hpp"
#include "schemes/layer_norm.hpp"
#include "schemes/limits.hpp"

#include <fmt/format.h>
#include <cmath>

namespace posenc::schemes {
namespace {

using model::Index;
using model::Pos;

enum class Reset : int { code, paper };
constexpr std::array<std::string_view, 2> reset_words{"code", "paper"};

/// Side of the projection: P U + b from PREFIX.weight.npy [output][input] and PREFIX.bias.npy.
struct Projection {
  std::string prefix;
  model::Matrix weights;  // [channels][heads * head_dim]
  model::Vector offset;
};

class Tupe : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {
        "tupe", "transformer with untied positional encoding",
        "logit = <q_m, k_n>/sqrt(2d) + (P_m U_q + b_q).(P_n U_k + b_k)/sqrt(2d) + table[bucket(m - n), h], P = layer norm "
        "of the table's rows; class-token: position p is row p + 1, row 0 of the logits is the product of table row 0, "
        "the rest of column 0 that of row 1, with buckets 16 and 32; reset=paper: position p is row p, row 0 of the logits is "
        "theta1_h, the rest of column 0 theta2_h; layer-norm=false: P the table itself; relative=false: TUPE-A, no bucket term",
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
    table.first_row = extra_row();
    model::Untied untied{query_.weights, key_.weights, query_.offset, key_.offset, e.heads, {}};
    if (class_token_) untied.class_reset = reset_ == Reset::paper ? thetas_ : resets(e.logit_scale);
    table.entry = std::move(untied);
    e.terms.push_back(std::move(table));
    if (relative_) e.terms.push_back(buckets_.bias());
    return e;
  }

 private:
  Fields own_fields() override {
    Fields all = heads_.fields();
    Fields own = {{"rows", "row", "rows of the table", &row_count_, Range{.low = 1, .high = 0x1p52},
                   "the table's, or original (+ 1 with class-token and reset=code)"},
                  {"table", "1", "file of the table, rows x dim", &table_file_},
                  {"layer-norm", "1", "the rows pass a layer norm, as in the code", &layer_norm_},
                  {"norm", "1", "layer-norm=true: its parameters, NORM.weight.npy and NORM.bias.npy", &norm_prefix_},
                  {"uq", "1", "query projection: UQ.weight.npy (heads head-dim x dim) and UQ.bias.npy", &query_.prefix},
                  {"uk", "1", "key projection: UK.weight.npy (heads head-dim x dim) and UK.bias.npy", &key_.prefix},
                  {"relative", "1", "TUPE-R: the bucketed bias is added", &relative_},
                  {"bias", "1", "relative=true: file of the bucketed bias, buckets (+ 1 with class-token and reset=code) x heads",
                   &buckets_.file},
                  {"buckets", "bucket", "relative=true: number of buckets, half of them a side", &buckets_.bucket_count,
                   between(4, 1024), "the bias's, or 32"},
                  {"max-distance", "position", "relative=true: distance from which the last bucket holds all",
                   &buckets_.max_distance, between(2, 0x1p53)},
                  {"class-token", "1", "token 0 is the class token, whose row and column are reset", &class_token_},
                  {"reset", "1",
                   "class-token=true: what replaces row and column of the class token, products of two rows, or free parameters",
                   choice(reset_, reset_words)},
                  {"theta1", "logit", "class-token=true, reset=paper: from the class token, a number or a file by head; drawn",
                   &theta_[0].text},
                  {"theta2", "logit", "class-token=true, reset=paper: to the class token, a number or a file by head; drawn",
                   &theta_[1].text},
                  {"std", "1", "standard deviation of drawn parameters", &std_, deviations}};
    all.insert(all.end(), own.begin(), own.end());
    return all;
  }

  void prepare(const model::Context& context) override {
    if (!table_file_.empty()) {
      rows_ = model::rows_from(context.tables->open(table_file_), "tupe", "table", table_file_);
      agree("tupe", "table", table_file_, "dim", heads_.dim, rows_->channels());
      agree("tupe", "table", table_file_, "rows", row_count_, *rows_->count());
    }
    if (row_count_ && !original_) original_ = *row_count_ - extra_row();
    if (original_ && *original_ < 1) reject("tupe", "rows", std::to_string(*row_count_), "must leave a row for position 0");
    if (relative_) {
      buckets_.bidirectional = true;
      buckets_.spread = std_;
      buckets_.init = BucketTable::Init::hf;
      buckets_.head_count = heads_.heads;
      buckets_.resolve("tupe", 1, context, extra_row(), "bias");
      heads_.heads = buckets_.head_count;
    }
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}})
      theta_[side].read(context, "tupe", side == 0 ? "theta1" : "theta2", heads_.heads);
    heads_.resolve("tupe");
    if (!layer_norm_ && !norm_prefix_.empty()) reject("tupe", "norm", norm_prefix_, "needs layer-norm=true");
    read_thetas(context);
  }
  void read_thetas(const model::Context& context) {
    constexpr double largest = 1e300;
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
      const char* field = side == 0 ? "theta1" : "theta2";
      const bool paper = class_token_ && reset_ == Reset::paper;
      if (!paper && !theta_[side].text.empty()) reject("tupe", field, theta_[side].text, "needs class-token=true,reset=paper");
      if (theta_[side].text.empty()) {
        thetas_[side] = drawn_vector(context.seed, side == 0 ? "tupe.theta1" : "tupe.theta2", heads_.count(), std_);
      } else {
        theta_[side].fill(context, "tupe", field, "", heads_.count(), {}, {-largest, largest});
        thetas_[side] = Eigen::Map<const model::Vector>(theta_[side].values.data(), heads_.count());
      }
    }
  }
  /// Rows before that of position 0.
  Pos extra_row() const { return class_token_ && reset_ == Reset::code ? 1 : 0; }
  void finish(const model::Context& context) override {
    if (!row_count_) row_count_ = *original_ + extra_row();
    if (!rows_) rows_ = drawn_rows(context.seed, "tupe.table", *row_count_, heads_.width(), std_);
    if (layer_norm_) rows_ = normed(rows_, layer_norm(context, "tupe", "norm", norm_prefix_, heads_.width()));
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
  bool relative_ = true, class_token_ = false, layer_norm_ = true;
  Reset reset_ = Reset::code;
  std::array<HeadParameter, 2> theta_;
  std::array<model::Vector, 2> thetas_;
  double std_ = 0.02;
  std::shared_ptr<const model::Rows> rows_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_tupe() { return std::make_unique<Tupe>(); }

}  // namespace posenc::schemes
