#include "model/scheme.hpp"
#include "schemes/drawn.hpp"
#include "schemes/files.hpp"
#include "schemes/limits.hpp"
#include "schemes/log_coordinates.hpp"

#include <cmath>

namespace posenc::schemes {
namespace {

using model::Index;
using model::Pos;

enum class Version : int { v1, v2 };
constexpr std::array<std::string_view, 2> versions{"1", "2"};

class Swin : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {
        "swin", "relative bias of image windows (Swin)",
        "b_h = table[(dy + M - 1)(2M - 1) + dx + M - 1, h], dy and dx query minus key on a window of M x M tokens; windows of "
        "M^2 tokens follow one another and do not see each other; version 2: table = 16 sigmoid(W2 relu(W1 c + b1)), c = "
        "sign(r) log2(1 + 8|r|)/3 of r = dy/(P - 1) and dx/(P - 1), P the pretrained window, and logit = cos(q_m, k_n)/tau + b",
        "Liu 2021 (arXiv 2103.14030) eq. 4; Liu 2022 (arXiv 2111.09883) eq. 2-4; microsoft/Swin-Transformer "
        "swin_transformer.py, swin_transformer_v2.py (weights N(0, 0.02^2): timm's trunc_normal_ cuts at +-2, not at two "
        "deviations; tau 0.1, at least 0.01)"};
  }
  model::Encoding lower(Pos) const override {
    model::Encoding e;
    e.head_dim = e.width = dim_;
    e.heads = *heads_;
    e.cosine = version_ == Version::v2;
    e.logit_scale = e.cosine ? 1 / temperature_ : 1 / std::sqrt(static_cast<double>(dim_));
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
            {"heads", "head", "number of heads", &heads_, head_counts, "the table's or w2's, or 8"},
            {"window", "token", "side M of a window", &window_, between(1, 1024)},
            {"version", "1", "a table of biases, or a perceptron of log coordinates with cosine attention",
             choice(version_, versions)},
            {"table", "1", "version=1: file of the biases, (2M-1)^2 x heads", &file_},
            {"pretrained-window", "token", "version=2: side P of the window in pre-training", &pretrained_, between(2, 1024),
             "window"},
            {"temperature", "1", "version=2: tau of the cosine, learned in training and of all heads here", &temperature_,
             at_least(0.01)},
            {"hidden", "1", "version=2: units of the hidden layer", &hidden_, between(1, 65536), "the files', or 512"},
            {"w1", "1", "version=2: file of W1, hidden x 2 (rows, columns)", &w1_file_},
            {"b1", "1", "version=2: file of b1, hidden; zero without", &b1_file_},
            {"w2", "1", "version=2: file of W2, heads x hidden", &w2_file_}};
  }
  void prepare(const model::Context& context) override { version_ == Version::v1 ? read_table(context) : make_table(context); }
  void read_table(const model::Context& context) {
    for (const auto& [name, file] : {std::pair("w1", &w1_file_), std::pair("b1", &b1_file_), std::pair("w2", &w2_file_)})
      if (!file->empty()) reject("swin", name, *file, "needs version=2");
    const Index rows = (2 * window_ - 1) * (2 * window_ - 1);
    if (!file_.empty()) {
      table_ = matrix_file(context, "swin", "table", file_, rows, -1);
      agree("swin", "table", file_, "heads", heads_, table_.cols());
      return;
    }
    if (!heads_) heads_ = 8;
    table_ = drawn_matrix(context.seed, "swin.table", rows, *heads_, 0.02);
  }
  void make_table(const model::Context& context) {
    if (!file_.empty()) reject("swin", "table", file_, "needs version=1");
    if (!pretrained_) {
      if (window_ < 2)
        reject("swin", "window", std::to_string(window_), "must be >= 2 with version=2, or pretrained-window given");
      pretrained_ = window_;
    }
    LogCoordinateBias net;
    if (!w1_file_.empty()) {
      net.w1 = matrix_file(context, "swin", "w1", w1_file_, -1, 2);
      agree("swin", "w1", w1_file_, "hidden", hidden_, net.w1.rows());
    }
    if (!b1_file_.empty()) {
      net.b1 = vector_file(context, "swin", "b1", b1_file_, -1);
      agree("swin", "b1", b1_file_, "hidden", hidden_, net.b1.size());
    }
    if (!w2_file_.empty()) {
      net.w2 = matrix_file(context, "swin", "w2", w2_file_, -1, -1);
      agree("swin", "w2", w2_file_, "heads", heads_, net.w2.rows());
      agree("swin", "w2", w2_file_, "hidden", hidden_, net.w2.cols());
    }
    if (!heads_) heads_ = 8;
    if (!hidden_) hidden_ = 512;
    if (w1_file_.empty()) net.w1 = drawn_matrix(context.seed, "swin.w1", *hidden_, 2, 0.02);
    if (b1_file_.empty()) net.b1 = model::Vector::Zero(*hidden_);
    if (w2_file_.empty()) net.w2 = drawn_matrix(context.seed, "swin.w2", *heads_, *hidden_, 0.02);
    table_ = net.table(window_, *pretrained_);
  }

  std::int64_t dim_ = 128, window_ = 7;
  std::optional<std::int64_t> heads_, pretrained_, hidden_;
  Version version_ = Version::v1;
  double temperature_ = 0.1;
  std::string file_, w1_file_, b1_file_, w2_file_;
  model::Matrix table_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_swin() { return std::make_unique<Swin>(); }

}  // namespace posenc::schemes
