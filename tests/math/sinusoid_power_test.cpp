#include "math/sinusoid_power.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

using namespace posenc::math;

namespace {
using Long = long double;
constexpr Long tau = 2 * std::numbers::pi_v<Long>;

Turn turn_of(Long f) { return {static_cast<std::uint64_t>(std::ldexp(f, 64)), 0}; }

/// The definition in 64-bit mantissas.
Long direct(const std::vector<Turn>& frequency, std::int64_t length, std::int64_t k) {
  Long power = 0;
  for (const Turn f : frequency) {
    std::complex<Long> cosine = 0, sine = 0;
    for (std::int64_t m = 0; m < length; ++m) {
      const Long angle = tau * std::ldexp(static_cast<Long>((static_cast<std::uint64_t>(m) * f).hi), -64);
      const Long back = -tau * static_cast<Long>(k * m % length) / static_cast<Long>(length);
      const std::complex<Long> wave(std::cos(back), std::sin(back));
      cosine += std::cos(angle) * wave, sine += std::sin(angle) * wave;
    }
    power += std::norm(cosine) + std::norm(sine);
  }
  return power / (2 * static_cast<Long>(frequency.size()) * static_cast<Long>(length));
}
}  // namespace

TEST_CASE("power of sampled sinusoids agrees with the sum itself") {
  const std::vector<Turn> frequency{turn_of(1 / tau), turn_of(0.1L / tau), turn_of(1e-4L / tau), turn_of(0.49L),
                                    turn_of(1.0L / 3)};
  for (const std::int64_t length : {2, 3, 64, 243, 1000}) {
    std::vector<double> power(static_cast<std::size_t>(length / 2));
    sinusoid_power(frequency, length, 1, power);
    for (std::int64_t k = 1; k <= length / 2; ++k) {
      INFO("length " << length << ", k " << k);
      const Long reference = direct(frequency, length, k);
      CHECK(static_cast<Long>(power[static_cast<std::size_t>(k - 1)]) == Approx(static_cast<double>(reference)).epsilon(1e-13));
    }
  }
}

TEST_CASE("a frequency on the grid gives one line of length / 4, and nothing elsewhere") {
  // mean over two columns of |length / 2|^2 / length
  std::vector<double> power(8);
  sinusoid_power(std::vector<Turn>{turn_of(3.0L / 16)}, 16, 1, power);
  for (std::size_t i = 0; i < power.size(); ++i) CHECK(power[i] == Approx(i == 2 ? 4.0 : 0.0).margin(1e-30));
  // At half the sampling rate the two kernels meet and the sine vanishes: |length|^2 / length / 2.
  sinusoid_power(std::vector<Turn>{turn_of(0.5L)}, 16, 1, power);
  CHECK(power[7] == Approx(8.0).epsilon(1e-15));
}

TEST_CASE("a split does not change the values") {
  const std::vector<Turn> frequency{turn_of(1 / tau), turn_of(0.01L / tau)};
  std::vector<double> whole(500), part(100);
  sinusoid_power(frequency, 1000, 1, whole);
  sinusoid_power(frequency, 1000, 201, part);
  for (std::size_t i = 0; i < part.size(); ++i) CHECK(part[i] == whole[200 + i]);
}
