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

class Cope : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"cope", "contextual position encoding",
            "p_mn = min(sum_{t = n..m} g_mt, npos - 1), g_mt a gate of q_m and k_t; the logit gains <q_m, e[p_mn]>, e linear "
            "between rows; ram-default: g = sigmoid(q.k/sqrt d), (q.k + q.e)/sqrt d; ram-nodiv: q.k/sqrt d + q.e; raw-gate: g "
            "= sigmoid(q.k), q.k/sqrt d + q.e",
            "Golovneva 2024 (arXiv 2405.18719) eq. 3-6; facebookresearch/RAM projects/cope context_position.py (e starts at "
            "zero there)"};
  }
  model::Encoding lower(model::Pos) const override {
    model::Encoding e;
    e.head_dim = e.width = *dim_;
    e.logit_scale = 1 / std::sqrt(static_cast<double>(*dim_));
    const double gate = form_ == Form::raw_gate ? 1 : e.logit_scale, added = form_ == Form::ram_default ? 1 : 1 / e.logit_scale;
    e.terms.push_back(model::Contextual{[table = table_, gate, added](const model::Content& c, Index, model::Pos) {
                                          return scores(c.q(), c.k(), *table, gate, added);
                                        },
                                        "positions count keys by gates of query and key"});
    return e;
  }

 private:
  Fields own_fields() override {
    return {{"dim", "channel", "channels of a head", &dim_, widths, "the table's, or 128"},
            {"positions", "row", "npos, rows of e", &count_, between(2, 1 << 20), "the table's, or original + 1"},
            {"form", "1", "gate and scaling of the public forms", choice(form_, forms)},
            {"table", "1", "file of e, npos x dim", &file_},
            {"std", "1", "standard deviation of a drawn e", &std_, above(0), "1/sqrt(dim)"}};
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
  }

  static Matrix scores(const Matrix& q, const Matrix& k, const Matrix& e, double gate, double added) {
    Matrix out = q * k.transpose();
    const auto last = static_cast<double>(e.rows() - 1);
    for (Index m = 0; m < out.rows(); ++m) {
      double position = 0;
      const auto at_row = [&](Index row) {
        double sum = 0;
        for (Index c = 0; c < q.cols(); ++c) sum += q(m, c) * e(row, c);
        return sum;
      };
      for (Index n = std::min(m, out.cols() - 1); n >= 0; --n) {
        position += 1 / (1 + std::exp(-gate * out(m, n)));
        const double p = std::min(position, last), below = std::floor(p), share = p - below;
        const auto row = static_cast<Index>(below);
        out(m, n) += added * (share == 0 ? at_row(row) : (1 - share) * at_row(row) + share * at_row(row + 1));
      }
    }
    return out;
  }

  std::optional<std::int64_t> dim_, count_;
  Form form_ = Form::ram_default;
  std::string file_;
  std::optional<double> std_;
  std::shared_ptr<const Matrix> table_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_cope() { return std::make_unique<Cope>(); }

}  // namespace posenc::schemes
