#include "app/estimate.hpp"

#include "app/passing_sink.hpp"
#include "app/sizes.hpp"
#include "app/tables.hpp"
#include "core/error.hpp"
#include "math/parallel.hpp"

#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>

namespace posenc::app {
namespace {

constexpr double trial_seconds = 5;                // for all groups together
constexpr double longest_trial = 0.1;              // of one group, before the next doubling
constexpr double block_bytes = 4.0 * 1024 * 1024;  // of a thread
constexpr double copies = 4;                       // of what a group holds, at the peak
constexpr double too_long = 1;                     // even for the first three lengths, of which the growth is seen
constexpr model::Pos first_trial = 128;

/// CPU time of the calling thread: it takes part in every parallel loop, and other programs do not count.
double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

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
    const Entry small = resolve(spec, request, Tables{});
    PassingSink sink(nullptr);
    const double started = thread_seconds();
    analysis.run(small.subject(request), sink);
    return thread_seconds() - started;
  } catch (const Error& e) {
    if (e.code() != Exit::usage && e.code() != Exit::bad_data) throw;
    return {};
  }
}

double seconds_of(const Work& work, const Entry& entry, const model::Analysis& analysis, double quota) {
  const model::Pos length = work.request.length;
  std::vector<double> times;
  for (model::Pos n = std::min(first_trial, length);; n = std::min(2 * n, length)) {
    const auto measured = trial(work, entry, analysis, n);
    if (!measured) return times.empty() ? 0 : times.back();
    times.push_back(*measured);
    if (n == length) return *measured;
    if (*measured > quota && (times.size() > 2 || *measured > too_long)) {
      const std::size_t back = std::min<std::size_t>(2, times.size() - 1);
      const double earlier = times[times.size() - 1 - back];
      const double power =
          back > 0 && earlier > 0 ? std::clamp(std::log2(*measured / earlier) / static_cast<double>(back), 0.0, 2.0) : 1.0;
      return *measured * std::pow(static_cast<double>(length) / static_cast<double>(n), power);
    }
  }
}

}  // namespace

double estimated_seconds(const Work& work) {
  const auto groups = static_cast<double>(std::max<std::size_t>(1, work.analyses.size() * work.entries.size()));
  const double quota = std::min(longest_trial, trial_seconds / groups / 2);
  double seconds = 0;
  for (const auto& analysis : work.analyses) {
    const double started = thread_seconds();
    double sum = 0, tried = 0;
    for (const auto& entry : work.entries) {
      if (tried > 0 && thread_seconds() - started > trial_seconds / static_cast<double>(work.analyses.size())) break;
      sum += seconds_of(work, entry, *analysis, quota), tried += 1;
    }
    // Those beyond the time for trials count as the mean of those before.
    if (tried > 0) seconds += sum * static_cast<double>(work.entries.size()) / tried;
  }
  return seconds;
}

double estimated_memory(const Work& work, const std::vector<std::vector<Schema>>& schemas) {
  double largest = 0, pages = 0, resident = 0;
  for (std::size_t a = 0; a < schemas.size(); ++a)
    for (std::size_t e = 0; e < schemas[a].size(); ++e)
      largest = std::max(largest, held_bytes(schemas[a][e], work.subject(work.entries[e]), work.analyses[a]->info().name));
  std::ifstream statm("/proc/self/statm");
  if (statm >> pages >> resident) resident *= static_cast<double>(sysconf(_SC_PAGESIZE));
  return resident + block_bytes * math::threads() + copies * largest;
}

}  // namespace posenc::app
