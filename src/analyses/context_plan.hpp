#pragma once
// analyses: what the context measures of a rotary encoding are computed from, and which apply.
#include "model/analysis.hpp"
#include "model/views/spectrum.hpp"

#include <string>
#include <vector>

namespace posenc::analyses {

/// How far bases are searched: not at all, by base_nested alone, or windows too.
enum class BaseScan : int { no, nested, full };

/// Options of the analysis.
struct ContextOptions {
  BaseScan base_scan = BaseScan::no;
  double base_step = 1e-4, base_last = 1e9;
  std::int64_t nested_levels = 5;
  std::vector<double> solve_base;
  std::vector<double> tuned_base = {500000, 1000000};
  std::vector<double> stability = {0.5, 0.9, 0.95};
  std::int64_t layers = 32;
};

struct ContextPlan {
  explicit ContextPlan(const model::Subject& s);

  std::string no_rotation;              // why nothing applies
  std::string no_lag;                   // why the rotation as used is no sum of cosines of the lag
  std::string no_base;                  // why it has no base
  std::string no_bands;                 // why frequencies as trained and as used cannot be compared
  double train_length = 0, length = 0;  // as trained, in use
  model::Pos lags = 0;                  // computed
  model::Spectrum rotated;              // pairs that turn, as used
  std::vector<double> trained, used;    // their frequencies, rad per position
  double base = 0, width = 0;           // of the plain frequencies b^(-2j/d), as trained
  double attention_factor = 1;
  std::vector<double> factors;

  std::int64_t pairs() const { return static_cast<std::int64_t>(width / 2); }
};

/// The sum of cosines over the lags (Men 2024), its first negative value, and the least upper bound of PI (Chen 2023).
void declare_context_curve(const ContextPlan& plan, Schema& out);
void write_context_curve(const ContextPlan& plan, Sink& sink);

/// Closed forms of base, width and length: Liu 2023, Chen 2023, Peng 2023, Ding 2024, Liu 2026.
void declare_context_laws(const ContextPlan& plan, const ContextOptions& options, Schema& out);
void write_context_laws(const ContextPlan& plan, const ContextOptions& options, Sink& sink);

/// Bands of pairs that an extension keeps, blends and divides.
void declare_context_bands(const ContextPlan& plan, Schema& out);
void write_context_bands(const ContextPlan& plan, Sink& sink);

/// Bases that keep the sum of cosines above zero over a length (Men 2024, Su 2024).
void declare_context_bases(const ContextPlan& plan, const ContextOptions& options, Schema& out);
void write_context_bases(const ContextPlan& plan, const ContextOptions& options, Sink& sink);

}  // namespace posenc::analyses
