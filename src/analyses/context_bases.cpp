#include "analyses/context_plan.hpp"
#include "math/base_windows.hpp"
#include "math/power_law.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace posenc::analyses {
namespace {

using namespace model;

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr double short_search = 0x1p24;  // lags times pairs up to which bases of two digits are always tried: some 10 ms
constexpr std::array of_scan{"base_low", "base_high", "base_infimum", "base_all_above"};
constexpr std::array of_solve{"solve_base_nested", "solve_base_two_digits"};
constexpr std::array of_solve_scan{"solve_base_infimum", "solve_base_all_above"};
constexpr std::array of_fit{"solve_power_law_coefficient", "solve_power_law_exponent"};

/// Reasons why searches are left out; empty: they run.
std::string why_no_scan(const ContextPlan& p, const ContextOptions& o) {
  if (!p.no_base.empty()) return p.no_base;
  return o.base_scan == BaseScan::full ? "" : "a search of seconds to a minute: ask with base-scan = full";
}
std::string why_no_nested(const ContextPlan& p, const ContextOptions& o) {
  if (!p.no_base.empty()) return p.no_base;
  return o.base_scan != BaseScan::no ? "" : "a search of up to seconds: ask with base-scan = nested";
}
std::string why_no_two_digits(const ContextPlan& p, const ContextOptions& o) {
  if (!p.no_base.empty()) return p.no_base;
  return o.base_scan != BaseScan::no || p.length * p.width / 2 <= short_search
             ? ""
             : "a search of seconds: ask with base-scan = nested";
}
std::string why_no_solve(const ContextPlan& p, const ContextOptions& o) {
  if (!p.no_base.empty()) return p.no_base;
  return o.solve_base.empty() ? "no lengths: name them with solve-base" : "";
}
std::string why_no_fit(const ContextPlan& p, const ContextOptions& o) {
  if (const std::string why = why_no_solve(p, o); !why.empty()) return why;
  const auto [low, high] = std::minmax_element(o.solve_base.begin(), o.solve_base.end());
  return *low < *high ? "" : "needs two different lengths";
}

std::vector<math::BaseWindow> windows_of(const ContextPlan& p, const ContextOptions& o, double length) {
  return math::base_windows(p.pairs(), static_cast<std::int64_t>(length), {.last = o.base_last, .step = o.base_step});
}
double infimum(const std::vector<math::BaseWindow>& w) { return w.empty() ? none : w.front().low; }
double all_above(const std::vector<math::BaseWindow>& w) {
  return w.empty() || std::isfinite(w.back().high) ? none : w.back().low;
}
double nested(const ContextPlan& p, const ContextOptions& o, double length) {
  return math::nested_grid_base(p.pairs(), static_cast<std::int64_t>(length), static_cast<int>(o.nested_levels)).value_or(none);
}
double two_digits(const ContextPlan& p, double length) {
  return math::two_digit_base(p.pairs(), static_cast<std::int64_t>(length)).value_or(none);
}

constexpr const char* about_infimum = "least base of the windows found";
constexpr const char* about_above = "least base from which all larger ones up to base-last hold; NaN: base-last does not";
constexpr const char* about_nested =
    "Su 2024 (kexue.fm/archives/10122): first base that holds on grids of 10, 100, ... 10^nested-levels parts, each of the base "
    "before, from 1000 times the length; NaN: that does not hold";
constexpr const char* about_two_digits = "least base of two significant digits that holds (the enumeration behind Men's table)";

}  // namespace

