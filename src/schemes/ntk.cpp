#include "model/recogniser.hpp"
#include "schemes/estimates.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/rotary.hpp"

#include <cmath>

namespace posenc::schemes {
namespace {

using math::Real;

enum class Form : int { aware, fixed, mixed };
constexpr std::array<std::string_view, 3> forms{"aware", "fixed", "mixed"};

class Ntk : public model::Scheme, public model::Recogniser {
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
  std::vector<model::Proposal> explain(const model::Observation& seen) const override {
    if (!seen.rotation || seen.frequency.size() < 2) return {};
    std::vector<model::Proposal> out;
    const double d = 2 * static_cast<double>(seen.frequency.size());
    for (const auto& [base, factor] : stretched_bases(seen))
      out.push_back(rotary_proposal("ntk", seen, {{"base", plain_text(base)}, {"factor", plain_text(factor)}}));
    if (const auto g = geometric_fit(seen, 0, seen.frequency.size() - 1, false); g && g->scale < 1 - 1e-4) {
      const double factor = std::pow(g->scale, -d / 2), off = g->scale_off * d / 2;
      for (const std::string& word : near_factor(factor, off))
        for (const std::string& base : near_base(g->base / factor, g->base_off + off))
          out.push_back(rotary_proposal("ntk", seen, {{"base", base}, {"factor", word}, {"form", "fixed"}}));
    }
    const auto mixed = explain_mixed(seen);
    out.insert(out.end(), mixed.begin(), mixed.end());
    return out;
  }

 private:
  /// The default exponent: ln theta_j = -(2j/d) ln base - (2(j + 1)/d)^0.625 ln factor, by its first pair and its last.
  static std::vector<model::Proposal> explain_mixed(const model::Observation& seen) {
    const double pairs = static_cast<double>(seen.frequency.size()), first = seen.frequency.front(), last = seen.frequency.back();
    if (!(first > 0 && last > 0 && first < 1)) return {};
    const double log_factor = -std::log(first) / std::pow(1 / pairs, 0.625);
    const double base = std::exp(-(std::log(last) + log_factor) * pairs / (pairs - 1)), factor = std::exp(log_factor);
    std::vector<model::Proposal> out;
    if (factor < 1.01) return out;
    for (const std::string& word : near_factor(factor, 0))
      for (const std::string& base_word : near_base(base, 0)) {
        const double b = parse_number("base", base_word), f = std::log(parse_number("factor", word));
        std::vector<double> thetas = plain(seen, b);
        for (std::size_t j = 0; j < thetas.size(); ++j)
          thetas[j] *= std::exp(-f * std::pow((static_cast<double>(j) + 1) / pairs, 0.625));
        if (distance(seen, thetas) < 0.01)
          out.push_back(rotary_proposal("ntk", seen, {{"base", base_word}, {"factor", word}, {"form", "mixed"}}));
      }
    return out;
  }
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
