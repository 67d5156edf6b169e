#include "math/nearest_row.hpp"

#include "math/random.hpp"
#include "support/catch.hpp"
#include "support/math_reference.hpp"

#include <cmath>

using namespace posenc::math;
using namespace posenc::test;

namespace {

struct Table {
  std::int64_t rows, columns;
  std::vector<double> values;
  const double* row(std::int64_t m) const { return values.data() + m * columns; }
};
Table random_table(std::int64_t rows, std::int64_t columns) {
  Table t{rows, columns, std::vector<double>(static_cast<std::size_t>(rows * columns))};
  normal(Stream(5, "rows"), 0, t.values);
  return t;
}
struct Answer {
  std::vector<std::int64_t> index;
  std::vector<double> distance;
};
Answer nearest(const Table& t, std::int64_t guard) {
  Answer a{std::vector<std::int64_t>(static_cast<std::size_t>(t.rows)), std::vector<double>(static_cast<std::size_t>(t.rows))};
  nearest_rows(t.values.data(), t.rows, t.columns, guard, a.index, a.distance);
  return a;
}

/// The definition, in extended precision.
Answer by_definition(const Table& t, std::int64_t guard) {
  Answer a;
  double squares = 0;
  for (const double x : t.values) squares += x * x;
  const double tie = nearest_row_tie * std::sqrt(2 * squares / static_cast<double>(t.rows));
  for (std::int64_t m = 0; m < t.rows; ++m) {
    std::vector<long double> d(static_cast<std::size_t>(t.rows), INFINITY);
    long double least = INFINITY;
    for (std::int64_t n = 0; n < t.rows; ++n) {
      if (std::abs(m - n) < guard) continue;
      long double sum = 0;
      for (std::int64_t k = 0; k < t.columns; ++k) {
        const long double x = static_cast<long double>(t.row(m)[k]) - t.row(n)[k];
        sum += x * x;
      }
      d[static_cast<std::size_t>(n)] = std::sqrt(sum);
      least = std::min(least, d[static_cast<std::size_t>(n)]);
    }
    std::int64_t best = -1;
    for (std::int64_t n = t.rows; n-- > 0;)
      if (!std::isinf(least) && d[static_cast<std::size_t>(n)] <= least + tie) best = n;
    a.index.push_back(best);
    a.distance.push_back(best < 0 ? NAN : static_cast<double>(d[static_cast<std::size_t>(best)]));
  }
  return a;
}

void same_answers(const Table& t, std::int64_t guard) {
  const Answer a = nearest(t, guard), b = by_definition(t, guard);
  CHECK(a.index == b.index);
  for (std::size_t m = 0; m < a.distance.size(); ++m) {
    if (std::isnan(b.distance[m])) {
      CHECK(std::isnan(a.distance[m]));
    } else {
      CHECK(std::abs(a.distance[m] - b.distance[m]) <= 1e-13 * b.distance[m]);
    }
  }
}

}  // namespace

TEST_CASE("the nearest row of random tables is that of the definition") {
  for (const auto& [rows, columns] : {std::pair{1, 4}, {2, 1}, {239, 7}, {240, 8}, {241, 9}, {700, 33}, {300, 600}})
    for (const std::int64_t guard : {1, 2, 100, 239, 240, 500, 5000}) same_answers(random_table(rows, columns), guard);
}

TEST_CASE("ties go to the lowest index, whether exact or by rounding") {
  Table wave{600, 64, {}};  // |p_m - p_n| depends on |m - n|: both sides are equally near
  for (std::int64_t m = 0; m < wave.rows; ++m)
    for (std::int64_t k = 0; k < wave.columns; ++k) {
      const double x = static_cast<double>(m) * std::pow(10000.0, -static_cast<double>(k / 2 * 2) / 64);
      wave.values.push_back(k % 2 ? std::cos(x) : std::sin(x));
    }
  for (const std::int64_t guard : {1, 7, 40}) same_answers(wave, guard);
  CHECK(nearest(wave, 5).index[100] == 94);  // lag 6, nearly a turn of the fastest pair, is nearer than 5

  Table repeated = random_table(900, 12);  // period 50
  for (std::int64_t i = 50 * 12; i < 900 * 12; ++i)
    repeated.values[static_cast<std::size_t>(i)] = repeated.values[static_cast<std::size_t>(i - 600)];
  same_answers(repeated, 1);
  CHECK(nearest(repeated, 1).index[777] == 27);
  CHECK(nearest(repeated, 1).distance[777] == 0);

  Table equal{500, 3, std::vector<double>(1500, 2.5)};
  same_answers(equal, 1);
  Table whole = random_table(500, 2);
  for (double& x : whole.values) x = std::round(3 * x);
  same_answers(whole, 1);
  same_answers(whole, 0);  // each row is its own nearest, or a lower equal one
}

TEST_CASE("a distance far below the norms keeps its digits") {
  Table t = random_table(400, 20);
  for (double& x : t.values) x += 1000;
  for (std::int64_t k = 0; k < 20; ++k)
    t.values[static_cast<std::size_t>(300 * 20 + k)] = t.values[static_cast<std::size_t>(11 * 20 + k)] + 1e-7;
  same_answers(t, 1);
  CHECK(nearest(t, 1).index[11] == 300);
}

TEST_CASE("threads change no nearest row") {
  const Table t = random_table(2000, 40);
  const auto runs = at_thread_counts([&] { return nearest(t, 3); });
  for (const Answer& a : runs) CHECK((a.index == runs[0].index && same_bits(a.distance, runs[0].distance)));
}
