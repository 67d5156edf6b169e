// The extension rules against another project's published test values (tests/data/peer_test_values.json) and small cases.
#include "support/scheme_cases.hpp"

using namespace posenc;
using test::check_same;
using test::scheme;
using test::thetas;

namespace {

std::vector<double> peer(const std::string& name) {
  std::ifstream in(POSENC_TEST_DATA "/peer_test_values.json");
  const nlohmann::json all = nlohmann::json::parse(in);
  for (const auto& c : all["cases"])
    if (c["name"] == name) return c["expected_inv_freq"].get<std::vector<double>>();
  FAIL(name);
  return {};
}

/// Five printed digits: half a unit of the fifth.
void check_printed(const std::vector<double>& ours, const std::vector<double>& printed) {
  REQUIRE(ours.size() == printed.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    INFO("[" << i << "] ours " << number_text(ours[i]) << ", printed " << number_text(printed[i]));
    const double unit = printed[i] == 0 ? 0 : std::pow(10, std::floor(std::log10(printed[i])) - 4);
    CHECK(std::abs(ours[i] - printed[i]) <= 0.5 * unit * (1 + 1e-9));
  }
}

}  // namespace

TEST_CASE("published test values to their five digits") {
  check_printed(thetas(scheme("rope")->lower(0)), peer("default"));
  check_printed(thetas(scheme("dynamic-ntk:factor=10,original=2048")->lower(16384)), peer("dynamic_factor10_seq16384"));
  const model::Encoding yarn = scheme("yarn:factor=10,original=2048")->lower(2048);
  check_printed(thetas(yarn), peer("yarn_factor10"));
  CHECK(std::abs(test::attention_factor(yarn) - 1.2302585092994045) <= 3e-16);
  check_printed(thetas(scheme("llama3:factor=10,original=2048")->lower(2048)), peer("llama3_factor10"));
  check_printed(thetas(scheme("proportional:partial=0.25")->lower(2048)), peer("proportional_partial0.25"));
}

TEST_CASE("linear is the plain frequencies over the factor, dynamic is plain within the training length") {
  const auto plain = thetas(scheme("rope")->lower(0));
  for (const char* factor : {"2", "10", "20"}) {
    const auto linear = thetas(scheme("pi:factor=" + std::string(factor))->lower(1));
    for (std::size_t i = 0; i < plain.size(); ++i) CHECK(std::abs(linear[i] * std::stod(factor) / plain[i] - 1) <= 3e-16);
    for (const model::Pos n : {0, 1, 4096}) CHECK(thetas(scheme("dynamic-ntk:factor=" + std::string(factor))->lower(n)) == plain);
    const auto yarn = thetas(scheme("yarn:original=2048,factor=" + std::string(factor))->lower(1));
    const auto llama = thetas(scheme("llama3:original=2048,factor=" + std::string(factor))->lower(1));
    for (const auto& scaled : {yarn, llama})
      for (std::size_t i = 0; i < plain.size(); ++i) {
        CHECK(scaled[i] <= plain[i]);
        CHECK(scaled[i] * std::stod(factor) >= plain[i] * (1 - 3e-16));
      }
  }
  const auto fast = thetas(scheme("yarn:original=2048,factor=10,beta-fast=1000")->lower(1));
  CHECK(fast[0] == plain[0]);
  for (std::size_t i = 1; i < plain.size(); ++i) CHECK(fast[i] < plain[i]);
  for (std::size_t i = 44; i < plain.size(); ++i)
    CHECK(std::abs(10 * fast[i] / plain[i] - 1) <= 3e-16);  // divided before rounding
  for (std::size_t i = 0; i < plain.size(); ++i)
    CHECK(thetas(scheme("llama3:original=2048,factor=10,high-freq-factor=1000")->lower(1))[i] < plain[i]);
}

