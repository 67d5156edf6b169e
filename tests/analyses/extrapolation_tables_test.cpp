#include "analyses/extrapolation_tables.hpp"

#include "math/random.hpp"
#include "support/catch.hpp"

#include <cmath>

using namespace posenc;
using namespace posenc::analyses;

namespace {

TableReader reader(Pos rows, Index channels, const std::function<double(Pos, Index)>& value) {
  return {rows, channels, [=](Pos first, Index count, double* out) {
            for (Index i = 0; i < count; ++i)
              for (Index c = 0; c < channels; ++c) *out++ = value(first + i, c);
          }};
}
double odd(const TableReader& t, TablePolicy p) { return reconstruction_error(t, p, 0.01); }
double tail(const TableReader& t, TablePolicy p) { return reconstruction_error_tail(t, p, 0.01); }

}  // namespace

TEST_CASE("a white table: sqrt(1 + sum of squared weights), 1.2247 linear, 1.2809 cubic, 1.3125 cubic-torch") {
  std::vector<double> z(2000 * 64);
  math::normal(math::Stream(1, "white table"), 0, z);
  const TableReader white = reader(2000, 64, [&](Pos r, Index c) { return 0.02 * z[static_cast<std::size_t>(r * 64 + c)]; });
  // Ratio of two sums of 64000 squares: relative deviation below 1 / sqrt(64000) = 0.004.
  CHECK(odd(white, TablePolicy::linear) == Approx(std::sqrt(1.5)).epsilon(0.012));
  CHECK(odd(white, TablePolicy::cubic) == Approx(std::sqrt(1 + 2 * (81 + 1) / 256.0)).epsilon(0.012));
  CHECK(odd(white, TablePolicy::cubic_torch) == Approx(std::sqrt(1 + 2 * (361 + 9) / 1024.0)).epsilon(0.012));
  CHECK(tail(white, TablePolicy::clamp) == Approx(std::sqrt(2)).epsilon(0.15));  // one row of 64 stands for all
  CHECK(tail(white, TablePolicy::modulo) == Approx(std::sqrt(2)).epsilon(0.03));
}

TEST_CASE("interpolation reproduces the polynomials of its order") {
  const TableReader line = reader(601, 3, [](Pos r, Index c) { return 2.0 * static_cast<double>(r) - static_cast<double>(c); });
  const TableReader square = reader(600, 2, [](Pos r, Index) { return std::pow(static_cast<double>(r) / 100, 2); });
  CHECK(odd(line, TablePolicy::linear) < 1e-15);
  CHECK(odd(line, TablePolicy::cubic) < 1e-15);
  CHECK(odd(line, TablePolicy::cubic_torch) < 1e-15);
  CHECK(odd(square, TablePolicy::cubic) < 1e-15);
  CHECK(odd(square, TablePolicy::cubic_torch) > 1e-8);  // a = -3/4 does not
}

TEST_CASE("the tail: 61 of 601 rows held out, predicted by each policy") {
  const auto value = [](Pos r, Index) { return static_cast<double>(r); };
  const TableReader line = reader(601, 2, value);
  double clamp = 0, modulo = 0, stretch = 0, norm = 0;
  for (Pos r = 540; r < 601; ++r) {
    const auto x = static_cast<double>(r);
    norm += x * x, clamp += (539 - x) * (539 - x), modulo += 540.0 * 540.0;
    stretch += std::pow(x * 539 / 600 - x, 2);
  }
  CHECK(tail(line, TablePolicy::clamp) == Approx(std::sqrt(clamp / norm)).epsilon(1e-13));
  CHECK(tail(line, TablePolicy::modulo) == Approx(std::sqrt(modulo / norm)).epsilon(1e-13));
  CHECK(tail(line, TablePolicy::linear) == Approx(std::sqrt(stretch / norm)).epsilon(1e-12));
  const TableReader constant = reader(50, 2, [](Pos, Index) { return 3.0; });
  for (const TablePolicy p :
       {TablePolicy::clamp, TablePolicy::modulo, TablePolicy::linear, TablePolicy::cubic, TablePolicy::cubic_torch})
    CHECK(tail(constant, p) < 1e-15);
}

TEST_CASE("policies that say nothing are NaN: error always, clamp and modulo about odd rows, tables too short for neighbours") {
  const TableReader some = reader(64, 4, [](Pos r, Index c) { return std::sin(static_cast<double>(r + c)); });
  CHECK(std::isnan(odd(some, TablePolicy::error)));
  CHECK(std::isnan(tail(some, TablePolicy::error)));
  CHECK(std::isnan(odd(some, TablePolicy::clamp)));
  CHECK(std::isnan(odd(some, TablePolicy::modulo)));
  const TableReader one = reader(1, 4, [](Pos, Index) { return 1.0; });
  CHECK(std::isnan(odd(one, TablePolicy::linear)));
  CHECK(std::isnan(tail(one, TablePolicy::clamp)));
  CHECK(std::isnan(odd(reader(5, 1, [](Pos, Index) { return 1.0; }), TablePolicy::cubic)));
}

TEST_CASE("the trigonometric fit continues a table that is one, and is a ridge fit by definition") {
  const TableReader waves = reader(400, 6, [](Pos r, Index c) {
    const double angle = static_cast<double>(r) * std::pow(10000.0, -static_cast<double>(c / 2) / 3);
    return c % 2 ? std::cos(angle) : std::sin(angle);
  });
  // The bias of the ridge is s2 over the smallest eigenvalue of the normalised Gram: it vanishes with s2.
  CHECK(odd(waves, TablePolicy::trigonometric) < 1e-2);
  CHECK(tail(waves, TablePolicy::trigonometric) < 0.1);
  CHECK(reconstruction_error(waves, TablePolicy::trigonometric, 1e-8) < 1e-6);
  CHECK(reconstruction_error(waves, TablePolicy::trigonometric, 1e8) == Approx(1).epsilon(1e-4));  // coefficients near 0
}
