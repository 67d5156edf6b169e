#pragma once
// analyses: fits of an encoding's cosines and sines to white noise, with the solver named (Chen 2023, arXiv 2306.15595, fig. 2).
#include "analyses/extrapolation_setting.hpp"

#include <array>

namespace posenc::analyses {

/// no, exact, then the solvers of math/noise_fit.hpp.
enum class NoiseFit : int { no, exact, normal_f32, normal_f64, svd, ridge };
inline constexpr std::array<std::string_view, 6> noise_fit_words{"no", "exact", "normal-f32", "normal-f64", "svd", "ridge"};

struct NoiseFitOptions {
  NoiseFit solver = NoiseFit::no;
  double ridge = 0.001;
  std::int64_t draws = 200;
  std::vector<double> lags;  // of fit_deviation; empty: 0, L/2, L - 1, L, L + 1, L + L/8, 2L - 1
};

Fields noise_fit_fields(NoiseFitOptions& options);
/// Declares the variables, or why each does not apply.
void declare_noise_fit(const ExtrapolationSetting& s, const NoiseFitOptions& o, Schema& out);
/// Writes them, if any.
void write_noise_fit(const ExtrapolationSetting& s, const NoiseFitOptions& o, std::int64_t sample_seed, Sink& sink);

}  // namespace posenc::analyses
