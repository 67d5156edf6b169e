#include "math/phase_table.hpp"

#include "support/catch.hpp"
#include "support/math_reference.hpp"

#include <cmath>

using namespace posenc::math;
using namespace posenc::test;

namespace {
struct Pair {
  std::vector<double> cosines, sines;
};
Pair table(const std::vector<Turn>& f, std::int64_t first, std::int64_t count, double amplitude = 1) {
  const auto size = f.size() * static_cast<std::size_t>(count);
  Pair p{std::vector<double>(size), std::vector<double>(size)};
  phase_table(f, first, count, p.cosines.data(), p.sines.data(), amplitude);
  return p;
}
}  // namespace

TEST_CASE("a row's bits depend on its position alone") {
  for (const int dim : {2, 34, 128, 1100}) {
    const auto f = geometric(10000, dim);
    const auto width = static_cast<std::int64_t>(f.size());
    const Pair whole = table(f, 1000, 300);
    for (const std::int64_t first : {1000, 1001, 1023, 1024, 1087, 1299}) {
      const Pair part = table(f, first, 1300 - first);
      CHECK(std::memcmp(part.cosines.data(), whole.cosines.data() + (first - 1000) * width, part.cosines.size() * 8) == 0);
      CHECK(std::memcmp(part.sines.data(), whole.sines.data() + (first - 1000) * width, part.sines.size() * 8) == 0);
    }
    const auto runs = at_thread_counts([&] { return table(f, 5, 3000).sines; });
    CHECK((same_bits(runs[0], runs[1]) && same_bits(runs[0], runs[2])));
  }
}

TEST_CASE("every layout holds the same bits and touches nothing else") {
  for (const int dim : {6, 30, 128, 1100}) {
    const auto f = geometric(10000, dim);
    const auto width = static_cast<std::int64_t>(f.size());
    const Pair apart = table(f, 70, 90);
    const RowLayout layouts[] = {
        {2 * width, 2, 1, 0},     {2 * width, 2, 0, 1}, {2 * width, 1, 0, width},        {2 * width, 1, width, 0},
        {2 * width + 3, 2, 2, 1}, {3 * width, 3, 2, 0}, {2 * width + 1, 1, width + 1, 0}};
    for (const RowLayout& l : layouts) {
      constexpr double untouched = 7;
      std::vector<double> out(static_cast<std::size_t>(90 * l.row + 2), untouched);
      phase_table(f, 70, 90, l, out.data());
      std::int64_t wrong = 0, written = 0;
      for (std::int64_t i = 0; i < 90; ++i)
        for (std::int64_t j = 0; j < width; ++j) {
          const auto at = static_cast<std::size_t>(i * width + j);
          wrong += out[static_cast<std::size_t>(i * l.row + j * l.stride + l.cos_at)] != apart.cosines[at];
          wrong += out[static_cast<std::size_t>(i * l.row + j * l.stride + l.sin_at)] != apart.sines[at];
        }
      for (const double x : out) written += x != untouched;
      CHECK(wrong == 0);
      CHECK(written == 180 * width);
    }
  }
}

TEST_CASE("the amplitude multiplies, exactly where it is a power of two") {
  const auto f = geometric(10000, 64);
  const Pair one = table(f, 0, 200), two = table(f, 0, 200, 2), other = table(f, 0, 200, 1.1386294361119891);
  double most = 0;
  for (std::size_t i = 0; i < one.cosines.size(); ++i) {
    CHECK(two.cosines[i] == 2 * one.cosines[i]);
    most = std::max(most, std::abs(other.sines[i] - 1.1386294361119891 * one.sines[i]));
  }
  CHECK(most <= 1.1386294361119891 * 4e-16);  // one more rounding in the table and one here
}

TEST_CASE("cardinal points are exact, and zeros are positive") {
  const std::vector<Turn> quarters{Turn{}, Turn{std::uint64_t{1} << 62, 0}, Turn{std::uint64_t{2} << 62, 0},
                                   Turn{std::uint64_t{3} << 62, 0}};
  std::vector<double> c(4), s(4);
  sincos_turns(quarters, c.data(), s.data());
  CHECK(c == std::vector<double>{1, 0, -1, 0});
  CHECK(s == std::vector<double>{0, 1, 0, -1});
  for (int i = 0; i < 4; ++i) CHECK((!std::signbit(c[static_cast<std::size_t>(i)]) || i == 2));
}

TEST_CASE("nothing asked for, nothing written") {
  double x = 3;
  phase_table({}, 0, 5, &x, &x);
  phase_table(geometric(10000, 4), 0, 0, &x, &x);
  sincos_turns({}, &x, &x);
  CHECK(x == 3);
}
