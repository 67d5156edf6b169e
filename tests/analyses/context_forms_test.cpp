#include "support/catch.hpp"
#include "support/custom_scheme.hpp"
#include "support/hand_built.hpp"
#include "support/math_reference.hpp"
#include "support/run_analysis.hpp"

using namespace posenc;
using namespace posenc::test;
using namespace posenc::model;

TEST_CASE("what does not rotate by the lag says why") {
  const std::map<std::string, std::string> reasons{
      {"alibi", "the encoding does not rotate"},  {"sinusoidal", "the encoding does not rotate"},
      {"nope", "the encoding does not rotate"},   {"axial-2d", "positions are points of a grid and have no lag"},
      {"fope", "the frequencies differ by head"}, {"rope:partial=0", "no pair turns"}};
  for (const auto& [encoding, reason] : reasons) {
    INFO(encoding);
    const MemorySink out = run("context", encoding, {{"length", "64"}});
    for (const char* name : {"score_gap", "first_negative_lag", "least_upper_bound", "critical_dimension", "beta1", "bands",
                             "base_infimum", "base_two_digits", "solve_base_nested", "power_law_exponent"})
      CHECK(out.reason(name) == reason);
  }
  const MemorySink mapped = run("context", "self-extend", {{"length", "64"}});
  CHECK(mapped.reason("score_gap") == "positions are mapped before they rotate");
  CHECK(mapped.has("critical_dimension"));
  const MemorySink single = run("context", "rope:frequencies=single", {{"length", "64"}});
  CHECK(single.reason("critical_dimension") == "the frequencies as trained are not b^(-2j/d)");
  CHECK(single.has("first_negative_lag"));
  const MemorySink damped = run("context", "xpos", {{"length", "64"}});
  CHECK(damped.reason("least_upper_bound") == "the rotation is damped");
  CHECK(damped.has("score_gap"));
}

TEST_CASE("fields of the form that no lag has are honoured") {
  Encoding e;
  e.head_dim = 8;
  Rotary r = rotary(4);
  e.terms.push_back(r);
  Request request;
  request.length = 32;
  CHECK(run_custom("context", e, request).has("score_gap"));
  r.query_turn = {math::Turn{}, math::Turn{std::uint64_t{3} << 62, 0}};
  e.terms = {r};
  CHECK(run_custom("context", e, request).reason("score_gap") == "queries of some heads are turned further");
  r.query_turn.clear();
  r.hyperbolic = true;
  e.terms = {r};
  CHECK(run_custom("context", e, request).reason("beta1") == "pairs meet hyperbolic functions, not rotations");
}

TEST_CASE("the sum of cosines is that of the pairs that turn, least below the length in use") {
  const MemorySink out = run("context", "rope:partial=0.5", {{"dim", "32"}, {"length", "500"}, {"at", "300"}});
  const auto& gap = out.data("score_gap");
  REQUIRE(gap.size() == 500);
  std::size_t least = 0;
  std::optional<std::size_t> negative;
  for (std::size_t m = 0; m < gap.size(); ++m) {
    double sum = 0;
    for (int j = 0; j < 8; ++j) sum += std::cos(static_cast<double>(m) * std::pow(10000, -j / 8.0));
    CHECK(gap[m] == Approx(sum).margin(1e-12));
    if (m < 300 && gap[m] < gap[least]) least = m;
    if (!negative && sum < 0) negative = m;
  }
  CHECK(out.scalar("least_score_gap") == gap[least]);
  CHECK(out.scalar("least_score_gap_lag") == static_cast<double>(least));
  CHECK(out.scalar("first_negative_lag") == static_cast<double>(negative.value()));
  CHECK(out.scalar("rotary_width") == 16);
  CHECK(out.scalar("rotary_base") == Approx(10000).epsilon(1e-13));
}

