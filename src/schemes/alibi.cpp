#include "model/scheme.hpp"
#include "schemes/limits.hpp"
#include "schemes/slopes.hpp"

#include <cmath>

namespace posenc::schemes {
namespace {

enum class Form : int { distance, key };
constexpr std::array<std::string_view, 2> forms{"distance", "key"};
enum class Sides : int { causal, symmetric, asymmetric };
constexpr std::array<std::string_view, 3> sides_words{"causal", "symmetric", "asymmetric"};

class Alibi : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"alibi", "attention with linear biases",
            "b_h(m, n) = -m_h (m - n), slope m_h = 2^(-8h/H), h = 1 .. H, for H a power of two, else the lower power's slopes "
            "and every second one of the double; key: m_h n; symmetric: -m_h |m - n|; asymmetric: m_h (-|m - n| + 1/2 [n < m])",
            "Press 2022 (arXiv 2108.12409) sec. 3; key and head counts: ofirpress/attention_with_linear_biases; asymmetric: "
            "google-deepmind/randomized_positional_encodings; bias-max: mosaicml/llm-foundry"};
  }
  model::Encoding lower(model::Pos) const override {
    model::Encoding e;
    e.head_dim = e.width = dim_;
    e.heads = heads_;
    e.logit_scale = 1 / std::sqrt(static_cast<double>(dim_));
    e.causal = sides_ == Sides::causal;
    e.terms.push_back(bias());
    return e;
  }

 private:
  Fields own_fields() override {
    return {{"dim", "channel", "channels of a head", &dim_, widths},
            {"heads", "head", "number of heads", &heads_, head_counts},
            {"form", "1", "bias by distance, or by key position (the same after softmax)", choice(form_, forms)},
            {"sides", "1", "causal, or how keys after the query are treated", choice(sides_, sides_words)},
            {"bias-max", "1", "exponent of the smallest slope: m_h = 2^(-bias-max h/H)", &bias_max_, above(0)}};
  }
  void finish(const model::Context&) override {
    if (form_ == Form::key && sides_ != Sides::causal) reject("alibi", "form", "key", "needs sides=causal");
    slopes_ = alibi_slopes(heads_, bias_max_);
  }

  /// The bias divided by the slope.
  static double unit(Form form, Sides sides, model::Pos m, model::Pos n) {
    if (form == Form::key) return static_cast<double>(n);
    const auto s = static_cast<double>(m - n);
    if (sides == Sides::causal) return -s;
    return -std::abs(s) + (sides == Sides::asymmetric && n < m ? 0.5 : 0.0);
  }
  model::Bias bias() const {
    model::Bias b;
    b.heads = heads_;
    b.by_lag = form_ == Form::distance;
    b.value = [slopes = slopes_, form = form_, sides = sides_](model::Index h, model::Pos m, model::Pos n) {
      return slopes[static_cast<std::size_t>(h)] * unit(form, sides, m, n);
    };
    b.features = [value = b.value](model::Index h, model::Pos m, model::Pos n, double* phi) {
      phi[0] = 1, phi[1] = value(h, m, n);
    };
    b.unknowns = 2;
    b.free = false;
    return b;
  }

  std::int64_t dim_ = 128, heads_ = 8;
  Form form_ = Form::distance;
  Sides sides_ = Sides::causal;
  double bias_max_ = 8;
  std::vector<double> slopes_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_alibi() { return std::make_unique<Alibi>(); }

}  // namespace posenc::schemes
