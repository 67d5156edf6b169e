#include "model/recogniser.hpp"
#include "schemes/estimates.hpp"
#include "schemes/factor_list.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/ramp.hpp"
#include "schemes/rotary.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::schemes {
namespace {

using math::Real;
using model::Pos;

enum class Magnitude : int { su, yarn };
constexpr std::array<std::string_view, 2> magnitudes{"su", "yarn"};

class Longrope : public model::Scheme, public model::Recogniser {
 public:
  model::SchemeInfo info() const override {
    return {"longrope", "LongRoPE",
            "rope with theta_i/lambda_i, lambda the short list up to the training length L and the long one beyond; cos and "
            "sin times A, su: A = sqrt(1 + ln(factor)/ln(L)), yarn: 0.1 ln(factor) + 1; positions below start-tokens keep the "
            "plain rotation; dynamic: lambda' = 1 + (lambda - 1)(N/L - 1)/(factor - 1) at N tokens",
            "Ding 2024 (arXiv 2402.13753) eq. 3; microsoft/LongRoPE rope/longrope.py; two lists: huggingface/transformers "
            "modeling_rope_utils.py (longrope)"};
  }
  model::Encoding lower(Pos sequence) const override {
    const Thetas plain = geometric(head_.base, head_.rotary_width());
    if (sequence == 0) return head_.encoding(head_.rotation(frequencies(plain)));
    const double factor = stretch(factor_, sequence, train_length());
    const FactorList& list = sequence > train_length() || short_.text.empty() ? long_ : short_;
    Thetas thetas;
    for (std::size_t i = 0; i < plain.size(); ++i) {
      Real lambda = list.values.empty() ? factor : list.values[i];
      if (dynamic_) lambda = 1 + (lambda - 1) * progress(sequence, factor);
      thetas.push_back(plain[i] / lambda);
    }
    model::Rotary r = head_.rotation(frequencies(thetas), attention_factor(factor));
    if (start_tokens_ > 0) r.early_until = start_tokens_, r.early = frequencies(plain);
    return head_.encoding(std::move(r));
  }
  /// Divisors can be told only where they are round: all of at most three decimals over a usual base.
  std::vector<model::Proposal> explain(const model::Observation& seen) const override {
    std::vector<model::Proposal> out;
    if (!seen.rotation || seen.frequency.size() < 4) return out;
    for (const double base : usual_bases()) {
      const std::string list = round_divisors(seen, plain(seen, base));
      if (list.empty()) continue;
      const Values factor = attention_factor_value(seen, 1);
      const Values one{{"attention-factor", "1"}};
      out.push_back(rotary_proposal("longrope", seen,
                                    join_values({{"base", plain_text(base)}, {"factors", list}}, !seen.amplitude  ? Values{}
                                                                                                 : factor.empty() ? one
                                                                                                                  : factor)));
    }
    return out;
  }

 private:
  /// plain_j / theta_j as a/b/c; empty where one is not round within its uncertainty, or they are one number.
  static std::string round_divisors(const model::Observation& seen, const std::vector<double>& plain) {
    std::string out;
    double least = 1e300, most = 0;
    for (std::size_t j = 0; j < plain.size(); ++j) {
      const double t = seen.frequency[j];
      if (!(t > 0)) return {};
      const double x = plain[j] / t, off = x * std::max(seen.uncertainty[j] / t, 5e-7), round = std::round(x * 1000) / 1000;
      if (off > 5e-5 || round < 0.5 || std::abs(x - round) > 2 * off) return {};
      least = std::min(least, round), most = std::max(most, round);
      out += (j ? "/" : "") + number_text(round);
    }
    return most - least > 1e-9 ? out : std::string();
  }
  Fields own_fields() override {
    return join(head_.fields(),
                {factor_field(factor_),
                 {"factors", "1", "the list lambda at every length: numbers a/b/c or a file; absent: the factor for every pair",
                  &factors_.text},
                 {"short", "1", "the list within the training length, numbers a/b/c or a file", &short_.text},
                 {"long", "1", "the list beyond the training length, numbers a/b/c or a file", &long_.text},
                 {"attention", "1", "without attention-factor: law of the attention factor", choice(magnitude_, magnitudes)},
                 {"attention-factor", "1", "factor of cos and sin in use", &attention_factor_, above(0),
                  "by attention, 1 for a factor <= 1"},
                 {"start-tokens", "position", "positions below it keep the plain rotation", &start_tokens_, between(0, 0x1p53)},
                 {"dynamic", "1", "the lists grow with the length in use and are reached at factor times the training length",
                  &dynamic_}});
  }
  void finish(const model::Context& context) override {
    head_.resolve("longrope");
    if (!factors_.text.empty() && !(short_.text.empty() && long_.text.empty()))
      reject("longrope", "factors", factors_.text, "must not be given beside short and long");
    if (short_.text.empty() != long_.text.empty())
      reject("longrope", short_.text.empty() ? "long" : "short", short_.text + long_.text, "needs short and long both");
    if (!factors_.text.empty()) long_.values = factors_.read(context, "longrope", "factors", head_.pairs());
    if (!long_.text.empty()) long_.values = long_.read(context, "longrope", "long", head_.pairs());
    if (!short_.text.empty()) short_.values = short_.read(context, "longrope", "short", head_.pairs());
    if (train_length() < 2) reject("longrope", "original", "1", "must be >= 2: A divides by ln(original)");
    if (dynamic_ && !factor_) reject("longrope", "dynamic", "true", "needs a factor: the length where the lists are reached");
  }
  /// Share of the way from the training length to factor times it.
  Real progress(Pos sequence, double factor) const {
    const Real way = (Real(sequence) / train_length() - 1) / (Real(factor) - 1);
    return factor <= 1 || way < 0 ? Real(0) : way > 1 ? Real(1) : way;
  }
  double attention_factor(double factor) const {
    if (attention_factor_) return *attention_factor_;
    if (factor <= 1) return 1;
    return magnitude_ == Magnitude::yarn ? yarn_magnitude(factor)
                                         : std::sqrt(1 + std::log(factor) / std::log(static_cast<double>(train_length())));
  }

  RotaryHead head_;
  std::optional<double> factor_, attention_factor_;
  FactorList factors_, short_, long_;
  Magnitude magnitude_ = Magnitude::su;
  std::int64_t start_tokens_ = 0;
  bool dynamic_ = false;
};

}  // namespace

std::unique_ptr<model::Scheme> make_longrope() { return std::make_unique<Longrope>(); }

}  // namespace posenc::schemes
