#include "model/scheme.hpp"
#include "schemes/drawn.hpp"
#include "schemes/files.hpp"
#include "schemes/limits.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::schemes {
namespace {

using model::Index;
using model::Pos;

/// One hidden layer, bias_h = W2_h relu(w1 x + b1) + b2_h.
struct Perceptron {
  model::Vector w1, b1;  // [unit]
  model::Matrix w2;      // [head][unit]
  model::Vector b2;      // [head]
  double hidden(Index unit, double x) const { return std::max(0.0, w1(unit) * x + b1(unit)); }
};

class Fire : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"fire", "functional interpolation for relative positions",
            "b_h(m, n) = f_h(psi(m - n)/(psi(max(m, |multiplier| threshold)) + 1e-6)), psi(x) = ln(|c x| + 1), f a perceptron "
            "with one hidden layer of ReLU",
            "Li 2024 (arXiv 2310.04418) eq. 7-9; sizes and epsilon: chuanyang-Zheng/DAPE DAPE.py"};
  }
  model::Encoding lower(Pos) const override {
    model::Encoding e;
    e.head_dim = e.width = dim_;
    e.heads = *heads_;
    e.logit_scale = 1 / std::sqrt(static_cast<double>(dim_));
    model::Bias b;
    b.heads = *heads_;
    b.by_lag = false;
    const auto input = [c = c_, least = std::abs(multiplier_) * threshold_](Pos m, Pos n) {
      const auto psi = [c](double x) { return std::log1p(std::abs(c * x)); };
      return psi(static_cast<double>(std::max<Pos>(m - n, 0))) / (psi(std::max(static_cast<double>(m), least)) + 1e-6);
    };
    b.value = [net = net_, input](Index h, Pos m, Pos n) {
      const double x = input(m, n);
      double sum = net->b2(h);
      for (Index u = 0; u < net->w1.size(); ++u) sum += net->w2(h, u) * net->hidden(u, x);
      return sum;
    };
    b.features = [net = net_, input](Index, Pos m, Pos n, double* phi) {
      const double x = input(m, n);
      phi[0] = 1;
      for (Index u = 0; u < net->w1.size(); ++u) phi[1 + u] = net->hidden(u, x);
    };
    b.unknowns = 1 + net_->w1.size();
    e.terms.push_back(std::move(b));
    return e;
  }

 private:
  Fields own_fields() override {
    return {{"dim", "channel", "channels of a head", &dim_, widths},
            {"heads", "head", "number of heads", &heads_, head_counts, "w2's, or 8"},
            {"hidden", "1", "units of the hidden layer", &hidden_, between(1, 65536), "the files', or 32"},
            {"c", "1", "factor of the distance within psi", &c_, above(0)},
            {"threshold", "position", "query positions below multiplier threshold count as it", &threshold_, above(0)},
            {"multiplier", "1", "trainable factor of the threshold", &multiplier_},
            {"w1", "1", "file of the first layer's weights, hidden", &w1_file_},
            {"b1", "1", "file of the first layer's offsets, hidden", &b1_file_},
            {"w2", "1", "file of the second layer's weights, heads x hidden", &w2_file_},
            {"b2", "1", "file of the second layer's offsets, heads", &b2_file_}};
  }
  /// Files, or draws uniform in +-1/sqrt(inputs), PyTorch's Linear.
  void prepare(const model::Context& context) override {
    auto net = std::make_shared<Perceptron>();
    const auto vector = [&](std::string_view field, const std::string& file, model::Vector& into, std::string_view name,
                            std::optional<std::int64_t>& size) {
      if (file.empty()) return;
      into = vector_file(context, "fire", field, file, -1);
      agree("fire", field, file, name, size, into.size());
    };
    vector("w1", w1_file_, net->w1, "hidden", hidden_);
    vector("b1", b1_file_, net->b1, "hidden", hidden_);
    vector("b2", b2_file_, net->b2, "heads", heads_);
    if (!w2_file_.empty()) {
      net->w2 = matrix_file(context, "fire", "w2", w2_file_, -1, -1);
      agree("fire", "w2", w2_file_, "heads", heads_, net->w2.rows());
      agree("fire", "w2", w2_file_, "hidden", hidden_, net->w2.cols());
    }
    if (!heads_) heads_ = 8;
    if (!hidden_) hidden_ = 32;
    const auto drawn = [&](const char* name, Index rows, Index columns, double inputs) {
      model::Matrix out(rows, columns);
      drawn_rows(context.seed, name, rows, columns, 1 / std::sqrt(3 * inputs), Law::uniform)->block(0, out);
      return out;
    };
    const auto units = static_cast<double>(*hidden_);
    if (w1_file_.empty()) net->w1 = drawn("fire.w1", *hidden_, 1, 1);
    if (b1_file_.empty()) net->b1 = drawn("fire.b1", *hidden_, 1, 1);
    if (w2_file_.empty()) net->w2 = drawn("fire.w2", *heads_, *hidden_, units);
    if (b2_file_.empty()) net->b2 = drawn("fire.b2", *heads_, 1, units);
    net_ = std::move(net);
  }

  std::int64_t dim_ = 128;
  std::optional<std::int64_t> heads_, hidden_;
  double c_ = 0.1, threshold_ = 512, multiplier_ = 1;
  std::string w1_file_, b1_file_, w2_file_, b2_file_;
  std::shared_ptr<const Perceptron> net_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_fire() { return std::make_unique<Fire>(); }

}  // namespace posenc::schemes
