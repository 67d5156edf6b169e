#include "model/views/observe.hpp"

#include <cmath>
#include <functional>
#include <numbers>
#include <optional>

namespace posenc::model {
namespace {

constexpr double steady = 0.02;  // bfloat16 moves a length by 0.4 %

double wrapped(double angle) { return std::remainder(angle, 2 * std::numbers::pi); }

/// Frequency of one pair, from neighbouring rows, then from rows ever farther apart.
double frequency_of(const Matrix& rows, Index cosine, Index sine) {
  const auto phase = [&](Index i) { return std::atan2(rows(i, sine), rows(i, cosine)); };
  double theta = wrapped(phase(1) - phase(0));
  for (Index step = 2; step < rows.rows(); step *= 2)
    theta += wrapped(phase(step) - phase(0) - static_cast<double>(step) * theta) / static_cast<double>(step);
  const auto last = static_cast<double>(rows.rows() - 1);
  return theta + wrapped(phase(rows.rows() - 1) - phase(0) - last * theta) / last;
}

std::optional<Observed> read(const Matrix& rows, Observed out) {
  double total = 0;
  for (std::size_t j = 0; j < out.cosine.size(); ++j) {
    const auto length = [&](Index i) { return std::hypot(rows(i, out.cosine[j]), rows(i, out.sine[j])); };
    double sum = 0;
    for (Index i = 0; i < rows.rows(); ++i) sum += length(i);
    const double mean = sum / static_cast<double>(rows.rows());
    for (Index i = 0; i < rows.rows(); ++i)
      if (!(std::abs(length(i) - mean) <= steady * mean)) return {};
    total += mean;
    out.numbers.frequency.push_back(frequency_of(rows, out.cosine[j], out.sine[j]));
    if (out.numbers.frequency.back() < -1e-9) return {};
  }
  out.numbers.attention_factor = total / static_cast<double>(out.cosine.size());
  std::size_t slowest = 0;
  for (std::size_t j = 0; j < out.cosine.size(); ++j)
    if (const double t = out.numbers.frequency[j]; t > 0 && (out.numbers.frequency[slowest] <= 0 || t < out.numbers.frequency[slowest]))
      slowest = j;
  if (const double t = out.numbers.frequency[slowest]; t > 0)
    out.start = std::llround(std::atan2(rows(0, out.sine[slowest]), rows(0, out.cosine[slowest])) / t);
  return out;
}

}  // namespace

std::vector<Observed> observe(const Matrix& rows, bool halves) {
  std::vector<Observed> out;
  const Index columns = rows.cols(), half = columns / 2;
  if (rows.rows() < 2 || columns < 2 || columns % 2 != 0) return out;
  const auto attempt = [&](const char* word, Index pairs, const std::function<Index(Index)>& cosine, const std::function<Index(Index)>& sine) {
    Observed o;
    o.layout = word, o.numbers.channels = columns, o.numbers.table = !halves;
    for (Index j = 0; j < pairs; ++j) o.cosine.push_back(cosine(j)), o.sine.push_back(sine(j));
    if (auto found = read(rows, std::move(o))) out.push_back(std::move(*found));
  };
  const auto first = [](Index j) { return j; };
  const auto even = [](Index j) { return 2 * j; };
  if (halves) {
    const Index quarter = half / 2;
    const auto repeated = [&](const std::function<Index(Index)>& a, const std::function<Index(Index)>& b) {
      for (Index i = 0; i < rows.rows(); ++i)
        for (Index j = 0; j < quarter; ++j)
          if (rows(i, a(j)) != rows(i, b(j)) || rows(i, half + a(j)) != rows(i, half + b(j))) return false;
      return half % 2 == 0;
    };
    if (repeated(first, [&](Index j) { return quarter + j; }))
      attempt("half_split, every column twice", quarter, first, [&](Index j) { return half + j; });
    else if (repeated(even, [](Index j) { return 2 * j + 1; }))
      attempt("interleaved, every column twice", quarter, even, [&](Index j) { return half + 2 * j; });
    else
      attempt("one column a pair", half, first, [&](Index j) { return half + j; });
    return out;
  }
  attempt("sines and cosines alternating", half, [](Index j) { return 2 * j + 1; }, even);
  attempt("sines before cosines", half, [&](Index j) { return half + j; }, first);
  attempt("cosines before sines", half, first, [&](Index j) { return half + j; });
  attempt("cosines and sines alternating", half, even, [](Index j) { return 2 * j + 1; });
  return out;
}

}  // namespace posenc::model
