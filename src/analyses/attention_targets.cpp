#include "analyses/attention_targets.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace posenc::analyses {

std::vector<double> window_widths(Pos length) {
  std::vector<double> widths;
  for (Pos w = 1; w <= length; w *= 2) widths.push_back(static_cast<double>(w));
  return widths;
}

std::vector<double> window_weights(double width, Pos count) {
  std::vector<double> out(static_cast<std::size_t>(count));
  for (std::size_t s = 0; s < out.size(); ++s) out[s] = std::exp(-static_cast<double>(s) / width);
  return out;
}

std::vector<double> window_counts(double width, Pos length) {
  std::vector<double> out = window_weights(width, length), norm(out.size());
  std::partial_sum(out.begin(), out.end(), norm.begin());
  double reciprocals = 0;
  for (std::size_t s = out.size(); s-- > 0;) reciprocals += 1 / norm[s], out[s] *= reciprocals;
  return out;
}

std::vector<Pos> test_queries(Pos sequence) {
  std::vector<Pos> out;
  for (Pos j = 0; j < 16; ++j) out.push_back(sequence - 1 - j * sequence / 64);
  return out;
}

std::vector<Pos> training_queries(Pos first, Pos last, Index most) {
  const Pos count = std::min<Pos>(most, last - first + 1);
  std::vector<Pos> out;
  for (Pos i = 0; i < count; ++i)
    out.push_back(count == 1 ? last
                             : first + static_cast<Pos>(std::llround(static_cast<double>(i) * static_cast<double>(last - first) /
                                                                     static_cast<double>(count - 1))));
  return out;
}

double window_distance(std::span<const double> weights, std::span<const double> scores) {
  const double top = *std::max_element(scores.begin(), scores.end());
  double wanted = 0, given = 0;
  std::vector<double> mass(scores.size());
  for (std::size_t s = 0; s < mass.size(); ++s) wanted += weights[s], given += mass[s] = std::exp(scores[s] - top);
  double distance = 0;
  for (std::size_t s = 0; s < mass.size(); ++s) distance += std::abs(weights[s] / wanted - mass[s] / given);
  return distance / 2;
}

}  // namespace posenc::analyses
