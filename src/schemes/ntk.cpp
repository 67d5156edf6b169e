#include "model/scheme.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/rotary.hpp"

namespace posenc::schemes {
namespace {

using math::Real;

enum class Form : int { aware, fixed, mixed };
constexpr std::array<std::string_view, 3> forms{"aware", "fixed", "mixed"};

class Ntk : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"ntk", "NTK-aware scaling",
            "aware: rope with base' = base factor^(d/(d-2)), d the rotated channels: the slowest pair is exactly factor times "
            "slower; fixed: base' = base factor, then every frequency over factor^(2/d): the slowest pair over the factor, the "
            "fastest over factor^(2/d); mixed: theta_i / exp(a (i+1)^b), a = ln(factor)/(d/2)^b, b = exponent",
            "bloc97 2023; Peng 2023 (arXiv 2309.00071) eq. 16; fixed and mixed: Su 2023 (kexue.fm 9706), vllm-project/vllm "
            "NTKScalingRotaryEmbedding"};
  }
  model::Encoding lower(model::Pos sequence) const override {
    return head_.encoding(head_.rotation(frequencies(scaled(stretch(factor_, sequence, train_length())))));
  }

 private:
  Fields own_fields() override {
    return join(head_.fields(),
                {factor_field(factor_),
                 {"form", "1", "how the factor is spread over the pairs", choice(form_, forms)},
                 {"exponent", "1", "form=mixed: b; 1 spreads ln(factor) evenly, as the base does", &exponent_, above(0)}});
  }
  void finish(const model::Context&) override {
    head_.resolve("ntk");
    if (form_ == Form::aware) head_.require_two_pairs("ntk");
  }
  Thetas scaled(const Real& factor) const {
    const model::Index d = head_.rotary_width();
    if (form_ == Form::aware) return geometric(ntk_base(head_.base, factor, d), d);
    Thetas out = geometric(form_ == Form::fixed ? Real(head_.base * factor) : Real(head_.base), d);
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] /= form_ == Form::fixed ? Real(exp(2 * log(factor) / d))
                                     : Real(exp(log(factor) * pow(Real(2 * (i + 1)) / d, Real(exponent_))));
    return out;
  }

  RotaryHead head_;
  std::optional<double> factor_;
  Form form_ = Form::aware;
  double exponent_ = 0.625;
};

}  // namespace

std::unique_ptr<model::Scheme> make_ntk() { return std::make_unique<Ntk>(); }

}  // namespace posenc::schemes
