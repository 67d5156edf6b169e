#include "core/error.hpp"
#include "model/scheme.hpp"
#include "schemes/buckets.hpp"
#include "schemes/drawn.hpp"
#include "schemes/files.hpp"
#include "schemes/heads.hpp"
#include "schemes/layer_norm.hpp"
#include "schemes/limits.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>

namespace posenc::schemes {
namespace {

using model::Pos;
using Side = model::RelativeVectors::Side;
using Through = model::RelativeVectors::Through;

enum class KeyRow : int { code, paper };
constexpr std::array<std::string_view, 2> key_rows{"code", "paper"};
enum class Beyond : int { repo, hf };
constexpr std::array<std::string_view, 2> beyond_words{"repo", "hf"};
enum class Projections : int { content, own };
constexpr std::array<std::string_view, 2> projection_words{"content", "own"};
enum class P2p : int { none, code, scaled };
constexpr std::array<std::string_view, 3> p2p_words{"none", "code", "scaled"};

class Deberta : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {
        "deberta", "disentangled attention",
        "logit = [<q_m, k_n> + <q_m, kr[delta(m, n)]> + <k_n, qr[x]>]/sqrt((1 + t) d), t the number of position terms, kr "
        "and qr the table through the projections of keys and queries, delta(m, n) = clip(m - n + K, 0, 2K - 1), x = "
        "delta(m, n) in the code, delta(n, m) in the paper; buckets=B: K = B and logarithmic buckets of m - n; p2p: + <qr[K + "
        "m], kr[delta(m, n)]>, unscaled in "
        "the code",
        "He 2021 (arXiv 2006.03654) eq. 3-4; code and buckets: microsoft/DeBERTa disentangled_attention.py, da_utils.py (its p2p "
        "forgets the scale); hf: huggingface/transformers modeling_deberta_v2.py"};
  }
  model::Encoding lower(Pos sequence) const override {
    model::Encoding e;
    e.head_dim = heads_.head_dim();
    e.heads = heads_.count();
    e.width = heads_.width();
    const int terms = 1 + (c2p_ ? 1 : 0) + (p2c_ ? 1 : 0) + (p2p_ != P2p::none ? 1 : 0);
    e.logit_scale = 1 / std::sqrt(static_cast<double>(terms) * static_cast<double>(e.head_dim));
    e.causal = false;
    model::RelativeVectors r;
    r.head_dim = e.head_dim;
    r.heads = e.heads;
    const auto side = [&](const model::Matrix& weights, const std::function<Pos(Pos, Pos)>& index) {
      return Side{rows_, index, weights.size() ? Through::given : Through::content, weights, false};
    };
    if (c2p_) r.at_query = side(key_weights_, delta_);
    if (p2c_)
      r.at_key = side(
          query_weights_, key_row_ == KeyRow::code ? delta_ : [delta = delta_](Pos m, Pos n) { return delta(n, m); });
    if (p2c_ && query_offset_.size()) r.u = query_offset_.reshaped<Eigen::RowMajor>(e.heads, e.head_dim);
    e.terms.push_back(std::move(r));
    if (p2p_ != P2p::none) e.terms.push_back(position_position(sequence, p2p_ == P2p::code ? 1 : e.logit_scale));
    return e;
  }

 private:
  Fields own_fields() override {
    Fields all = heads_.fields();
    Fields own = {
        {"clip", "position", "K, half the rows of the table", &clip_, between(1, 1 << 20),
         "the table's, or 512; buckets, where given"},
        {"buckets", "bucket", "B logarithmic buckets a side (v2: 256); 0: one row a distance", &buckets_, between(0, 4096)},
        {"max-distance", "position", "with buckets: distance that the last bucket ends before", &max_distance_,
         between(3, 0x1p53)},
        {"beyond", "1", "with buckets: distances beyond max-distance clamped (repo) or not (hf: row 0 is reached)",
         choice(beyond_, beyond_words)},
        {"key-row", "1", "p2c=true: row that the key meets, delta(m, n) in all code, delta(n, m) in the paper",
         choice(key_row_, key_rows)},
        {"c2p", "1", "the term <q_m, kr> is present", &c2p_},
        {"p2c", "1", "the term <k_n, qr> is present", &p2c_},
        {"p2p", "1", "the term <qr, kr> of two positions: none, as in the code, or scaled like the others; needs projections=own",
         choice(p2p_, p2p_words)},
        {"table", "1", "file of the table, 2K x dim", &table_file_},
        {"layer-norm", "1", "the table passes a layer norm (v2)", &layer_norm_},
        {"norm", "1", "layer-norm=true: its parameters, NORM.weight.npy and NORM.bias.npy", &norm_prefix_},
        {"projections", "1", "kr and qr by the content's projections (v2), or by drawn ones of their own (v1)",
         choice(projections_, projection_words)},
        {"wkr", "1", "file of the projection for kr, heads head-dim x dim", &key_file_},
        {"wqr", "1", "file of the projection for qr, heads head-dim x dim", &query_file_},
        {"bqr", "1", "file of the offset of qr, heads head-dim; zero without", &offset_file_},
        {"std", "1", "standard deviation of a drawn table and drawn projections", &std_, deviations}};
    all.insert(all.end(), own.begin(), own.end());
    return all;
  }

