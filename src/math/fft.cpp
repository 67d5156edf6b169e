#include "math/fft.hpp"

#include "math/fourier.hpp"
#include "math/parallel.hpp"

#include <algorithm>

namespace posenc::math {
namespace {

// Beyond this length the signals go one pair at a time instead of one pair a lane, to spare memory.
constexpr std::int64_t lanes_to = std::int64_t{1} << 16;

template <class V>
constexpr std::int64_t width = sizeof(V) / sizeof(double);

double get(double v, std::int64_t) { return v; }
void put(double& v, std::int64_t, double x) { v = x; }
template <class V>
double get(const V& v, std::int64_t lane) {
  return v[lane];
}
template <class V>
void put(V& v, std::int64_t lane, double x) {
  v[lane] = x;
}

template <class V>
V sum_of(const std::vector<V>& part, std::int64_t rows) {
  V total{};
  for (std::int64_t block = 0; block < rows; block += 256) {
    V sum{};
    for (std::int64_t m = block; m < std::min(rows, block + 256); ++m) sum += part[static_cast<std::size_t>(m)];
    total += sum;
  }
  return total;
}

/// Columns first.. of the table less their means: column first + i in the real part of lane i, column first + width + i in the
/// imaginary part. Missing columns are 0.
template <class V>
void load_columns(const double* table, std::int64_t rows, std::int64_t columns, std::int64_t first, Signals<V>& x) {
  std::fill(x.re.begin(), x.re.end(), V{});
  std::fill(x.im.begin(), x.im.end(), V{});
  const auto copy = [&](std::vector<V>& part, std::int64_t begin) {
    const std::int64_t count = std::min(width<V>, columns - begin);
    if (count <= 0) return;
    for (std::int64_t m = 0; m < rows; ++m)
      for (std::int64_t i = 0; i < count; ++i) put(part[static_cast<std::size_t>(m)], i, table[m * columns + begin + i]);
    // Twice: what the rounding of the first mean leaves is taken away by the second.
    for (int pass = 0; pass < 2; ++pass) {
      const V mean = sum_of(part, rows) / static_cast<double>(rows);
      for (std::int64_t m = 0; m < rows; ++m) part[static_cast<std::size_t>(m)] -= mean;
    }
  };
  copy(x.re, first);
  copy(x.im, first + width<V>);
}

template <class V>
void mean_power(const double* table, std::int64_t rows, std::int64_t columns, std::span<double> power) {
  const Transform transform(static_cast<std::size_t>(rows));
  const std::int64_t group = 2 * width<V>, groups = (columns + group - 1) / group;
  const std::size_t half = static_cast<std::size_t>(rows / 2 + 1), n = static_cast<std::size_t>(rows);
  std::vector<double> parts(static_cast<std::size_t>(groups) * half);
  parallel_for(groups, [&](std::int64_t g) {
    Signals<V> x(transform.room()), scratch(transform.room());
    load_columns(table, rows, columns, g * group, x);
    transform.run(x, scratch);
    const auto square = [&](std::size_t k) {
      V v = x.re[k] * x.re[k] + x.im[k] * x.im[k];
      double sum = 0;
      for (std::int64_t i = 0; i < width<V>; ++i) sum += get(v, i);
      return sum;
    };
    // Of x + i y with x, y real: |X_k|^2 + |Y_k|^2 = (|Z_k|^2 + |Z_{n-k}|^2) / 2.
    for (std::size_t k = 0; k < half; ++k)
      parts[static_cast<std::size_t>(g) * half + k] = 0.5 * (square(k) + square((n - k) % n));
  });
  for (std::size_t k = 0; k < half; ++k) {
    double sum = 0;
    for (std::size_t g = 0; g < static_cast<std::size_t>(groups); ++g) sum += parts[g * half + k];
    power[k] = sum / static_cast<double>(columns);
  }
}

}  // namespace

void mean_power_spectrum(const double* table, std::int64_t rows, std::int64_t columns, std::span<double> power) {
  if (rows <= lanes_to)
    mean_power<simd::Vec>(table, rows, columns, power);
  else
    mean_power<double>(table, rows, columns, power);
}

}  // namespace posenc::math
