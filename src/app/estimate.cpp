#include "app/estimate.hpp"

#include "app/sizes.hpp"
#include "core/error.hpp"
#include "math/parallel.hpp"
#include "sources/loader.hpp"

#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>

namespace posenc::app {
namespace {

using clock = std::chrono::steady_clock;

constexpr double trial_seconds = 3;                // for all groups together
constexpr double longest_trial = 0.02;             // of one group, before the next doubling
constexpr double block_bytes = 8.0 * 1024 * 1024;  // of a thread
constexpr model::Pos first_trial = 128;

struct Discard : Sink {
  void write(std::string_view, std::uint64_t, std::span<const double>) override { throw_if_stop_requested(); }
  void write_elements(std::string_view, std::uint64_t, std::span<const double>) override { throw_if_stop_requested(); }
  void write_text(std::string_view, std::uint64_t, std::span<const std::string>) override {}
  void attribute(std::string_view, const Attribute&) override {}
};

model::Pos scaled(model::Pos value, double share) {
  return std::max<model::Pos>(16, static_cast<model::Pos>(static_cast<double>(value) * share));
}

/// The same work at `length` positions; seconds, or nothing where the encoding has no such small sibling.
std::optional<double> trial(const Work& work, const Entry& entry, const model::Analysis& analysis, model::Pos length) {
  const double share = static_cast<double>(length) / static_cast<double>(work.request.length);
  model::Request request = work.request;
  request.length = length;
  if (request.at) request.at = scaled(*request.at, share);
  if (request.lag_horizon) request.lag_horizon = scaled(*request.lag_horizon, share);
  request.position_horizon = scaled(request.position_horizon, share);
  model::EncodingSpec spec = entry.spec;
  for (auto& [key, value] : spec.values)
    if (key == "original") value = std::to_string(scaled(entry.scheme->train_length(), share));
  try {
    const Entry small = resolve(spec, request, sources::FileLoader{});
    Discard sink;
    const auto started = clock::now();
    analysis.run(small.subject(request), sink);
    return std::chrono::duration<double>(clock::now() - started).count();
  } catch (const Error& e) {
    if (e.code() != Exit::usage && e.code() != Exit::bad_data) throw;
    return {};
  }
}

double seconds_of(const Work& work, const Entry& entry, const model::Analysis& analysis, double quota) {
  const model::Pos length = work.request.length;
  double before = 0, now = 0;
  for (model::Pos n = std::min(first_trial, length);; n = std::min(2 * n, length)) {
    const auto measured = trial(work, entry, analysis, n);
    if (!measured) return now;
    before = now, now = *measured;
    if (n == length) return now;
    if (now > quota) {
      const double power = before > 0 ? std::clamp(std::log2(now / before), 0.0, 2.5) : 1.0;
      return now * std::pow(static_cast<double>(length) / static_cast<double>(n), power);
    }
  }
}

}  // namespace

double estimated_seconds(const Work& work) {
  const auto groups = static_cast<double>(std::max<std::size_t>(1, work.analyses.size() * work.entries.size()));
  const double quota = std::min(longest_trial, trial_seconds / groups / 2);
  double seconds = 0;
  for (const auto& analysis : work.analyses)
    for (const auto& entry : work.entries) seconds += seconds_of(work, entry, *analysis, quota);
  return seconds;
}

double estimated_memory(const std::vector<std::vector<Schema>>& schemas) {
  double largest = 0, pages = 0, resident = 0;
  for (const auto& row : schemas)
    for (const auto& s : row) largest = std::max(largest, working_bytes(s));
  std::ifstream statm("/proc/self/statm");
  if (statm >> pages >> resident) resident *= static_cast<double>(sysconf(_SC_PAGESIZE));
  return resident + block_bytes * math::threads() + largest;
}

}  // namespace posenc::app
