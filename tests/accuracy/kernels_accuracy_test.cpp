// Error bounds of the kernels, each the constant of its header, at positions to 10^9 and 2^53 against 60-digit values.
#include "math/cosine_sum.hpp"
#include "math/fft.hpp"
#include "math/partial_sums.hpp"
#include "math/phase_table.hpp"
#include "support/catch.hpp"
#include "support/math_reference.hpp"

#include <cmath>

using namespace posenc::math;
using namespace posenc::test;

TEST_CASE("cosines and sines of a table's rows") {
  double most = 0;
  for (const auto& c : math_reference("phase_table")) {
    const auto f = geometric(c["base"], c["dim"]);
    std::vector<double> cosines(f.size()), sines(f.size()), alone(f.size()), unused(f.size());
    const auto p = c["position"].get<std::int64_t>();
    phase_table(f, p, 1, cosines.data(), sines.data());
    std::vector<Turn> turns;
    for (const Turn t : f) turns.push_back(times(p, t));
    sincos_turns(turns, alone.data(), unused.data());
    const auto step = c["step"].get<std::size_t>();
    for (std::size_t k = 0; k < c["cos"].size(); ++k) {
      most = std::max({most, std::abs(off(cosines[k * step], c["cos"][k])), std::abs(off(sines[k * step], c["sin"][k]))});
      CHECK(std::abs(off(alone[k * step], c["cos"][k])) <= 1.6e-16);
    }
  }
  INFO("largest error " << most);
  CHECK(most <= phase_table_error);
}

TEST_CASE("cosine sums and their deficits") {
  for (const auto& c : math_reference("cosine_sums")) {
    const auto f = geometric(c["base"], c["dim"]);
    const auto weight = c["weight"].get<std::vector<double>>(), damping = c["log_damping"].get<std::vector<double>>();
    const auto s = c["lag"].get<std::int64_t>();
    const double sum = c["sum"], deficit = c["deficit"], bound = cosine_sum_error * c["scale"].get<double>();
    std::vector<double> row(1), alone(1);
    INFO("base " << c["base"] << " dim " << c["dim"] << " lag " << s);
    cosine_sum(f, weight, damping, s, row);
    cosine_sum_at(f, weight, damping, std::vector{s}, alone);
    CHECK(std::abs(row[0] - sum) <= bound);
    CHECK(std::abs(alone[0] - sum) <= bound);
    cosine_deficit(f, weight, damping, s, row);
    cosine_deficit_at(f, weight, damping, std::vector{s}, alone);
    CHECK(std::abs(row[0] - deficit) <= cosine_deficit_error * std::abs(deficit));
    CHECK(std::abs(alone[0] - deficit) <= cosine_deficit_error * std::abs(deficit));
  }
}

TEST_CASE("mean moduli of partial sums") {
  for (const auto& c : math_reference("partial_sums")) {
    const auto f = geometric(c["base"], c["dim"]);
    std::vector<double> out(1);
    mean_abs_partial_sum(f, c["lag"].get<std::int64_t>(), out);
    CHECK(std::abs(off(out[0], c["mean"])) <= partial_sums_error * static_cast<double>(f.size()));
  }
}

TEST_CASE("power spectra of any length") {
  for (const auto& c : math_reference("spectra")) {
    const auto rows = c["rows"].get<std::int64_t>(), columns = c["columns"].get<std::int64_t>();
    const auto table = c["table"].get<std::vector<double>>(), expected = c["power"].get<std::vector<double>>();
    std::vector<double> power(static_cast<std::size_t>(rows / 2 + 1));
    mean_power_spectrum(table.data(), rows, columns, power);
    double squares = 0;
    for (const double x : table) squares += x * x;
    const double scale = std::sqrt(static_cast<double>(rows) * squares / static_cast<double>(columns));
    for (std::size_t k = 0; k < power.size(); ++k)
      CHECK(std::abs(std::sqrt(power[k]) - std::sqrt(expected[k])) <= mean_power_error * scale);
  }
}
