#include "analyses/attention_heads.hpp"

#include "analyses/attention_targets.hpp"
#include "math/parallel.hpp"
#include "model/views/lag_statistics.hpp"

#include <numeric>

namespace posenc::analyses {

std::vector<double> biases_at(const Encoding& e, Index head, Pos m) {
  std::vector<double> out(static_cast<std::size_t>(m + 1));
  lag_statistics(e, head, {0, m + 1})->score(0, out);
  return out;
}

double mean_window_distance(Pos sequence, const std::vector<double>& widths, const TargetScores& scores) {
  const std::vector<Pos> queries = test_queries(sequence);
  std::vector<double> distance(widths.size() * queries.size());
  math::parallel_for(static_cast<std::int64_t>(widths.size()), [&](std::int64_t target) {
    const auto t = static_cast<std::size_t>(target);
    const std::vector<double> weights = window_weights(widths[t], sequence);
    for (std::size_t j = 0; j < queries.size(); ++j)
      distance[t * queries.size() + j] =
          window_distance({weights.data(), static_cast<std::size_t>(queries[j] + 1)}, scores(t, queries[j]));
  });
  return std::accumulate(distance.begin(), distance.end(), 0.0) / static_cast<double>(distance.size());
}

double mean_over_queries(Pos sequence, const std::function<double(Pos m)>& error) {
  double sum = 0;
  for (const Pos m : test_queries(sequence)) sum += error(m);
  return sum / 16;
}

double mean_constant_match_error(const ConstantMatch& match, Pos sequence) {
  return mean_over_queries(sequence, [&](Pos m) { return constant_match_error(match.score, m, nullptr); });
}

}  // namespace posenc::analyses
