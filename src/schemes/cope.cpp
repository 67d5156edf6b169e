#include "model/scheme.hpp"
#include "schemes/drawn.hpp"
#include "schemes/files.hpp"
#include "schemes/limits.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::schemes {
namespace {

using model::Index;
using model::Matrix;

enum class Form : int { ram_default, ram_nodiv, raw_gate };
constexpr std::array<std::string_view, 3> forms{"ram-default", "ram-nodiv", "raw-gate"};
enum class GateKey : int { key, separate, value };
constexpr std::array<std::string_view, 3> gate_keys{"key", "separate", "value"};

class Cope : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"cope", "contextual position encoding",
            "p_mn = min(sum_{t = n..m} g_mt, npos - 1), g_mt a gate of q_m and k_t; the logit gains <q_m, e[p_mn]>, e linear "
            "between rows; ram-default: g = sigmoid(q.k/sqrt d), (q.k + q.e)/sqrt d; ram-nodiv: q.k/sqrt d + q.e; raw-gate: g "
            "= sigmoid(q.k), q.k/sqrt d + q.e; gate-key: x_t W_g, a projection for the gates alone or that of the values, in "
            "place of k_t in g",
            "Golovneva 2024 (arXiv 2405.18719) eq. 3-6; facebookresearch/RAM projects/cope context_position.py (e starts at "
            "zero there; cope-sep-key, cope-val-gates)"};
  }
  model::Encoding lower(model::Pos) const override {
    model::Encoding e;
    e.head_dim = *dim_;
    e.heads = *heads_;
    e.width = *width_;
    e.logit_scale = 1 / std::sqrt(static_cast<double>(*dim_));
    const double gate = form_ == Form::raw_gate ? 1 : e.logit_scale, added = form_ == Form::ram_default ? 1 : 1 / e.logit_scale;
    e.terms.push_back(model::Contextual{
        [table = table_, gate, added, weights = gate_weights_, d = e.head_dim](const model::Content& c, Index head, model::Pos) {
          const Matrix q = c.q(), k = c.k();
          const Matrix products = q * k.transpose();
          if (weights.size() == 0) return scores(q, products, products, *table, gate, added);
          const Matrix gate_key = c.x * weights.middleCols(head * d, d);
          return scores(q, products, q * gate_key.transpose(), *table, gate, added);
        },
        "positions count keys by gates of query and key"});
    return e;
  }

 private:
  Fields own_fields() override {
    return {{"dim", "channel", "channels of a head", &dim_, widths, "the table's, or 128"},
            {"heads", "head", "number of heads, which share e and the gates unless gate-key has a projection", &heads_,
             head_counts, "gate-weights', or 1"},
            {"width", "channel", "model width D, inputs of the projection of gate-key", &width_, widths,
             "gate-weights', or heads dim"},
            {"positions", "row", "npos, rows of e", &count_, between(2, 1 << 20), "the table's, or original + 1"},
            {"form", "1", "gate and scaling of the public forms", choice(form_, forms)},
            {"gate-key", "1", "what the query meets in a gate: its key, a key of its own, or the value",
             choice(gate_key_, gate_keys)},
            {"gate-weights", "1", "gate-key=separate|value: file of W_g, heads dim x width (output x input); drawn N(0, 1/width)",
             &gate_file_},
            {"table", "1", "file of e, npos x dim", &file_},
            {"std", "1", "without table: standard deviation of a drawn e", &std_, deviations, "1/sqrt(dim)"}};
  }
  void finish(const model::Context& context) override {
    if (!file_.empty()) {
      table_ = std::make_shared<Matrix>(matrix_file(context, "cope", "table", file_, -1, -1));
      agree("cope", "table", file_, "dim", dim_, table_->cols());
      agree("cope", "table", file_, "positions", count_, table_->rows());
    }
    if (!dim_) dim_ = 128;
    if (!count_) count_ = train_length() + 1;
    if (!std_) std_ = 1 / std::sqrt(static_cast<double>(*dim_));
    if (!table_) table_ = std::make_shared<Matrix>(drawn_matrix(context.seed, "cope.table", *count_, *dim_, *std_));
    gates(context);
  }
  void gates(const model::Context& context) {
    if (gate_key_ == GateKey::key && !gate_file_.empty())
      reject("cope", "gate-weights", gate_file_, "needs gate-key=separate or gate-key=value");
    if (!gate_file_.empty()) {
      gate_weights_ = matrix_file(context, "cope", "gate-weights", gate_file_, -1, -1).transpose();
      agree("cope", "gate-weights", gate_file_, "width", width_, gate_weights_.rows());
      if (gate_weights_.cols() % *dim_ != 0)
        reject("cope", "gate-weights", gate_file_, "must have heads x dim = heads x " + std::to_string(*dim_) + " outputs");
      agree("cope", "gate-weights", gate_file_, "heads", heads_, gate_weights_.cols() / *dim_);
    }
    if (!heads_) heads_ = 1;
    if (!width_) width_ = *heads_ * *dim_;
    if (gate_key_ != GateKey::key && gate_file_.empty())
      gate_weights_ = drawn_matrix(context.seed, gate_key_ == GateKey::value ? "cope.values" : "cope.gates", *width_,
                                   *heads_ * *dim_, 1 / std::sqrt(static_cast<double>(*width_)));
  }

  static Matrix scores(const Matrix& q, const Matrix& products, const Matrix& gates, const Matrix& e, double gate, double added) {
    Matrix out = products;
    const auto last = static_cast<double>(e.rows() - 1);
    for (Index m = 0; m < out.rows(); ++m) {
      double position = 0;
      const auto at_row = [&](Index row) {
        double sum = 0;
        for (Index c = 0; c < q.cols(); ++c) sum += q(m, c) * e(row, c);
        return sum;
      };
      for (Index n = std::min(m, out.cols() - 1); n >= 0; --n) {
        position += 1 / (1 + std::exp(-gate * gates(m, n)));
        const double p = std::min(position, last), below = std::floor(p), share = p - below;
        const auto row = static_cast<Index>(below);
        out(m, n) += added * (share == 0 ? at_row(row) : (1 - share) * at_row(row) + share * at_row(row + 1));
      }
    }
    return out;
  }

  std::optional<std::int64_t> dim_, heads_, width_, count_;
  Form form_ = Form::ram_default;
  GateKey gate_key_ = GateKey::key;
  std::string file_, gate_file_;
  std::optional<double> std_;
  Matrix gate_weights_;  // [input][head dim]
  std::shared_ptr<const Matrix> table_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_cope() { return std::make_unique<Cope>(); }

}  // namespace posenc::schemes
