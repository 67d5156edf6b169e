#include "math/cosine_sum.hpp"

#include "support/catch.hpp"
#include "support/math_reference.hpp"

#include <cmath>
#include <numeric>

using namespace posenc::math;
using namespace posenc::test;

namespace {
struct Curve {
  std::vector<Turn> frequency;
  std::vector<double> weight, damping;
  explicit Curve(int dim, double damp = 0) : frequency(geometric(10000, dim)), weight(frequency.size()) {
    for (std::size_t j = 0; j < weight.size(); ++j) weight[j] = 1 / static_cast<double>(j + 1);
    if (damp != 0)
      for (std::size_t j = 0; j < weight.size(); ++j) damping.push_back(damp * static_cast<double>(j));
  }
  std::vector<double> sum(std::int64_t first, std::size_t count) const {
    std::vector<double> out(count);
    cosine_sum(frequency, weight, damping, first, out);
    return out;
  }
  std::vector<double> deficit(std::int64_t first, std::size_t count) const {
    std::vector<double> out(count);
    cosine_deficit(frequency, weight, damping, first, out);
    return out;
  }
};
}  // namespace

TEST_CASE("a value's bits depend on its lag alone") {
  for (const double damp : {0.0, -1e-4})
    for (const int dim : {2, 34, 128, 300}) {
      const Curve curve(dim, damp);
      const auto whole = curve.sum(-1500, 30000);
      const auto deficit = curve.deficit(-1500, 30000);
      for (const std::int64_t first : {-1500, -1499, -513, -1, 0, 255, 256, 511, 12288, 28499}) {
        const auto begin = static_cast<std::size_t>(first + 1500), count = std::min<std::size_t>(30000 - begin, 700);
        const auto part = curve.sum(first, count), other = curve.deficit(first, count);
        CHECK(std::memcmp(part.data(), whole.data() + begin, count * 8) == 0);
        CHECK(std::memcmp(other.data(), deficit.data() + begin, count * 8) == 0);
      }
      const auto runs = at_thread_counts([&] { return curve.deficit(-7, 40000); });
      CHECK((same_bits(runs[0], runs[1]) && same_bits(runs[0], runs[2])));
    }
}

TEST_CASE("lags in a list and lags in a row agree") {
  for (const double damp : {0.0, -1e-4}) {
    const Curve curve(128, damp);
    std::vector<std::int64_t> lags(3000);
    std::iota(lags.begin(), lags.end(), damp == 0 ? -1000 : 0);
    std::vector<double> sum(lags.size()), deficit(lags.size());
    cosine_sum_at(curve.frequency, curve.weight, curve.damping, lags, sum);
    cosine_deficit_at(curve.frequency, curve.weight, curve.damping, lags, deficit);
    const auto row = curve.sum(lags[0], lags.size()), other = curve.deficit(lags[0], lags.size());
    const double total = std::accumulate(curve.weight.begin(), curve.weight.end(), 0.0);
    double most = 0, most_deficit = 0;
    for (std::size_t i = 0; i < lags.size(); ++i) {
      most = std::max(most, std::abs(sum[i] - row[i]));
      if (deficit[i] != 0) most_deficit = std::max(most_deficit, std::abs(deficit[i] - other[i]) / deficit[i]);
    }
    CHECK(most <= 2 * cosine_sum_error * total);
    CHECK(most_deficit <= 2e-13);
  }
}

TEST_CASE("without damping the curve is even, and whole turns return exactly") {
  const Curve curve(64);
  const auto left = curve.sum(-600, 601), right = curve.sum(0, 601);
  for (std::size_t i = 0; i <= 600; ++i) CHECK(std::abs(left[600 - i] - right[i]) <= 2e-14);
  // A third of a turn a step: the deficit is 0 at every third lag, up to the 2^-128 that a third lacks.
  const std::vector<Turn> third{turn_from(Real(1) / 3)};
  std::vector<double> out(9);
  cosine_deficit(third, std::vector<double>{1.0}, {}, 0, out);
  for (std::size_t s = 0; s < 9; ++s) CHECK(out[s] == (s % 3 == 0 ? Approx(0).margin(1e-60) : Approx(1.5).epsilon(1e-13)));
}

TEST_CASE("no frequencies sum to nothing; no lags ask for nothing") {
  std::vector<double> out(5, 3), none;
  cosine_sum({}, {}, {}, 0, out);
  CHECK(out == std::vector<double>(5, 0));
  cosine_deficit({}, {}, {}, 0, out);
  CHECK(out == std::vector<double>(5, 0));
  cosine_sum(geometric(10, 4), std::vector<double>{1, 1}, {}, 0, none);
}