TEST_CASE("the base of a scheme is the number that it was given") {
  const auto base = [](const std::string& encoding) {
    return test::run("context", encoding, {{"length", "64"}}).scalar("rotary_base");
  };
  for (const char* given : {"10000", "500000", "1e7", "8000000", "5e8", "160000", "12345.678", "3.5"})
    for (const char* dim : {"16", "64", "96", "128", "256"}) {
      INFO(given << " " << dim);
      CHECK(base(std::string("rope:base=") + given + ",dim=" + dim) == parse_number("base", given));
    }
  // Thirteen digits: no rounder number has these frequencies.
  CHECK(base("rope:base=10000.00000012") == Approx(10000.00000012).epsilon(2e-13));
  CHECK(base("rope:base=10000.00000012") != 10000);
  // 10000 4^(16/14), from its definition.
  CHECK(base("ntk:factor=4,dim=16,original=64") == 10000);  // as trained
}

TEST_CASE("bases that hold: the least sum at an edge is zero, and the encoding's own sum says the same") {
  const MemorySink out = run("context", "rope", {{"dim", "32"}, {"length", "300"}, {"base-scan", "full"}, {"base-step", "1e-3"}});
  const auto &low = out.data("base_low"), &high = out.data("base_high");
  REQUIRE(low.size() > 1);
  CHECK(out.scalar("base_infimum") == low.front());
  CHECK(out.scalar("base_all_above") == low.back());
  CHECK(std::isinf(high.back()));
  const auto least = [](double base) {
    return run("context", "rope", {{"dim", "32"}, {"length", "300"}, {"base", number_text(base)}}).scalar("least_score_gap");
  };
  for (std::size_t w = 0; w < low.size(); ++w) {
    CHECK(least(low[w] * (1 + 1e-9)) >= 0);
    CHECK(least(low[w] * (1 - 1e-9)) < 0);
    if (std::isinf(high[w])) continue;
    CHECK(least(high[w] * (1 - 1e-9)) >= 0);
    CHECK(least(high[w] * (1 + 1e-9)) < 0);
  }
  CHECK(least(out.scalar("base_two_digits")) >= 0);
  CHECK(least(out.scalar("base_nested")) >= 0);
  CHECK(std::get<double>(out.attribute_of("base_infimum", "grid_step_ln_base")) == 1e-3);
}

TEST_CASE("bases for lengths asked for, and the power law through them") {
  const MemorySink out = run("context", "rope", {{"length", "64"}, {"solve-base", "1024/2048/4096"}});
  CHECK(out.at("solve_base_nested", {{"solve_length", 2048}}) == Approx(11587.4).epsilon(5e-5));
  CHECK(out.reason("solve_base_infimum") == "a search of seconds to a minute: ask with base-scan = full");
  const double c = out.scalar("solve_power_law_exponent"), a = out.scalar("solve_power_law_coefficient");
  // The residuals of least squares through three equidistant logarithms are (1, -2, 1) times one number.
  const auto residual = [&](double length) {
    return std::log(out.at("solve_base_nested", {{"solve_length", length}})) - std::log(a) - c * std::log(length);
  };
  CHECK(residual(2048) == Approx(-2 * residual(1024)).margin(1e-12));
  CHECK(residual(4096) == Approx(residual(1024)).margin(1e-12));
  CHECK(run("context", "rope", {{"length", "64"}, {"solve-base", "512"}}).reason("solve_power_law_exponent") ==
        "needs two different lengths");
  CHECK_THROWS_AS(run("context", "rope", {{"length", "64"}, {"solve-base", "512.5"}}), UsageError);
  const MemorySink full =
      run("context", "rope", {{"length", "64"}, {"solve-base", "64"}, {"base-scan", "full"}, {"base-step", "1e-3"}});
  CHECK(full.at("solve_base_infimum", {{"solve_length", 64}}) == full.scalar("base_infimum"));
}

TEST_CASE("bands of extensions") {
  const MemorySink pi = run("context", "pi:factor=4", {{"length", "64"}});
  CHECK(pi.at("bands", {{"band", "divided"}}) == 64);
  CHECK(std::isnan(pi.at("band_first", {{"band", "kept"}})));
  // The NTK base slows the last pair by the factor and keeps the first.
  const MemorySink ntk = run("context", "ntk:factor=4", {{"length", "64"}});
  CHECK(ntk.data("bands") == std::vector<double>{1, 62, 1});
  CHECK(ntk.scalar("rotary_base") == Approx(10000).epsilon(1e-13));
  const MemorySink plain = run("context", "rope", {{"length", "64"}});
  CHECK(plain.data("bands") == std::vector<double>{64, 0, 0});
}