  void prepare(const model::Context& context) override {
    if (!table_file_.empty()) {
      rows_ = model::rows_from(context.tables->open(table_file_), "deberta", "table", table_file_);
      agree("deberta", "table", table_file_, "dim", heads_.dim, rows_->channels());
      const Pos rows = *rows_->count();
      if (rows % 2 != 0) throw BadData(fmt::format("deberta: table = {}: {} rows must be even, 2K", table_file_, rows));
      agree("deberta", "table", table_file_, "clip", clip_, rows / 2);
    }
    heads_.resolve("deberta");
    if (!clip_) clip_ = buckets_ > 0 ? buckets_ : 512;
    if (buckets_ > 0) check_buckets();
    if (!rows_) rows_ = drawn_rows(context.seed, "deberta.table", 2 * *clip_, heads_.width(), std_);
    if (layer_norm_ || !norm_prefix_.empty())
      rows_ = normed(rows_, layer_norm(context, "deberta", "norm", norm_prefix_, heads_.width()));
    key_weights_ = projection(context, "wkr", key_file_, "deberta.wkr");
    query_weights_ = projection(context, "wqr", query_file_, "deberta.wqr");
    if (!offset_file_.empty()) query_offset_ = vector_file(context, "deberta", "bqr", offset_file_, heads_.projected());
    if (p2p_ != P2p::none && (!key_weights_.size() || !query_weights_.size()))
      reject("deberta", "p2p", p2p_words[static_cast<std::size_t>(p2p_)], "needs projections=own, or wkr and wqr");
    delta_ = buckets_ > 0 ? bucketed() : [K = *clip_](Pos m, Pos n) { return std::clamp<Pos>(m - n + K, 0, 2 * K - 1); };
  }
  void check_buckets() const {
    if (buckets_ % 2 != 0 || buckets_ < 4) reject("deberta", "buckets", std::to_string(buckets_), "must be even and >= 4");
    if (*clip_ != buckets_) reject("deberta", "clip", std::to_string(*clip_), fmt::format("must be buckets = {}", buckets_));
    if (max_distance_ - 1 <= buckets_ / 2)
      reject("deberta", "max-distance", std::to_string(max_distance_),
             fmt::format("must be > buckets/2 + 1 = {}", buckets_ / 2 + 1));
  }
  std::function<Pos(Pos, Pos)> bucketed() const {
    return [buckets = LogBuckets(buckets_, max_distance_, beyond_ == Beyond::repo), B = buckets_](Pos m, Pos n) {
      return std::clamp<Pos>(buckets.of(m - n) + B, 0, 2 * B - 1);
    };
  }
  model::Matrix projection(const model::Context& context, std::string_view field, const std::string& file,
                           const char* stream) const {
    if (file.empty() && projections_ == Projections::own)
      return drawn_matrix(context.seed, stream, heads_.width(), heads_.projected(), std_);
    if (file.empty()) return {};
    const model::Matrix weights = matrix_file(context, "deberta", field, file, -1, heads_.width()).transpose();
    heads_.check_projection("deberta", field, file, weights.cols());
    return weights;
  }

  /// factor <qr[K + m], kr[delta(m, n)]>, by head; a query at K or beyond has no row: NaN.
  model::Bias position_position(Pos sequence, double factor) const {
    const Pos K = *clip_, length = sequence == 0 ? train_length() : sequence;
    if (length > K)
      reject("deberta", "p2p", p2p_words[static_cast<std::size_t>(p2p_)],
             fmt::format("needs clip (or buckets) >= the length in use, {}", length));
    model::Matrix rows(2 * K, heads_.width());
    rows_->block(0, rows);
    auto query = std::make_shared<model::Matrix>(rows.bottomRows(K) * query_weights_);
    auto key = std::make_shared<model::Matrix>(rows * key_weights_);
    if (query_offset_.size()) query->rowwise() += query_offset_.transpose();
    model::Bias b;
    b.heads = heads_.count();
    b.by_lag = false;
    b.value = [query, key, delta = delta_, factor, d = heads_.head_dim()](model::Index h, Pos m, Pos n) {
      if (m >= query->rows()) return std::numeric_limits<double>::quiet_NaN();
      return factor * query->row(m).segment(h * d, d).dot(key->row(delta(m, n)).segment(h * d, d));
    };
    return b;
  }

  Heads heads_;
  std::optional<std::int64_t> clip_;
  std::int64_t buckets_ = 0, max_distance_ = 512;
  Beyond beyond_ = Beyond::repo;
  KeyRow key_row_ = KeyRow::code;
  bool c2p_ = true, p2c_ = true, layer_norm_ = false;
  P2p p2p_ = P2p::none;
  Projections projections_ = Projections::content;
  model::Vector query_offset_;  // of qr, [heads d]
  std::string table_file_, norm_prefix_, key_file_, query_file_, offset_file_;
  double std_ = 0.02;
  std::shared_ptr<const model::Rows> rows_;
  model::Matrix key_weights_, query_weights_;
  std::function<Pos(Pos, Pos)> delta_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_deberta() { return std::make_unique<Deberta>(); }

}  // namespace posenc::schemes