TEST_CASE("proportional: whole heads, the slow pairs at rest") {
  const auto plain = thetas(scheme("rope")->lower(0));
  CHECK(thetas(scheme("proportional:partial=1")->lower(1)) == plain);
  CHECK(thetas(scheme("proportional:partial=1,factor=10")->lower(1)) == thetas(scheme("pi:factor=10")->lower(1)));
  const auto one = thetas(scheme("proportional:partial=0.5")->lower(1)),
             two = thetas(scheme("proportional:partial=0.5,factor=2")->lower(1));
  for (std::size_t i = 0; i < 64; ++i) CHECK(two[i] == one[i] / 2);
  CHECK(std::count(one.begin(), one.end(), 0.0) == 32);
  CHECK(thetas(scheme("proportional:factor=2")->lower(0)) == thetas(scheme("proportional")->lower(0)));
}

TEST_CASE("the base of NTK scaling") {
  // theta_1 = base'^(-2/d)
  const auto base = [](const std::vector<double>& t) { return std::pow(t[1], -64.0); };
  CHECK(std::abs(base(thetas(scheme("ntk:factor=8")->lower(1))) / 82684.62264056221 - 1) <= 1e-13);
  const auto slow = thetas(scheme("ntk:factor=8")->lower(1));
  CHECK(slow.front() == 1);
  CHECK(std::abs(slow.back() / thetas(scheme("rope")->lower(0)).back() - 0.125) <= 1e-16);
}

TEST_CASE("dynamic alpha follows the length, in a line or in steps") {
  const auto alpha = [](const std::string& encoding, model::Pos n) {
    const double base = std::pow(thetas(scheme(encoding)->lower(n))[1], -64.0);
    return std::pow(base / 10000, 126.0 / 128);
  };
  const auto close = [](double a, double b) { return std::abs(a - b) <= 1e-11 * b; };
  for (const auto& [n, value] : {std::pair{1024, 1.0}, std::pair{2048, 1.0}, std::pair{3072, 2.0}, std::pair{4096, 3.0}})
    CHECK(close(alpha("dynamic-ntk:factor=2,original=2048", n), value));
  for (const auto& [n, step, line] : {std::tuple{2049, 3.0, 1.00048828125}, std::tuple{3000, 3.0, 1.46484375},
                                      std::tuple{4096, 3.0, 2.0}, std::tuple{4097, 7.0, 2.00048828125}}) {
    CHECK(close(alpha("dynamic-ntk:original=2048,rule=stepwise", n), step));
    CHECK(close(alpha("dynamic-ntk:original=2048", n), line));
  }
  CHECK(close(alpha("dynamic-ntk:original=2048,rule=stepwise", 2048), 1));
}

TEST_CASE("the bands of llama3") {
  const auto count = [](const std::string& encoding, double factor) {
    const auto before = thetas(scheme(encoding)->lower(0)), after = thetas(scheme(encoding)->lower(1));
    std::array<int, 3> bands{};  // kept, blended, divided
    for (std::size_t i = 0; i < before.size(); ++i) ++bands[after[i] == before[i] ? 0 : after[i] == before[i] / factor ? 2 : 1];
    return bands;
  };
  CHECK(count("llama3:dim=64,base=500000,factor=32,original=8192", 32) == std::array{15, 3, 14});
  CHECK(count("llama3:base=500000,factor=8,original=8192", 8) == std::array{29, 6, 29});
  CHECK(count("llama3:factor=8,original=8192,low-freq-factor=1,high-freq-factor=1", 8)[1] == 0);
  CHECK(test::refusal("llama3:low-freq-factor=4,high-freq-factor=1") ==
        "llama3: high-freq-factor = 1: must be >= low-freq-factor = 4");
}

TEST_CASE("one pair cannot be rescaled through its base") {
  CHECK(test::refusal("ntk:dim=2") == "ntk: rotary-dim = 2: must not be 2: the exponent d/(d-2) needs two pairs");
  CHECK(test::refusal("dynamic-ntk:dim=8,partial=0.25") ==
        "dynamic-ntk: rotary-dim = 2: must not be 2: the exponent d/(d-2) needs two pairs");
}
