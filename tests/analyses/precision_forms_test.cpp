#include "support/catch.hpp"
#include "support/custom_scheme.hpp"
#include "support/hand_built.hpp"
#include "support/math_reference.hpp"
#include "support/run_analysis.hpp"

#include <numbers>

using namespace posenc;
using namespace posenc::test;
using namespace posenc::model;

namespace {

const Options brief{{"position-horizon", "2000"}, {"dim", "32"}, {"length", "64"}};
Options with(Options more) {
  Options all = brief;
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace

TEST_CASE("what has no angle says why") {
  const std::map<std::string, std::string> reasons{
      {"alibi", "a bias has no angle"},
      {"nope", "the encoding has no positional term"},
      {"learned", "positions are indices of rows, not factors of an angle"},
      {"shaw", "lags are indices of rows, not factors of an angle"},
      {"mixed-2d", "positions are points of a grid"},
      {"rope:partial=0", "no pair turns"},
      {"longrope:factor=4,start-tokens=3", "the first positions rotate by other frequencies than the rest"}};
  for (const auto& [encoding, reason] : reasons) {
    INFO(encoding);
    const MemorySink out = run("precision", encoding, {{"position-horizon", "2000"}, {"length", "64"}});
    for (const char* name : {"phase_error", "phase_error_max", "phase_error_of_pair", "first_position", "distinct_positions",
                             "first_collision", "table_error", "shift_error", "shift_error_sampled", "logit_error"})
      CHECK(out.reason(name) == reason);
  }
}

TEST_CASE("angles that are no rotation have errors, and no shift") {
  const MemorySink table = run("precision", "sinusoidal", brief), rope = run("precision", "rope", brief);
  CHECK(table.data("phase_error") == rope.data("phase_error"));
  CHECK(table.data("table_error") == rope.data("table_error"));
  CHECK(table.reason("shift_error") == "only rotations meet as functions of the lag");
  const MemorySink mixed = run("precision", "fope", {{"position-horizon", "300"}, {"length", "64"}});
  CHECK(mixed.has("phase_error"));
  CHECK(mixed.reason("table_error") == "the cosines stored are sums over several frequencies");
  CHECK(run("precision", "xpos", brief).reason("shift_error") == "the damping is rounded by no recipe");
}

TEST_CASE("a recurrence is for geometric frequencies alone") {
  const MemorySink out = run("precision", "yarn:factor=4,original=64", brief);
  CHECK_THROWS(out.at("phase_error", {{"recipe", "recurrence32-angle"}, {"position", 1}}));
  CHECK(std::get<std::string>(out.attribute_of("", "recipes_left_out")) ==
        "recurrence32-frequency, recurrence32-angle: the frequencies are no geometric sequence");
  // PI divides all alike: still geometric, from 1/4.
  const MemorySink pi = run("precision", "pi:factor=4", brief);
  CHECK(pi.at("phase_error", {{"recipe", "recurrence32-angle"}, {"position", 1}}) < 1e-6);
}

TEST_CASE("recipes can be chosen, and an unknown one is named") {
  const MemorySink all = run("precision", "rope", brief);
  const MemorySink two = run("precision", "rope", with({{"recipes", "bf16-all/float32"}}));
  CHECK(two.words("recipe") == std::vector<std::string>{"float32", "bf16-all"});
  for (const char* name : {"float32", "bf16-all"})
    for (const char* variable : {"phase_error", "phase_error_max", "table_error"})
      CHECK(two.at(variable, {{"recipe", name}, {"position", 262}}) == all.at(variable, {{"recipe", name}, {"position", 262}}));
  CHECK_THROWS_AS(run("precision", "rope", with({{"recipes", "bf16-al"}})), UsageError);
  CHECK_THROWS_AS(run("precision", "rope", with({{"position-horizon", "2T"}})), UsageError);
  CHECK_THROWS_AS(run("precision", "rope", with({{"position-horizon", "2000000000000"}})), UsageError);
}

TEST_CASE("a pair's error is its own: the largest over pairs is the largest by position") {
  const MemorySink out = run("precision", "rope", brief);
  const std::size_t recipes = out.words("recipe").size(), positions = out.data("position").size(),
                    pairs = out.data("pair").size();
  for (std::size_t r = 0; r < recipes; ++r) {
    const auto largest = [&](const char* name, std::size_t n) {
      const auto begin = out.data(name).begin() + static_cast<std::ptrdiff_t>(r * n);
      return *std::max_element(begin, begin + static_cast<std::ptrdiff_t>(n));
    };
    CHECK(largest("phase_error_of_pair", pairs) == largest("phase_error", positions));
    CHECK(largest("phase_error_max", positions) >= largest("phase_error", positions));
  }
  // float32 rounds the first frequency, 1, to itself.
  CHECK(out.at("phase_error_of_pair", {{"recipe", "float32-frequency"}, {"pair", 0}}) == 0);
}

TEST_CASE("draws agree with the closed form, and rounded outputs change scores by what their format resolves") {
  const Options options{{"position-horizon", "300"}, {"length", "64"}, {"dim", "128"}, {"shift-samples", "4000"}};
  const MemorySink out = run("precision", "rope", options);
  // The rms of 4000 draws has a relative deviation of about 1/sqrt(8000) and more for heavier tails.
  for (const char* recipe : {"bf16-storage", "bf16-positions", "float32-angle", "fp16-storage"})
    for (const double shift : {16.0, 4096.0, 1048576.0}) {
      const double closed = out.at("shift_error", {{"recipe", recipe}, {"shift", shift}});
      if (closed < 1e-12 || std::isnan(closed)) continue;
      INFO(recipe << " " << shift);
      CHECK(out.at("shift_error_sampled", {{"recipe", recipe}, {"shift", shift}}) == Approx(closed).epsilon(0.08));
    }
  for (const double shift : {256.0, 65536.0}) {
    CHECK(std::isnan(out.at("shift_error", {{"recipe", "bf16-output"}, {"shift", shift}})));
    // Wang 2024: 3e-3, flat in the shift. A rounding to 8 digits has a relative rms error of 2^-8 / sqrt(12) times up to 1 /
    // 0.72.
    CHECK(out.at("shift_error_sampled", {{"recipe", "bf16-output"}, {"shift", shift}}) == Approx(3e-3).epsilon(0.15));
    CHECK(out.at("logit_error", {{"recipe", "bf16-storage"}, {"shift", shift}}) == Approx(2.6e-3 / std::sqrt(2)).epsilon(0.15));
  }
  CHECK(std::isnan(out.at("shift_error", {{"recipe", "fp16-positions"}, {"shift", 65536}})));
  CHECK(out.at("shift_error", {{"recipe", "float32-positions"}, {"shift", 65536}}) < 1e-14);
}

TEST_CASE("heads with frequencies of their own are looked at together") {
  Encoding e;
  e.head_dim = 4;
  Rotary r;
  r.head_dim = 4, r.heads = 2, r.per_head = true;
  for (const double t : {1.0, 0.3, 0.7, 0.11}) r.frequency.push_back(frequency(t));
  r.channel = {{0, 1}, {2, 3}};
  e.terms.push_back(r);
  Request request;
  request.length = 64, request.position_horizon = 500;
  const MemorySink out = run_custom("precision", e, request);
  CHECK(out.data("frequency") == std::vector<double>{1.0, 0.3, 0.7, 0.11});
  CHECK_THROWS(out.at("phase_error", {{"recipe", "recurrence32-angle"}, {"position", 1}}));
  // 5 * (bf16(0.3) - 0.3), bf16(0.3) = 0.30078125, is more than the others' error.
  CHECK(out.at("phase_error", {{"recipe", "bf16-frequency"}, {"position", 5}}) ==
        Approx(5 * std::max({0.30078125 - 0.3, std::abs(0.69921875 - 0.7), std::abs(0.10986328125 - 0.11)})).epsilon(1e-12));
  r.hyperbolic = true;
  e.terms = {r};
  CHECK(run_custom("precision", e, request).reason("phase_error") == "pairs meet hyperbolic functions, which have no angle");
}

TEST_CASE("the same bytes for any number of threads") {
  const auto results = at_thread_counts([] {
    const MemorySink out = run("precision", "rope:partial=0.5", with({{"position-horizon", "40000"}}));
    std::vector<double> all;
    for (const char* name :
         {"phase_error", "phase_error_max", "phase_error_of_pair", "table_error", "shift_error_sampled", "logit_error"})
      all.insert(all.end(), out.data(name).begin(), out.data(name).end());
    return all;
  });
  CHECK(same_bits(results[0], results[1]));
  CHECK(same_bits(results[0], results[2]));
}
