#include "model/views/observe_pair.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace posenc::model {
namespace {

constexpr double steady = 0.02;   // bfloat16 moves a length by 0.4 %
constexpr Index looked_at = 257;  // rows whose length is taken
constexpr Index anchors = 64;     // rows from which turns are taken
constexpr double lost = 0.7;      // rad: scatter beyond which turns over more rows tell nothing

double scatter(const std::vector<double>& values, double centre) {
  std::vector<double> off;
  for (const double x : values) off.push_back(std::abs(x - centre));
  return median(off);
}

class Pair {
 public:
  Pair(const Matrix& rows, Index cosine, Index sine) : rows_(rows), cosine_(cosine), sine_(sine) {}

  /// The mean length, or 0 where it is not steady.
  double find_length() {
    std::vector<double> all;
    const Index n = rows_.rows(), count = std::min(n, looked_at);
    for (Index k = 0; k < count; ++k) all.push_back(length(count == 1 ? 0 : k * (n - 1) / (count - 1)));
    middle_ = median(all);
    const Index kept = std::count_if(all.begin(), all.end(), [&](double x) { return std::abs(x - middle_) <= steady * middle_; });
    return middle_ > 0 && 5 * kept >= 4 * count ? settled_mean(all) : 0;
  }
  bool keeps(Index i) const { return std::abs(length(i) - middle_) <= steady * middle_; }
  double phase(Index i) const { return std::atan2(rows_(i, sine_), rows_(i, cosine_)); }
  /// phase(i + step) - phase(i) - expected at rows a multiple of step/64 apart, so that positions of few bits stay such.
  std::vector<double> turns(Index step, double expected, double* largest) const {
    std::vector<double> out;
    const Index stride = std::max<Index>(1, step / anchors);
    for (Index k = 0; k < anchors && k * stride + step < rows_.rows(); ++k) {
      const Index i = k * stride;
      if (!keeps(i) || !keeps(i + step)) continue;
      const double at = phase(i + step);
      *largest = std::max(*largest, std::abs(at));
      out.push_back(wrapped(at - phase(i) - expected));
    }
    return out;
  }

 private:
  double length(Index i) const { return std::hypot(rows_(i, cosine_), rows_(i, sine_)); }
  const Matrix& rows_;
  Index cosine_, sine_;
  double middle_ = 0;
};

/// The direction of the sum of unit vectors.
double mean_direction(const std::vector<double>& angles) {
  double c = 0, s = 0;
  for (const double a : angles) c += std::cos(a), s += std::sin(a);
  return std::atan2(s, c);
}

}  // namespace

double wrapped(double angle) { return std::remainder(angle, 2 * std::numbers::pi); }

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double settled_mean(const std::vector<double>& values) {
  const double middle = median(values), reach = 8 * scatter(values, middle) + 8 * 0x1p-52 * std::abs(middle);
  double sum = 0;
  std::size_t kept = 0;
  for (const double x : values)
    if (std::abs(x - middle) <= reach) sum += x - middle, ++kept;
  return middle + sum / static_cast<double>(kept);
}

std::optional<Turning> turning(const Matrix& rows, Index cosine, Index sine, double unit) {
  Pair pair(rows, cosine, sine);
  Turning out;
  out.length = pair.find_length();
  if (!(out.length > 0)) return {};
  const double rounding = unit / std::min(out.length, 1.0);
  for (Index step = 1; step < rows.rows(); step *= 2) {
    double largest = 0;  // a small angle is kept to the relative precision of its sine
    std::vector<double> turns = pair.turns(step, static_cast<double>(step) * out.theta, &largest);
    if (turns.empty()) break;
    const double centre = step == 1 ? mean_direction(turns) : 0;
    for (double& x : turns) x = wrapped(x - centre);
    const double more = median(turns), spread = scatter(turns, more);
    if (spread > lost) {
      if (step == 1) return {};
      break;
    }
    out.theta += (centre + more) / static_cast<double>(step);
    out.noise = rounding * std::min(largest, 1.0) + spread;
    out.uncertainty = 1.5 * out.noise / static_cast<double>(step) + 1e-15 * std::abs(out.theta);
  }
  std::vector<double> starts;
  double reference = 0;
  for (Index i = 0; i < std::min(rows.rows(), anchors); ++i) {
    if (!pair.keeps(i)) continue;
    const double start = pair.phase(i) - static_cast<double>(i) * out.theta;
    if (starts.empty()) reference = start;
    starts.push_back(wrapped(start - reference));
  }
  if (starts.empty()) return {};
  out.phase = wrapped(reference + median(starts));
  out.noise = rounding * std::min(1.0, std::abs(out.phase)) + scatter(starts, median(starts)) + 64 * out.uncertainty + 1e-15;
  return out;
}

}  // namespace posenc::model