void declare_context_bases(const ContextPlan& p, const ContextOptions& o, Schema& out) {
  const std::vector<Attribute> grid{{"grid_first", 1.5}, {"grid_last", o.base_last}, {"grid_step_ln_base", o.base_step}};
  const std::vector<Attribute> levels{{"nested_levels", o.nested_levels}};
  const auto skip = [&](const auto& names, const std::string& why) {
    for (const char* name : names) out.skip(name, why);
  };
  const std::string no_scan = why_no_scan(p, o), no_nested = why_no_nested(p, o), no_two_digits = why_no_two_digits(p, o);
  if (no_scan.empty()) {
    out.axis({"window", 0, true}, Type::i64, "1",
             "interval of bases whose score_gap is nowhere negative below the length in use");
    out.add({"base_low", Type::f64, {"window"}, "1", "its lower end", grid});
    out.add({"base_high", Type::f64, {"window"}, "1", "its upper end; infinite for the last, as far as the grid reaches", grid});
    out.add({"base_infimum", Type::f64, {}, "1", about_infimum, grid});
    out.add({"base_all_above", Type::f64, {}, "1", about_above, grid});
  } else {
    skip(of_scan, no_scan);
  }
  if (no_nested.empty())
    out.add({"base_nested", Type::f64, {}, "1", about_nested, levels});
  else
    out.skip("base_nested", no_nested);
  if (no_two_digits.empty())
    out.add({"base_two_digits", Type::f64, {}, "1", about_two_digits, {}});
  else
    out.skip("base_two_digits", no_two_digits);

  if (const std::string why = why_no_solve(p, o); !why.empty()) {
    skip(of_solve, why), skip(of_solve_scan, why), skip(of_fit, why);
    return;
  }
  for (const double length : o.solve_base)
    if (length != std::floor(length)) reject("context", "solve-base", number_text(length), "must be whole numbers of positions");
  const std::vector<std::string> lengths{"solve_length"};
  out.axis({"solve_length", o.solve_base.size()}, Type::i64, "position", "length that the base is wanted for");
  out.add({"solve_base_nested", Type::f64, lengths, "1", about_nested, levels});
  out.add({"solve_base_two_digits", Type::f64, lengths, "1", about_two_digits, {}});
  if (no_scan.empty()) {
    out.add({"solve_base_infimum", Type::f64, lengths, "1", about_infimum, grid});
    out.add({"solve_base_all_above", Type::f64, lengths, "1", about_above, grid});
  } else {
    skip(of_solve_scan, no_scan);
  }
  if (const std::string why = why_no_fit(p, o); !why.empty()) {
    skip(of_fit, why);
    return;
  }
  out.add({of_fit[0], Type::f64, {}, "1", "a of solve_base_nested = a length^c by least squares of logarithms", {}});
  out.add({of_fit[1], Type::f64, {}, "1", "c of that fit", {}});
}

void write_context_bases(const ContextPlan& p, const ContextOptions& o, Sink& sink) {
  const bool scan = why_no_scan(p, o).empty();
  if (scan) {
    const auto windows = windows_of(p, o, p.length);
    for (std::size_t i = 0; i < windows.size(); ++i) {
      const double index = static_cast<double>(i);
      sink.write("window", i, {&index, 1});
      sink.write("base_low", i, {&windows[i].low, 1});
      sink.write("base_high", i, {&windows[i].high, 1});
    }
    sink.scalar("base_infimum", infimum(windows));
    sink.scalar("base_all_above", all_above(windows));
  }
  if (why_no_nested(p, o).empty()) sink.scalar("base_nested", nested(p, o, p.length));
  if (why_no_two_digits(p, o).empty()) sink.scalar("base_two_digits", two_digits(p, p.length));
  if (!why_no_solve(p, o).empty()) return;
  std::vector<double> low, above, by_nest, by_digits;
  for (const double length : o.solve_base) {
    by_nest.push_back(nested(p, o, length)), by_digits.push_back(two_digits(p, length));
    if (!scan) continue;
    const auto windows = windows_of(p, o, length);
    low.push_back(infimum(windows)), above.push_back(all_above(windows));
  }
  sink.write("solve_length", 0, o.solve_base);
  sink.write("solve_base_nested", 0, by_nest);
  sink.write("solve_base_two_digits", 0, by_digits);
  if (scan) {
    sink.write("solve_base_infimum", 0, low);
    sink.write("solve_base_all_above", 0, above);
  }
  if (!why_no_fit(p, o).empty()) return;
  const math::PowerLaw law = math::power_law(o.solve_base, by_nest);
  sink.scalar(of_fit[0], law.coefficient);
  sink.scalar(of_fit[1], law.exponent);
}

}  // namespace posenc::analyses
