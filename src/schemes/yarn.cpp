#include "model/recogniser.hpp"
#include "schemes/bands.hpp"
#include "schemes/factor_list.hpp"
#include "schemes/query_scale.hpp"
#include "schemes/ramp.hpp"
#include "schemes/rotary.hpp"

namespace posenc::schemes {
namespace {

class Yarn : public model::Scheme, public model::Recogniser {
 public:
  model::SchemeInfo info() const override {
    return {"yarn", "YaRN",
            "rope with theta_i (1 - g_i) + theta_i/factor g_i; code: g_i = clamp((i - low)/(high - low), 0, 1), low and high "
            "the pairs that turn beta-fast and beta-slow times within the training length; paper: g linear in those turns. "
            "cos and sin times 0.1 ln(factor) + 1; divisors: theta_i/divisor_i in place of theta_i, the same pairs",
            "Peng 2023 (arXiv 2309.00071) eq. 17-22; code: jquesnelle/yarn, huggingface/transformers modeling_rope_utils.py; "
            "divisors: ggml-org/ggml ggml_rope_ext (freq_factors)"};
  }
  model::Encoding lower(model::Pos sequence) const override {
    const double factor = stretch(factor_, sequence, train_length());
    const Thetas thetas = ramp_.apply(plain(), head_.base, train_length(), factor);
    model::Encoding e = head_.encoding(head_.rotation(frequencies(thetas), sequence == 0 ? 1 : attention_factor(factor)));
    if (sequence != 0 && softmax_mscale_) {
      const double m = yarn_magnitude(factor, *softmax_mscale_);
      e.logit_scale *= m * m;
    }
    if (sequence != 0 && query_beta_ != 0) e.query_scale = stepped_scale(query_beta_, train_length(), 0);
    return e;
  }
  std::vector<model::Proposal> explain(const model::Observation& seen) const override {
    if (!seen.rotation) return {};
    return banded(
        "yarn", seen, [&](double base, const std::vector<double>& ratio) { return ramp_blends(base, ratio); },
        [&](double factor) { return attention_factor_value(seen, yarn_magnitude(factor)); });
  }

 private:
  Fields own_fields() override {
    return join(
        join(head_.fields(), {factor_field(factor_)}),
        join(ramp_.fields(),
             {{"backwards", "1", "ramp=code: beta-fast below beta-slow is taken as it comes, and the blend runs backwards",
               &ramp_.backwards},
              {"divisors", "1",
               "ramp=code: theta_i is divided by these first, as trained too: numbers a/b/c, one a pair, or a file",
               &divisors_.text},
              {"attention-factor", "1", "factor of cos and sin in use", &attention_factor_, above(0), "0.1 ln(factor) + 1"},
              {"mscale", "1",
               "without attention-factor: beside mscale-all-dim, both not 0, the attention factor (0.1 mscale ln f + 1)/(0.1 "
               "mscale-all-dim ln f + 1)",
               &mscale_, at_least(0), "none"},
              {"mscale-all-dim", "1", "without attention-factor: see mscale", &mscale_all_dim_, at_least(0), "none"},
              {"softmax-mscale", "1", "DeepSeek: the logits are multiplied by (0.1 softmax-mscale ln f + 1)^2", &softmax_mscale_,
               at_least(0), "none"},
              {"query-beta", "1", "Ministral 3: queries in use times 1 + query-beta ln(1 + floor(p/original))", &query_beta_,
               at_least(0)}}));
  }
  void finish(const model::Context& context) override {
    head_.resolve("yarn");
    ramp_.check("yarn");
    if (divisors_.text.empty()) return;
    if (ramp_.ramp == Ramp::paper) reject("yarn", "divisors", divisors_.text, "needs ramp=code");
    divisors_.values = divisors_.read(context, "yarn", "divisors", head_.pairs());
  }
  Thetas plain() const {
    Thetas out = geometric(head_.base, head_.rotary_width());
    for (std::size_t i = 0; i < divisors_.values.size(); ++i) out[i] /= divisors_.values[i];
    return out;
  }
  double attention_factor(double factor) const {
    if (attention_factor_) return *attention_factor_;
    if (mscale_.value_or(0) != 0 && mscale_all_dim_.value_or(0) != 0)
      return yarn_magnitude(factor, *mscale_) / yarn_magnitude(factor, *mscale_all_dim_);
    return yarn_magnitude(factor);
  }

  RotaryHead head_;
  std::optional<double> factor_;
  YarnRamp ramp_;
  FactorList divisors_;
  std::optional<double> attention_factor_, mscale_, mscale_all_dim_, softmax_mscale_;
  double query_beta_ = 0;
};

}  // namespace

std::unique_ptr<model::Scheme> make_yarn() { return std::make_unique<Yarn>(); }

}  // namespace posenc::schemes
