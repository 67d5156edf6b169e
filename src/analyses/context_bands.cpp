#include "analyses/context_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace posenc::analyses {
namespace {

constexpr std::array<const char*, 3> names{"kept", "blended", "divided"};
constexpr std::array variables{"bands", "band_first", "band_last"};
constexpr double same = 1e-12;  // relative, of frequencies from 113-bit arithmetic

/// The band of a pair: 0 kept, 1 in between, 2 divided by the largest divisor of all.
std::vector<std::size_t> bands(const ContextPlan& p) {
  double most = 1;
  for (std::size_t j = 0; j < p.used.size(); ++j) most = std::max(most, p.trained[j] / p.used[j]);
  std::vector<std::size_t> out;
  for (std::size_t j = 0; j < p.used.size(); ++j) {
    const double divisor = p.trained[j] / p.used[j];
    out.push_back(std::abs(divisor - 1) <= same ? 0 : divisor >= most * (1 - same) ? 2 : 1);
  }
  return out;
}

}  // namespace

void declare_context_bands(const ContextPlan& p, Schema& out) {
  if (!p.no_bands.empty()) {
    for (const char* name : variables) out.skip(name, p.no_bands);
    return;
  }
  out.axis({"band", names.size()}, Type::text, "1",
           "what becomes of a frequency of training: kept, divided as far as any, in between");
  out.add({"bands", Type::i64, {"band"}, "1", "number of pairs", {}});
  out.add({"band_first", Type::f64, {"band"}, "1", "index of its first pair; NaN: none", {}});
  out.add({"band_last", Type::f64, {"band"}, "1", "index of its last pair; NaN: none", {}});
}

void write_context_bands(const ContextPlan& p, Sink& sink) {
  if (!p.no_bands.empty()) return;
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> count(names.size()), first(names.size(), none), last(names.size(), none);
  const auto of = bands(p);
  for (std::size_t j = 0; j < of.size(); ++j) {
    if (count[of[j]]++ == 0) first[of[j]] = static_cast<double>(j);
    last[of[j]] = static_cast<double>(j);
  }
  sink.write_text("band", 0, std::vector<std::string>(names.begin(), names.end()));
  sink.write("bands", 0, count);
  sink.write("band_first", 0, first);
  sink.write("band_last", 0, last);
}

}  // namespace posenc::analyses
