#include "math/exact_fit.hpp"

#include "math/parallel.hpp"

#include <boost/math/constants/constants.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <limits>

namespace posenc::math {
namespace {

namespace mp = boost::multiprecision;
using Long = mp::number<mp::cpp_bin_float<exact_fit_digits>, mp::et_off>;

Long pi() {
  static const Long value = boost::math::constants::pi<Long>();
  return value;
}

/// pi times the fraction that the turn is.
Long half_angle(Turn f) { return pi() * (ldexp(Long(f.hi), -64) + ldexp(Long(f.lo), -128)); }

struct Wave {
  Long cosine, sine;
};
Wave wave(const Long& angle) { return {cos(angle), sin(angle)}; }
Wave plus(const Wave& a, const Wave& b) { return {a.cosine * b.cosine - a.sine * b.sine, a.sine * b.cosine + a.cosine * b.sine}; }
Wave minus(const Wave& a, const Wave& b) { return plus(a, {b.cosine, -b.sine}); }

/// Half the frequency h times 1, L and L - 1, of one pair or of the sum or difference of two.
struct Half {
  Wave one, rows, last;
};
/// sum_{s<L} cos(2 h s) and sin(2 h s).
Wave sums(const Half& h) { return {h.rows.sine * h.last.cosine / h.one.sine, h.rows.sine * h.last.sine / h.one.sine}; }

/// Phi^T Phi, lower triangle, cosines before sines.
std::vector<std::vector<Long>> gram(std::span<const Turn> frequency, std::int64_t rows) {
  const std::size_t n = frequency.size();
  std::vector<Half> half(n);
  parallel_for(static_cast<std::int64_t>(n), [&](std::int64_t j) {
    const Long h = half_angle(frequency[static_cast<std::size_t>(j)]);
    half[static_cast<std::size_t>(j)] = {wave(h), wave(h * rows), wave(h * (rows - 1))};
  });
  std::vector<std::vector<Long>> out(2 * n);
  for (std::size_t i = 0; i < 2 * n; ++i) out[i].resize(i + 1);
  parallel_for(static_cast<std::int64_t>(n), [&](std::int64_t index) {
    const auto i = static_cast<std::size_t>(index);
    for (std::size_t j = 0; j < n; ++j) {
      const Half &a = half[i], &b = half[j];
      const Wave up = sums({plus(a.one, b.one), plus(a.rows, b.rows), plus(a.last, b.last)});
      Wave down{Long(rows), Long(0)};
      if (i != j) down = sums({minus(a.one, b.one), minus(a.rows, b.rows), minus(a.last, b.last)});
      if (j <= i) {
        out[i][j] = (down.cosine + up.cosine) / 2;
        out[n + i][n + j] = (down.cosine - up.cosine) / 2;
      }
      out[n + i][j] = (up.sine + down.sine) / 2;  // sin(s t_i) cos(s t_j)
    }
  });
  return out;
}

/// In place; false where a pivot is too small to be trusted.
bool factor(std::vector<std::vector<Long>>& a) {
  const Long least = pow(Long(10), 60 - exact_fit_digits);
  Long most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, a[k][k]);
  for (std::size_t k = 0; k < a.size(); ++k) {
    for (std::size_t j = 0; j < k; ++j) a[k][k] -= a[k][j] * a[k][j];
    if (!(a[k][k] > most * least)) return false;
    a[k][k] = sqrt(a[k][k]);
    parallel_for(static_cast<std::int64_t>(a.size() - k - 1), [&](std::int64_t index) {
      const std::size_t i = k + 1 + static_cast<std::size_t>(index);
      Long x = a[i][k];
      for (std::size_t j = 0; j < k; ++j) x -= a[i][j] * a[k][j];
      a[i][k] = x / a[k][k];
    });
  }
  return true;
}

}  // namespace

std::vector<double> exact_fit_deviation(std::span<const Turn> frequency, std::int64_t rows, std::span<const std::int64_t> at) {
  const std::size_t n = frequency.size();
  std::vector<double> out(at.size(), std::numeric_limits<double>::quiet_NaN());
  for (const Turn& f : frequency)
    if (f == Turn{}) return out;
  if (n == 0 || rows < static_cast<std::int64_t>(2 * n)) return out;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (frequency[i] == frequency[j] || frequency[i] + frequency[j] == Turn{}) return out;
  auto lower = gram(frequency, rows);
  if (!factor(lower)) return out;
  parallel_for(static_cast<std::int64_t>(at.size()), [&](std::int64_t index) {
    const auto k = static_cast<std::size_t>(index);
    std::vector<Long> y(2 * n);
    for (std::size_t j = 0; j < n; ++j) {
      const Wave w = wave(2 * half_angle(times(at[k], frequency[j])));
      y[j] = w.cosine, y[n + j] = w.sine;
    }
    Long sum = 0;
    for (std::size_t i = 0; i < 2 * n; ++i) {
      for (std::size_t j = 0; j < i; ++j) y[i] -= lower[i][j] * y[j];
      y[i] /= lower[i][i];
      sum += y[i] * y[i];
    }
    out[k] = static_cast<double>(sqrt(sum));
  });
  return out;
}

}  // namespace posenc::math
