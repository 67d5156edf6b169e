#include "model/recogniser.hpp"
#include "schemes/estimates.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/query_scale.hpp"
#include "schemes/rotary.hpp"

#include <algorithm>

namespace posenc::schemes {
namespace {

using model::Pos;

enum class Rule : int { linear, stepwise, fixed, alpha };
constexpr std::array<std::string_view, 4> rules{"linear", "stepwise", "fixed", "alpha"};

class DynamicNtk : public model::Scheme, public model::Recogniser {
 public:
  model::SchemeInfo info() const override {
    return {
        "dynamic-ntk", "dynamic NTK scaling",
        "rope with base' = base alpha^(d/(d-2)), linear: alpha = factor N/L - (factor - 1) for N tokens beyond the "
        "training length L, 1 within; stepwise: alpha = 2^ceil(log2(N/L) + 1) - 1; fixed: alpha = factor^2 - factor + 1 at every "
        "length in use, the linear rule's at factor L; alpha: alpha = factor, as trained too",
        "emozilla 2023; huggingface/transformers modeling_rope_utils.py (dynamic); stepwise: QwenLM/Qwen modeling_qwen.py; "
        "fixed and alpha: vllm-project/vllm DynamicNTKScalingRotaryEmbedding, DynamicNTKAlphaRotaryEmbedding (HunYuan)"};
  }
  model::Encoding lower(Pos sequence) const override {
    const math::Real base = ntk_base(head_.base, alpha(sequence), head_.rotary_width());
    model::Encoding e = head_.encoding(head_.rotation(frequencies(geometric(base, head_.rotary_width()))));
    if (log_scale_ && sequence != 0) e.query_scale = log_scale(train_length());
    return e;
  }
  /// alpha = factor N/L - (factor - 1) has many solutions: those in which factor and N/L are powers of two, at L = 4096.
  std::vector<model::Proposal> explain(const model::Observation& seen) const override {
    std::vector<model::Proposal> out;
    if (!seen.rotation) return out;
    for (const auto& [base, alpha] : stretched_bases(seen)) {
      for (const double factor : {2, 4, 8, 16, 32})
        for (const double ratio : {2, 4, 8, 16, 32, 64})
          if (factor * ratio - (factor - 1) == alpha) {
            out.push_back(rotary_proposal("dynamic-ntk", seen,
                                          {{"base", plain_text(base)}, {"factor", plain_text(factor)}, {"original", "4096"}},
                                          "the ratio of the two lengths is what shows"));
            out.back().in_use = static_cast<Pos>(4096 * ratio);
          }
      out.push_back(
          rotary_proposal("dynamic-ntk", seen, {{"base", plain_text(base)}, {"factor", plain_text(alpha)}, {"rule", "alpha"}}));
    }
    return out;
  }

 private:
  Fields own_fields() override {
    return join(head_.fields(),
                {{"factor", "1", "rule=linear|fixed|alpha: slope of alpha in the length in use (linear); see formula", &factor_,
                  above(0)},
                 {"rule", "1", "how alpha follows the length in use", choice(rule_, rules)},
                 {"log-scale", "1", "queries in use times max(1, ln(p + 1)/ln(original)) (log-n attention)", &log_scale_}});
  }
  void finish(const model::Context&) override {
    head_.resolve("dynamic-ntk");
    head_.require_two_pairs("dynamic-ntk");
    if (log_scale_ && train_length() < 2) reject("dynamic-ntk", "log-scale", "true", "needs original >= 2");
  }
  math::Real alpha(Pos sequence) const {
    const math::Real factor = factor_;
    if (rule_ == Rule::alpha) return factor;
    if (rule_ == Rule::fixed) return sequence == 0 ? math::Real(1) : math::Real(factor * factor - factor + 1);
    const Pos length = std::max(sequence, train_length());
    if (rule_ == Rule::linear) return factor * length / train_length() - (factor - 1);
    math::Real power = 2;  // 2^(steps + 1), steps = ceil(log2(length / train_length))
    for (math::Real reach = train_length(); reach < length; reach *= 2) power *= 2;
    return power - 1;
  }

  RotaryHead head_;
  double factor_ = 1;
  Rule rule_ = Rule::linear;
  bool log_scale_ = false;
};

}  // namespace

std::unique_ptr<model::Scheme> make_dynamic_ntk() { return std::make_unique<DynamicNtk>(); }

}  // namespace posenc::schemes
