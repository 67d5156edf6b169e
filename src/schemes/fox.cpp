#include "core/error.hpp"
#include "model/scheme.hpp"
#include "schemes/drawn.hpp"
#include "schemes/files.hpp"
#include "schemes/heads.hpp"
#include "schemes/limits.hpp"

#include <fmt/format.h>
#include <cmath>

namespace posenc::schemes {
namespace {

using model::Index;
using model::Matrix;
using model::Pos;
using model::Vector;

enum class Gate : int { full, bias_only, fixed, none };
constexpr std::array<std::string_view, 4> gates{"full", "bias-only", "fixed", "none"};

/// ln sigmoid(x), without overflow.
double log_sigmoid(double x) { return x < 0 ? x - std::log1p(std::exp(x)) : -std::log1p(std::exp(-x)); }

class Fox : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"fox", "forgetting transformer",
            "b_h(m, n) = sum_{t = n+1..m} ln f_t, f_t = sigmoid(w_h.x_t + c_h); bias-only: f = sigmoid(c_h), a linear bias "
            "with a learned slope; fixed: the same, never trained; none: f = 1, no positions; "
            "decay-min and decay-max: c_h such that ln f = -1/tau_h, tau_h log-spaced over the heads",
            "Lin 2025 (arXiv 2503.02130) sec. 3; zhixuan-lin/forgetting-transformer modeling_forgetting_transformer.py"};
  }
  model::Encoding lower(Pos) const override {
    model::Encoding e;
    e.head_dim = heads_.head_dim();
    e.heads = heads_.count();
    e.width = heads_.width();
    e.logit_scale = 1 / std::sqrt(static_cast<double>(e.head_dim));
    if (gate_ == Gate::full)
      e.terms.push_back(
          model::Contextual{[w = weights_, c = offset_, scale = e.logit_scale](const model::Content& x, Index head, Pos) {
                              return scores(x, w.row(head), c(head), scale);
                            },
                            "the bias sums gates of the tokens between key and query"});
    else if (gate_ != Gate::none)
      e.terms.push_back(bias());
    return e;
  }

 private:
  Fields own_fields() override {
    Fields all = heads_.fields();
    Fields own = {
        {"gate", "1", "gates of the content, constant ones that training learns or leaves, or none", choice(gate_, gates)},
        {"decay-min", "position", "tau of the first head", &decay_min_, above(0), "c = 0"},
        {"decay-max", "position", "tau of the last head", &decay_max_, above(0), "c = 0"},
        {"weights", "1", "gate=full: file of w, heads x dim", &weight_file_},
        {"offsets", "1", "file of c, heads", &offset_file_},
        {"std", "1", "gate=full, without weights: standard deviation of a drawn w", &std_, deviations}};
    all.insert(all.end(), own.begin(), own.end());
    return all;
  }
  void prepare(const model::Context& context) override {
    if (!weight_file_.empty()) {
      weights_ = matrix_file(context, "fox", "weights", weight_file_, -1, -1);
      agree("fox", "weights", weight_file_, "heads", heads_.heads, weights_.rows());
      agree("fox", "weights", weight_file_, "dim", heads_.dim, weights_.cols());
    }
    if (!offset_file_.empty()) {
      offset_ = vector_file(context, "fox", "offsets", offset_file_, -1);
      agree("fox", "offsets", offset_file_, "heads", heads_.heads, offset_.size());
    }
    heads_.resolve("fox");
    check_gate();
    if (decay_min_.has_value() != decay_max_.has_value())
      throw UsageError("fox: decay-min and decay-max: must be given together");
    if (decay_min_ && !offset_file_.empty())
      reject("fox", "offsets", offset_file_, "must not be given beside decay-min and decay-max");
    if (weight_file_.empty()) weights_ = drawn_matrix(context.seed, "fox.weights", heads_.count(), heads_.width(), std_);
    if (offset_file_.empty()) offset_ = decay_min_ ? decays() : Vector(Vector::Zero(heads_.count()));
  }
  void check_gate() const {
    if (gate_ != Gate::full && !weight_file_.empty()) reject("fox", "weights", weight_file_, "needs gate=full");
    if (gate_ == Gate::none && (decay_min_ || !offset_file_.empty()))
      reject("fox", "gate", "none", "has no offsets: decay-min, decay-max and offsets must not be given");
    if (gate_ == Gate::fixed && !decay_min_ && offset_file_.empty())
      reject("fox", "gate", "fixed", "needs decay-min and decay-max, or offsets");
  }
  Vector decays() const {
    Vector c(heads_.count());
    for (Index h = 0; h < c.size(); ++h) {
      const double way = c.size() > 1 ? static_cast<double>(h) / static_cast<double>(c.size() - 1) : 0;
      const double tau = std::exp((1 - way) * std::log(*decay_min_) + way * std::log(*decay_max_));
      c(h) = -std::log(std::expm1(1 / tau));
    }
    return c;
  }
  static Matrix scores(const model::Content& x, const Vector& w, double c, double logit_scale) {
    Matrix out = x.q() * x.k().transpose();
    Vector sum(out.rows());  // of ln f up to and with t
    double total = 0;
    for (Index t = 0; t < out.rows(); ++t) {
      double gate = c;
      for (Index i = 0; i < w.size(); ++i) gate += w(i) * x.x(t, i);
      sum(t) = total += log_sigmoid(gate);
    }
    for (Index m = 0; m < out.rows(); ++m)
      for (Index n = 0; n <= m; ++n) out(m, n) += (sum(m) - sum(n)) / logit_scale;
    return out;
  }
  model::Bias bias() const {
    model::Bias b;
    b.heads = heads_.count();
    b.value = [c = offset_](Index h, Pos m, Pos n) { return static_cast<double>(m - n) * log_sigmoid(c(h)); };
    b.features = [value = b.value](Index h, Pos m, Pos n, double* phi) { phi[0] = 1, phi[1] = value(h, m, n); };
    b.unknowns = 2;
    b.free = gate_ == Gate::bias_only;
    return b;
  }

  Heads heads_;
  Gate gate_ = Gate::full;
  std::optional<double> decay_min_, decay_max_;
  std::string weight_file_, offset_file_;
  double std_ = 0.02;
  Matrix weights_;
  Vector offset_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_fox() { return std::make_unique<Fox>(); }

}  // namespace posenc::schemes
