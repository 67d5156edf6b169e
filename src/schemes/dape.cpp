#include "model/scheme.hpp"
#include "schemes/fire_bias.hpp"
#include "schemes/head_parameter.hpp"
#include "schemes/limits.hpp"
#include "schemes/slopes.hpp"

#include <cmath>
#include <limits>

namespace posenc::schemes {
namespace {

using model::Index;
using model::Matrix;
using model::Pos;

enum class Base : int { alibi, kerple, fire };
constexpr std::array<std::string_view, 3> bases{"alibi", "kerple", "fire"};
using Bias = std::function<double(Index head, Pos m, Pos n)>;

class Dape : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {
        "dape", "data-adaptive positional encoding",
        "logit_h = x_h + b_h + f_h(x_1 .. x_H, b_1 .. b_H), x the scaled content logits of all heads at (m, n), b the biases of "
        "alibi, kerple (log) or fire (with LeakyReLU), f a perceptron with one hidden layer of LeakyReLU 0.01",
        "Zheng 2024 (arXiv 2405.14722, first named CAPE) eq. 3; chuanyang-Zheng/DAPE DAPE.py (32 units, weights by PyTorch's "
        "Linear)"};
  }
  model::Encoding lower(Pos) const override {
    model::Encoding e;
    e.head_dim = dim_;
    e.heads = *heads_;
    e.width = dim_ * *heads_;
    e.logit_scale = 1 / std::sqrt(static_cast<double>(dim_));
    e.terms.push_back(
        model::Contextual{[net = net_, bias = bias_, scale = e.logit_scale](const model::Content& c, Index head, Pos start) {
                            return scores(c, head, start, *net, bias, scale);
                          },
                          "a perceptron meets the content logits of all heads beside the biases", true});
    return e;
  }

