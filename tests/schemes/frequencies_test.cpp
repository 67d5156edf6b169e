// Exact frequencies against tests/data/scheme_frequencies.json (tools/reference/scheme_frequencies.py, mpmath at 60 digits).
#include "schemes/frequencies.hpp"

#include "support/scheme_cases.hpp"

using namespace posenc;

namespace {

nlohmann::json reference() {
  std::ifstream in(POSENC_TEST_DATA "/scheme_frequencies.json");
  return nlohmann::json::parse(in);
}
math::Turn turn(const std::string& hex) {
  return {std::stoull(hex.substr(0, 16), nullptr, 16), std::stoull(hex.substr(16), nullptr, 16)};
}

}  // namespace

TEST_CASE("frequencies are the definitions' to 2^-105 turn, and theta their nearest double") {
  // The 113-bit exp and log leave a relative error of at most ln(base) 2^-112 < 2^-107.
  const std::uint64_t unit = std::uint64_t{1} << (128 - 105);
  for (const auto& c : reference()) {
    INFO(c["encoding"]);
    const model::Encoding e = test::scheme(c["encoding"])->lower(c["sequence"].get<model::Pos>());
    const auto& frequency = std::get<model::Rotary>(e.terms.at(0)).frequency;
    REQUIRE(frequency.size() == c["turn"].size());
    for (std::size_t i = 0; i < frequency.size(); ++i) {
      INFO("pair " << i);
      const math::Turn off = frequency[i].turn - turn(c["turn"][i]) + math::Turn{0, unit};
      CHECK((off.hi == 0 && off.lo <= 2 * unit));
      CHECK(frequency[i].theta == std::stod(c["theta"][i].get<std::string>()));
    }
  }
}

TEST_CASE("the NTK base slows the last pair by exactly the factor") {
  const math::Real base = schemes::ntk_base(10000, 8, 128);
  CHECK(std::abs(base.convert_to<double>() - 82684.62264056221) <= 1e-10);
  const auto plain = schemes::geometric(10000, 128), slowed = schemes::geometric(base, 128);
  CHECK(abs(plain.back() / slowed.back() - 8) < math::Real(0x1p-100));
  CHECK(slowed.front() == 1);
}
