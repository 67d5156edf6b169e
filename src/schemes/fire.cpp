#include "model/scheme.hpp"
#include "schemes/files.hpp"
#include "schemes/fire_bias.hpp"
#include "schemes/limits.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::schemes {
namespace {

using model::Index;
using model::Pos;

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
    b.value = [fire = fire_](Index h, Pos m, Pos n) { return fire->value(h, m, n); };
    b.features = [fire = fire_](Index, Pos m, Pos n, double* phi) {
      const double x = fire->input(m, n);
      phi[0] = 1;
      for (Index u = 0; u < fire->units(); ++u) phi[1 + u] = fire->net.hidden(u, &x);
    };
    b.unknowns = 1 + fire_->units();
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
            {"w1", "1", "file of the first layer's weights, hidden", &files_.w1},
            {"b1", "1", "file of the first layer's offsets, hidden", &files_.b1},
            {"w2", "1", "file of the second layer's weights, heads x hidden", &files_.w2},
            {"b2", "1", "file of the second layer's offsets, heads", &files_.b2}};
  }
  void prepare(const model::Context& context) override {
    auto fire = std::make_shared<FireBias>();
    fire->net = perceptron(context, files_, "fire", {1, hidden_, heads_, 32, 8});
    fire->c = c_, fire->least = std::abs(multiplier_) * threshold_;
    fire_ = std::move(fire);
  }

  std::int64_t dim_ = 128;
  std::optional<std::int64_t> heads_, hidden_;
  double c_ = 0.1, threshold_ = 512, multiplier_ = 1;
  PerceptronFiles files_;
  std::shared_ptr<const FireBias> fire_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_fire() { return std::make_unique<Fire>(); }

}  // namespace posenc::schemes