 private:
  Fields own_fields() override {
    return {{"dim", "channel", "channels of a head", &dim_, widths},
            {"heads", "head", "number of heads", &heads_, head_counts, "the files', or 8"},
            {"bias", "1", "the biases that f sees", choice(base_, bases)},
            {"hidden", "1", "units of f's hidden layer", &hidden_, between(1, 65536), "the files', or 32"},
            {"w1", "1", "file of f's first weights, hidden x 2 heads (logits, then biases)", &files_.w1},
            {"b1", "1", "file of f's first offsets, hidden", &files_.b1},
            {"w2", "1", "file of f's second weights, heads x hidden", &files_.w2},
            {"b2", "1", "file of f's second offsets, heads", &files_.b2},
            {"r1", "logit", "bias=kerple: coefficient, a number or a file by head; drawn from (0, 2)", &r1_.text},
            {"r2", "1", "bias=kerple: factor of the distance, a number or a file by head; drawn from (0, 1)", &r2_.text},
            {"c", "1", "bias=fire: factor of the distance within psi", &c_, above(0)},
            {"threshold", "position", "bias=fire: query positions below it count as it", &threshold_, above(0)},
            {"fire-hidden", "1", "bias=fire: units of the hidden layer", &fire_hidden_, between(1, 65536), "the files', or 32"},
            {"fire-w1", "1", "bias=fire: file of the first weights, fire-hidden", &fire_files_.w1},
            {"fire-b1", "1", "bias=fire: file of the first offsets, fire-hidden", &fire_files_.b1},
            {"fire-w2", "1", "bias=fire: file of the second weights, heads x fire-hidden", &fire_files_.w2},
            {"fire-b2", "1", "bias=fire: file of the second offsets, heads", &fire_files_.b2}};
  }
  void prepare(const model::Context& context) override {
    refuse_others();
    if (!files_.w1.empty() && !heads_) heads_ = heads_of(*context.tables->open(files_.w1));
    if (base_ == Base::kerple) {
      r1_.read(context, "dape", "r1", heads_);
      r2_.read(context, "dape", "r2", heads_);
    }
    if (base_ == Base::fire) {
      auto fire = std::make_shared<FireBias>();
      fire->net = perceptron(context, fire_files_, "dape", {1, fire_hidden_, heads_, 32, 8});
      fire->net.leak = leak;
      fire->c = c_, fire->least = threshold_;
      bias_ = [fire = std::shared_ptr<const FireBias>(fire)](Index h, Pos m, Pos n) { return fire->value(h, m, n); };
    }
    if (!heads_) heads_ = 8;
    auto net = std::make_shared<Perceptron>(perceptron(context, files_, "dape", {2 * *heads_, hidden_, heads_, 32, 8}));
    net->leak = leak;
    net_ = std::move(net);
    if (base_ == Base::alibi)
      bias_ = [slopes = alibi_slopes(*heads_)](Index h, Pos m, Pos n) {
        return -slopes[static_cast<std::size_t>(h)] * static_cast<double>(m - n);
      };
    if (base_ == Base::kerple) kerple(context);
  }
  /// Files of a bias that is not in use.
  void refuse_others() const {
    const auto only = [&](Base base, std::string_view field, const std::string& value) {
      if (base_ != base && !value.empty())
        reject("dape", field, value, "needs bias=" + std::string(bases[static_cast<std::size_t>(base)]));
    };
    only(Base::kerple, "r1", r1_.text), only(Base::kerple, "r2", r2_.text);
    only(Base::fire, "fire-w1", fire_files_.w1), only(Base::fire, "fire-b1", fire_files_.b1);
    only(Base::fire, "fire-w2", fire_files_.w2), only(Base::fire, "fire-b2", fire_files_.b2);
  }
  /// The columns of w1 are two a head.
  static std::optional<std::int64_t> heads_of(const model::Tensor& w1) {
    if (w1.shape().size() != 2 || w1.shape()[1] < 2) return {};
    return w1.shape()[1] / 2;
  }
  void kerple(const model::Context& context) {
    constexpr double least = 0.01, none = std::numeric_limits<double>::infinity();
    r1_.fill(context, "dape", "r1", "dape.r1", *heads_, {0, 2}, {least, none});
    r2_.fill(context, "dape", "r2", "dape.r2", *heads_, {0, 1}, {least, none});
    bias_ = [r1 = r1_.values, r2 = r2_.values](Index h, Pos m, Pos n) {
      const auto head = static_cast<std::size_t>(h);
      return -r1[head] * std::log1p(r2[head] * static_cast<double>(m - n));
    };
  }

  /// (x + b + f)/scale; keys after the query, which are masked, keep q.k.
  static Matrix scores(const model::Content& c, Index head, Pos start, const Perceptron& net, const Bias& bias, double scale) {
    const auto H = static_cast<Index>(c.every_head.size());
    std::vector<Matrix> products;
    for (const auto& [w_query, w_key] : c.every_head) products.push_back((c.x * w_query) * (c.x * w_key).transpose());
    Matrix out = products[static_cast<std::size_t>(head)];
    std::vector<double> input(static_cast<std::size_t>(2 * H));
    for (Index m = 0; m < out.rows(); ++m)
      for (Index n = 0; n <= m; ++n) {
        for (Index h = 0; h < H; ++h) {
          input[static_cast<std::size_t>(h)] = scale * products[static_cast<std::size_t>(h)](m, n);
          input[static_cast<std::size_t>(H + h)] = bias(h, start + m, start + n);
        }
        out(m, n) += (input[static_cast<std::size_t>(H + head)] + net.output(head, input.data())) / scale;
      }
    return out;
  }

  static constexpr double leak = 0.01;
  std::int64_t dim_ = 128;
  std::optional<std::int64_t> heads_, hidden_, fire_hidden_;
  Base base_ = Base::kerple;
  PerceptronFiles files_, fire_files_{{}, {}, {}, {}, "fire-"};
  HeadParameter r1_, r2_;
  double c_ = 0.1, threshold_ = 512;
  std::shared_ptr<const Perceptron> net_;
  Bias bias_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_dape() { return std::make_unique<Dape>(); }

}  // namespace posenc::schemes
