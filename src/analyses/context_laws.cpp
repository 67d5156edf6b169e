#include "analyses/context_plan.hpp"
#include "math/formats.hpp"
#include "math/power_law.hpp"

#include <cmath>
#include <numbers>

namespace posenc::analyses {
namespace {

using namespace model;
using std::numbers::pi;

/// Men 2024 (arXiv 2405.14591), the base bound table: lengths in thousands, bases as printed.
constexpr std::array men_length{1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0};
constexpr std::array men_base{4.3e3, 1.6e4, 2.7e4, 8.4e4, 3.1e5, 6.4e5, 2.1e6, 7.8e6, 3.6e7, 6.4e7, 5.1e8};
constexpr std::array kilos{1000.0, 1024.0};
constexpr std::array<const char*, 3> dtypes{"fp32", "fp16", "bf16"};
constexpr std::array<const math::BinaryFormat*, 3> formats{&math::f32_format, &math::f16_format, &math::bf16_format};

/// Men's table with 1k = kilo; the 11th length is 1M = kilo^2.
math::PowerLaw published_power_law(double kilo) {
  std::array<double, men_length.size()> lengths;
  for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = kilo * (i + 1 < lengths.size() ? men_length[i] : kilo);
  return math::power_law(lengths, men_base);
}

double critical_dimension(const ContextPlan& p, bool ceiled) {
  const double pairs = p.width / 2 * std::log(p.train_length / (2 * pi)) / std::log(p.base);
  return 2 * (ceiled ? std::ceil(pairs - 1e-14) : pairs);
}

struct Law {
  const char* name;
  const char* dim;
  const char* unit;
  const char* about;
  bool needs_base;
  /// At element i of the dimension.
  std::function<double(const ContextPlan&, const ContextOptions&, std::size_t i)> value;
};

const std::vector<Law>& laws() {
  using P = ContextPlan;
  using O = ContextOptions;
  static const std::vector<Law> all{
      {"rotary_base", "", "1", "b of the frequencies b^(-2j/d) as trained, d the width of the pairs that turn", true,
       [](const P& p, const O&, std::size_t) { return p.base; }},
      {"rotary_width", "", "1", "d", false, [](const P& p, const O&, std::size_t) { return p.width; }},
      {"critical_dimension", "", "1",
       "2 ceil((d/2) log_b(T/2pi)), T the training length: channels whose pairs complete a turn in training (Liu 2023, arXiv "
       "2310.05209)",
       true, [](const P& p, const O&, std::size_t) { return critical_dimension(p, true); }},
      {"critical_dimension_unceiled", "", "1", "the same without the ceiling", true,
       [](const P& p, const O&, std::size_t) { return critical_dimension(p, false); }},
      {"beta1", "", "1", "2N/pi, N the length in use: below it every pair of a tuned base reaches a quarter turn (Liu 2023)",
       false, [](const P& p, const O&, std::size_t) { return 2 * p.length / pi; }},
      {"beta2", "", "1", "N/pi: half a turn", false, [](const P& p, const O&, std::size_t) { return p.length / pi; }},
      {"beta3", "", "1", "N/2pi: a turn", false, [](const P& p, const O&, std::size_t) { return p.length / (2 * pi); }},
      {"critical_base", "factor", "1",
       "b^(log_{T/2pi}(factor T/2pi)): base to tune for factor times the training length, the critical dimension not rounded "
       "(Liu "
       "2023)",
       true,
       [](const P& p, const O&, std::size_t i) {
         const double turns = p.train_length / (2 * pi);
         return std::exp(std::log(p.base) * std::log(p.factors[i] * turns) / std::log(turns));
       }},
      {"critical_base_ceiled", "factor", "1", "(factor T/2pi)^(d/critical_dimension)", true,
       [](const P& p, const O&, std::size_t i) {
         return std::exp(std::log(p.factors[i] * p.train_length / (2 * pi)) * p.width / critical_dimension(p, true));
       }},
      {"tuned_extent", "tuned_base", "position",
       "2pi beta^(critical_dimension/d): length that a larger tuned base beta bears (Liu 2023)", true,
       [](const P& p, const O& o, std::size_t i) {
         return 2 * pi * std::exp(std::log(o.tuned_base[i]) * critical_dimension(p, true) / p.width);
       }},
      {"tuned_extent_unceiled", "tuned_base", "position", "the same with the critical dimension not rounded", true,
       [](const P& p, const O& o, std::size_t i) {
         return 2 * pi * std::exp(std::log(o.tuned_base[i]) * critical_dimension(p, false) / p.width);
       }},
      {"interpolation_constant", "", "1", "32 ln b: the divisor printed in PI eq. 7 (Chen 2023, arXiv 2306.15595)", true,
       [](const P& p, const O&, std::size_t) { return 32 * std::log(p.base); }},
      {"interpolation_bound_printed", "", "1",
       "d/(32 ln b): PI eq. 7 at the midpoint of two positions, max |h_j| = 1; its proof turns c^x >= 1 + x ln c around, and "
       "interpolation_counterexample exceeds it",
       true, [](const P& p, const O&, std::size_t) { return p.width / (32 * std::log(p.base)); }},
      {"interpolation_bound_corrected", "", "1", "1/(8 (1 - b^(-4/d))): a bound that holds, from sum t_j^2 < 1/(1 - b^(-4/d))",
       true, [](const P& p, const O&, std::size_t) { return -1 / (8 * std::expm1(-4 * std::log(p.base) / p.width)); }},
      {"interpolation_counterexample", "", "1",
       "sum (1 - cos(t_j/2)): deviation at 1/2 of h_j = e^(-i t_j/2) interpolated from 0 and 1", true,
       [](const P& p, const O&, std::size_t) {
         double sum = 0;
         for (const double t : p.trained) sum += 2 * std::pow(std::sin(t / 4), 2);
         return sum;
       }},
      {"interpolation_ratio_printed", "", "1", "2d over the bound as printed (64 ln b): PI's `at least 600 times`", true,
       [](const P& p, const O&, std::size_t) { return 64 * std::log(p.base); }},
      {"interpolation_ratio_corrected", "", "1", "2d over the corrected bound", true,
       [](const P& p, const O&, std::size_t) { return -16 * p.width * std::expm1(-4 * std::log(p.base) / p.width); }},
      {"attention_factor_in_use", "", "1", "factor of cosines and sines of the encoding in use", false,
       [](const P& p, const O&, std::size_t) { return p.attention_factor; }},
      {"temperature", "", "1", "1 / attention_factor_in_use^2: YaRN's t of softmax(q.k / (t sqrt d))", false,
       [](const P& p, const O&, std::size_t) { return 1 / (p.attention_factor * p.attention_factor); }},
      {"attention_factor_yarn", "factor", "1", "0.1 ln(factor) + 1 (Peng 2023, arXiv 2309.00071, eq. 22)", false,
       [](const P& p, const O&, std::size_t i) { return 0.1 * std::log(p.factors[i]) + 1; }},
      {"attention_factor_longrope", "factor", "1", "sqrt(1 + ln(factor)/ln(T)) (Ding 2024, arXiv 2402.13753)", false,
       [](const P& p, const O&, std::size_t i) { return std::sqrt(1 + std::log(p.factors[i]) / std::log(p.train_length)); }},
      {"alias_base", "", "1", "N/2pi: the slowest pair of a larger base does not complete a turn (Liu 2026, arXiv 2602.10959)",
       false, [](const P& p, const O&, std::size_t) { return p.length / (2 * pi); }},
      {"stability_base", "stability", "1", "N/arccos(stability): a larger base keeps the slowest cosine above it (Liu 2026)",
       false, [](const P& p, const O& o, std::size_t i) { return p.length / std::acos(o.stability[i]); }},
      {"stability_base_deep", "stability", "1", "N/arccos(stability^(1/layers)): the same through all layers (Liu 2026)", false,
       [](const P& p, const O& o, std::size_t i) {
         return p.length / std::acos(std::pow(o.stability[i], 1 / static_cast<double>(o.layers)));
       }},
      {"precision_base", "dtype", "1", "1/eps of the format: a larger base loses its slowest pair in it (Liu 2026)", false,
       [](const P&, const O&, std::size_t i) { return std::ldexp(1.0, formats[i]->digits - 1); }},
      {"power_law_coefficient", "kilo", "1",
       "a of base = a length^c fitted to Men's published table of 11 lengths, 1k = kilo positions and 1M = kilo^2 (Men 2024, "
       "arXiv "
       "2405.14591: 0.0424)",
       false, [](const P&, const O&, std::size_t i) { return published_power_law(kilos[i]).coefficient; }},
      {"power_law_exponent", "kilo", "1", "c of that fit (Men 2024: 1.628)", false,
       [](const P&, const O&, std::size_t i) { return published_power_law(kilos[i]).exponent; }},
      {"power_law_base", "kilo", "1", "base that the fit gives for the length in use", false,
       [](const P& p, const O&, std::size_t i) {
         const math::PowerLaw law = published_power_law(kilos[i]);
         return law.coefficient * std::pow(p.length, law.exponent);
       }},
  };
  return all;
}

/// Why the law does not apply; empty: it does.
std::string why_not(const Law& law, const ContextPlan& p) {
  if (!p.no_rotation.empty()) return p.no_rotation;
  if (law.needs_base && !p.no_base.empty()) return p.no_base;
  const std::string_view name = law.name;
  const bool by_turns = name.starts_with("critical_") || name.starts_with("tuned_");
  if (by_turns && !(p.train_length > 2 * pi)) return "the training length is less than a turn of the fastest pair";
  if (name == "attention_factor_longrope" && !(p.train_length > 1)) return "divides by ln of the training length";
  return {};
}

std::size_t size_of(std::string_view dim, const ContextPlan& p, const ContextOptions& o) {
  return dim == "factor"       ? p.factors.size()
         : dim == "tuned_base" ? o.tuned_base.size()
         : dim == "stability"  ? o.stability.size()
         : dim == "dtype"      ? dtypes.size()
         : dim == "kilo"       ? kilos.size()
                               : 1;
}

}  // namespace

void declare_context_laws(const ContextPlan& p, const ContextOptions& o, Schema& out) {
  const auto axis = [&](const std::string& dim) {
    const char* about = dim == "factor"       ? "length over the training length"
                        : dim == "tuned_base" ? "base of a tuned model"
                        : dim == "stability"  ? "least cosine of the slowest pair"
                        : dim == "dtype"      ? "storage format"
                                              : "positions of 1k";
    out.axis({dim, size_of(dim, p, o)}, dim == "dtype" ? Type::text : Type::f64, "1", about);
  };
  for (const Law& law : laws()) {
    if (const std::string why = why_not(law, p); !why.empty()) {
      out.skip(law.name, why);
      continue;
    }
    std::vector<std::string> dims;
    if (*law.dim) dims.emplace_back(law.dim), axis(law.dim);
    out.add({law.name, Type::f64, std::move(dims), law.unit, law.about, {}});
  }
}

void write_context_laws(const ContextPlan& p, const ContextOptions& o, Sink& sink) {
  if (!p.no_rotation.empty()) return;
  sink.write("factor", 0, p.factors);
  sink.write("stability", 0, o.stability);
  sink.write("kilo", 0, kilos);
  sink.write_text("dtype", 0, std::vector<std::string>(dtypes.begin(), dtypes.end()));
  if (p.no_base.empty() && p.train_length > 2 * pi) sink.write("tuned_base", 0, o.tuned_base);
  for (const Law& law : laws()) {
    if (!why_not(law, p).empty()) continue;
    std::vector<double> values;
    for (std::size_t i = 0; i < size_of(law.dim, p, o); ++i) values.push_back(law.value(p, o, i));
    sink.write(law.name, 0, values);
  }
}

}  // namespace posenc::analyses
