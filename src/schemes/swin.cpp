#include "model/scheme.hpp"
#include "schemes/drawn.hpp"
#include "schemes/files.hpp"
#include "schemes/limits.hpp"

#include <cmath>

namespace posenc::schemes {
namespace {

using model::Index;
using model::Pos;

class Swin : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"swin", "relative bias of image windows (Swin)",
            "b_h = table[(dy + M - 1)(2M - 1) + dx + M - 1, h], dy and dx query minus key on a window of M x M tokens; "
            "windows of M^2 tokens follow one another and do not see each other",
            "Liu 2021 (arXiv 2103.14030) eq. 4; microsoft/Swin-Transformer swin_transformer.py (truncated normal, std 0.02)"};
  }
  model::Encoding lower(Pos) const override {
    model::Encoding e;
    e.head_dim = e.width = dim_;
    e.heads = *heads_;
    e.logit_scale = 1 / std::sqrt(static_cast<double>(dim_));
    e.causal = false;
    e.visible = [tokens = window_ * window_](Pos m, Pos n) { return m / tokens == n / tokens; };
    model::Bias b;
    b.heads = *heads_;
    b.by_lag = false;
    b.bucket = [M = window_](Pos m, Pos n) {
      m %= M * M, n %= M * M;
      return (m / M - n / M + M - 1) * (2 * M - 1) + m % M - n % M + M - 1;
    };
    b.buckets = (2 * window_ - 1) * (2 * window_ - 1);
    b.value = [bucket = b.bucket, table = table_](Index h, Pos m, Pos n) { return table(bucket(m, n), h); };
    e.terms.push_back(std::move(b));
    return e;
  }

 private:
  Fields own_fields() override {
    return {{"dim", "channel", "channels of a head", &dim_, widths},
            {"heads", "head", "number of heads", &heads_, head_counts, "the table's, or 8"},
            {"window", "token", "side M of a window", &window_, between(1, 1024)},
            {"table", "1", "file of the biases, (2M-1)^2 x heads", &file_}};
  }
  void prepare(const model::Context& context) override {
    const Index rows = (2 * window_ - 1) * (2 * window_ - 1);
    if (!file_.empty()) {
      table_ = matrix_file(context, "swin", "table", file_, rows, -1);
      agree("swin", "table", file_, "heads", heads_, table_.cols());
      return;
    }
    if (!heads_) heads_ = 8;
    table_.resize(rows, *heads_);
    drawn_rows(context.seed, "swin.table", rows, *heads_, 0.02, Law::truncated)->block(0, table_);
  }

  std::int64_t dim_ = 128, window_ = 7;
  std::optional<std::int64_t> heads_;
  std::string file_;
  model::Matrix table_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_swin() { return std::make_unique<Swin>(); }

}  // namespace posenc::schemes
