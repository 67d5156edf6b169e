#include "core/error.hpp"
#include "model/scheme.hpp"
#include "schemes/head_parameter.hpp"
#include "schemes/limits.hpp"

#include <cmath>

namespace posenc::schemes {
namespace {

using model::Index;
using model::Pos;

enum class Form : int { log, power };
constexpr std::array<std::string_view, 2> forms{"log", "power"};
constexpr double least = 0.01;  // every parameter is kept at or above it

double distance(Pos m, Pos n) { return static_cast<double>(std::abs(m - n)); }
std::size_t at(Index head) { return static_cast<std::size_t>(head); }

class Kerple : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"kerple", "kernelized relative biases",
            "log: b_h(s) = -r1 ln(1 + r2 s); power: b_h(s) = -r1 s^r2; every parameter >= 0.01, the exponent <= 2; composite: "
            "the content logit is also multiplied by exp(-a s^p)",
            "Chi 2022 (arXiv 2205.09921) eq. 4-5; chijames/KERPLE megatron/mpu/layers.py (ranges, composite)"};
  }
  model::Encoding lower(Pos) const override {
    model::Encoding e;
    e.head_dim = e.width = dim_;
    e.heads = *heads_;
    e.logit_scale = 1 / std::sqrt(static_cast<double>(dim_));
    if (composite()) e.terms.push_back(content());
    e.terms.push_back(bias());
    return e;
  }

 private:
  Fields own_fields() override {
    return {{"dim", "channel", "channels of a head", &dim_, widths},
            {"heads", "head", "number of heads", &heads_, head_counts, "the files', or 8"},
            {"form", "1", "logarithmic or power bias", choice(form_, forms)},
            {"r1", "logit", "coefficient, a number or a file by head; drawn from (0, 2) log, (0, 1) power", &r1_.text},
            {"r2", "1", "log: factor of the distance; power: exponent; drawn from (0, 1) log, (0, 2) power", &r2_.text},
            {"weight-a", "1", "composite form: coefficient a of the content's factor, a number or a file", &a_.text},
            {"weight-p", "1", "composite form: exponent p of the content's factor, a number or a file", &p_.text}};
  }
  void prepare(const model::Context& context) override {
    if (a_.text.empty() != p_.text.empty()) throw UsageError("kerple: weight-a and weight-p: must be given together");
    const bool power = form_ == Form::power;
    const double none = std::numeric_limits<double>::infinity();
    struct Use {
      HeadParameter* parameter;
      const char *field, *stream;
      Interval drawn, kept;
    };
    std::vector<Use> uses{{&r1_, "r1", "kerple.r1", {0, power ? 1.0 : 2.0}, {least, none}},
                          {&r2_, "r2", "kerple.r2", {0, power ? 2.0 : 1.0}, {least, power ? 2 : none}}};
    if (composite()) {
      uses.push_back({&a_, "weight-a", "kerple.a", {0, 1}, {least, none}});
      uses.push_back({&p_, "weight-p", "kerple.p", {0, 2}, {least, 2}});
    }
    for (const Use& u : uses) u.parameter->read(context, "kerple", u.field, heads_);
    if (!heads_) heads_ = 8;
    for (const Use& u : uses) u.parameter->fill(context, "kerple", u.field, u.stream, *heads_, u.drawn, u.kept);
  }
  bool composite() const { return !a_.text.empty(); }

  /// The bias divided by -r1.
  static double shape(Form form, double r2, double s) {
    return form == Form::log ? std::log1p(r2 * s) : s == 0 ? 0 : std::pow(s, r2);
  }

  model::Bias bias() const {
    model::Bias b;
    b.heads = *heads_;
    b.value = [form = form_, r1 = r1_.values, r2 = r2_.values](Index h, Pos m, Pos n) {
      return -r1[at(h)] * shape(form, r2[at(h)], distance(m, n));
    };
    b.features = [form = form_, r2 = r2_.values](Index h, Pos m, Pos n, double* phi) {
      phi[0] = 1, phi[1] = -shape(form, r2[at(h)], distance(m, n));
    };
    b.unknowns = 2;
    return b;
  }
  model::Contextual content() const {
    return {[a = a_.values, p = p_.values](const model::Content& c, Index h, Pos) {
              model::Matrix scores = c.q() * c.k().transpose();
              for (Index m = 0; m < scores.rows(); ++m)
                for (Index n = 0; n < scores.cols(); ++n)
                  scores(m, n) *= std::exp(-a[at(h)] * shape(Form::power, p[at(h)], distance(m, n)));
              return scores;
            },
            "the content logit, which it multiplies by a function of the distance"};
  }

  std::int64_t dim_ = 128;
  std::optional<std::int64_t> heads_;
  Form form_ = Form::log;
  HeadParameter r1_, r2_, a_, p_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_kerple() { return std::make_unique<Kerple>(); }

}  // namespace posenc::schemes
