#include "analyses/extrapolation_noise_fit.hpp"

#include "core/error.hpp"
#include "math/exact_fit.hpp"
#include "math/noise_fit.hpp"
#include "math/quantile.hpp"
#include "model/views/features.hpp"

#include <fmt/format.h>
#include <cmath>
#include <limits>
#include <numeric>

namespace posenc::analyses {
namespace {

constexpr std::array<double, 4> shares{0.05, 0.5, 0.95, 1};
constexpr std::array<const char*, 4> names{"fit_deviation", "fit_largest", "fit_curve", "fit_noise"};

std::vector<math::Turn> turns_of(const ExtrapolationSetting& s) {
  std::vector<math::Turn> out;
  if (const auto spectrum = feature_spectrum(s.trained, 0))
    for (Index j = 0; j < spectrum->rotated; ++j)
      if (spectrum->turn[static_cast<std::size_t>(j)] != math::Turn{}) out.push_back(spectrum->turn[static_cast<std::size_t>(j)]);
  return out;
}

std::string why_not(const ExtrapolationSetting& s, const NoiseFitOptions& o) {
  if (!no_features(s.trained).empty()) return no_features(s.trained);
  const auto spectrum = feature_spectrum(s.trained, 0);
  if (!spectrum || !spectrum->log_damping.empty()) return "the features are not cosines and sines of the lag";
  if (s.traits.has_heads) return "frequencies differ by head";
  if (o.solver == NoiseFit::no) return "a fit to noise: ask with fit = exact or a solver";
  if (turns_of(s).empty()) return "no pair turns";
  if (s.length < 2 * static_cast<Pos>(turns_of(s).size())) return "fewer training lags than coefficients";
  return {};
}

std::vector<double> lags_of(const ExtrapolationSetting& s, const NoiseFitOptions& o) {
  const auto L = static_cast<double>(s.length);
  return o.lags.empty() ? std::vector<double>{0, std::floor(L / 2), L - 1, L, L + 1, L + std::floor(L / 8), 2 * L - 1} : o.lags;
}

}  // namespace

Fields noise_fit_fields(NoiseFitOptions& o) {
  return {
      {"fit", "1",
       "fit of the trained features to white noise (position interpolation, fig. 2): in exact arithmetic, or by the solver "
       "named, whose rounding decides where the system is singular",
       choice(o.solver, noise_fit_words)},
      {"ridge", "1", "fit=ridge: added to the diagonal of the normal equations", &o.ridge, above(0)},
      {"fit-draws", "1", "draws of noise behind fit_largest", &o.draws, between(1, 10000)},
      {"fit-lags", "position", "fit=exact: lags of fit_deviation; default: around L/2, L and 2L", &o.lags, between(0, 0x1p53)}};
}

void declare_noise_fit(const ExtrapolationSetting& s, const NoiseFitOptions& o, Schema& out) {
  const std::string why = why_not(s, o);
  const bool exact = o.solver == NoiseFit::exact;
  for (const char* name : names)
    if (const bool of_exact = name == names.front(); !why.empty())
      out.skip(name, why);
    else if (of_exact != exact)
      out.skip(name, of_exact ? "fit is not exact" : "fit=exact draws no noise");
  if (!why.empty()) return;
  const std::vector<Attribute> how{{"solver", std::string(noise_fit_words[static_cast<std::size_t>(o.solver)])}};
  if (exact) {
    for (const double lag : lags_of(s, o))
      if (lag != std::floor(lag)) throw UsageError(fmt::format("extrapolation: fit-lags = {}: must be whole", number_text(lag)));
    out.axis({"fit_lag", lags_of(s, o).size()}, Type::i64, "position", "lag at which the fit is looked at");
    out.add({"fit_deviation",
             Type::f64,
             {"fit_lag"},
             "1",
             "standard deviation of the least-squares fit to unit white noise on the training lags, no regularisation, "
             "360-digit arithmetic; NaN where frequencies coincide",
             how});
    return;
  }
  out.axis({"quantile", shares.size()}, Type::f64, "1", "share of the draws at or below");
  out.add({"fit_largest",
           Type::f64,
           {"quantile"},
           "1",
           "quantile over draws of max |a(s)| over L <= s < 2L, a fitted to unit white noise at s < L",
           {{"solver", how[0].value}, {"draws", o.draws}, {"ridge", o.solver == NoiseFit::ridge ? o.ridge : 0.0}}});
  out.axis({"fit_position", static_cast<std::uint64_t>(2 * s.length)}, Type::i64, "position", "lag of a fitted curve");
  out.add({"fit_curve", Type::f64, {"fit_position"}, "1", "a(s) of the first draw", how});
  out.add({"fit_noise", Type::f64, {"fit_position"}, "1", "the noise of the first draw; NaN beyond the training length", {}});
}

void write_noise_fit(const ExtrapolationSetting& s, const NoiseFitOptions& o, std::int64_t sample_seed, Sink& sink) {
  if (!why_not(s, o).empty()) return;
  const std::vector<math::Turn> turns = turns_of(s);
  if (o.solver == NoiseFit::exact) {
    const std::vector<double> lags = lags_of(s, o);
    const std::vector<std::int64_t> at(lags.begin(), lags.end());
    sink.write("fit_lag", 0, lags);
    sink.write("fit_deviation", 0, math::exact_fit_deviation(turns, s.length, at));
    return;
  }
  const auto solver = static_cast<math::FitSolver>(static_cast<int>(o.solver) - static_cast<int>(NoiseFit::normal_f32));
  math::NoiseFits fits = math::fit_noise(turns, s.length, solver, o.ridge, o.draws, static_cast<std::uint64_t>(sample_seed));
  std::vector<double> largest(shares.size()), position(static_cast<std::size_t>(2 * s.length));
  math::quantiles(fits.largest.data(), 1, o.draws, shares, largest.data());
  std::iota(position.begin(), position.end(), 0.0);
  fits.data.resize(position.size(), std::numeric_limits<double>::quiet_NaN());
  sink.write("quantile", 0, shares);
  sink.write("fit_largest", 0, largest);
  sink.write("fit_position", 0, position);
  sink.write("fit_curve", 0, fits.curve);
  sink.write("fit_noise", 0, fits.data);
}

}  // namespace posenc::analyses
