#include "support/measures.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

const nlohmann::json& published() {
  static const nlohmann::json all = nlohmann::json::parse(std::ifstream(POSENC_TEST_DATA "/published_decay.json"));
  return all;
}
template <class Use>
void each(const std::string& name, const Use& use) {
  std::size_t found = 0;
  for (const auto& e : published())
    if (e["name"] == name) {
      INFO(e.dump());
      use(e["inputs"], e["value"]);
      ++found;
    }
  CHECK(found > 0);
}
const MemorySink& rope(int dim, int length) {
  static std::map<std::pair<int, int>, MemorySink> runs;
  const auto key = std::pair{dim, length};
  if (!runs.contains(key))
    runs.emplace(key, run("decay", "rope", {{"dim", std::to_string(dim)}, {"length", std::to_string(length)}, {"samples", "1"}}));
  return runs.at(key);
}

}  // namespace

TEST_CASE("RoFormer sec. 3.4.3: the relative upper bound") {
  each("roformer_upper_bound_mean_abs_partial_sum", [](const auto& in, const double value) {
    CHECK(rope(in["d"], 256).at("upper_bound", {{"lag", in["s"].template get<double>()}}) == Approx(value).epsilon(1e-12));
  });
  const std::vector<std::pair<double, double>> digits{
      {0, 32.5}, {1, 31.5381661426580844}, {10, 17.9541371370848337}, {100, 10.2273299485051434}, {250, 6.5481790319415992}};
  for (const auto& [lag, value] : digits) CHECK(rope(128, 256).at("upper_bound", {{"lag", lag}}) == Approx(value).epsilon(1e-12));
}

TEST_CASE("Position interpolation, figure 5: B(s)/d stays above 1 up to 4096, its least value 1.1159 at 3643") {
  each("pi_B_over_d", [](const auto& in, const double value) {
    CHECK(rope(128, 4096).at("upper_bound_pi", {{"lag", in["s"].template get<double>()}}) == Approx(value).epsilon(1e-11));
  });
  const auto& bound = rope(128, 4096).data("upper_bound_pi");
  const auto least = std::min_element(bound.begin(), bound.end());
  CHECK(*least == Approx(1.1159079480172827).epsilon(1e-12));
  CHECK(least - bound.begin() == 3643);
}

TEST_CASE("TENER: products of sinusoidal rows") {
  each("sinusoidal_dot", [](const auto& in, const double value) {
    const int dim = in["d"];
    static std::map<int, MemorySink> runs;
    if (!runs.contains(dim))
      runs.emplace(dim, run("decay", "sinusoidal", {{"dim", std::to_string(dim)}, {"length", "5001"}, {"samples", "1"}}));
    // unit roundoff times the number of pairs, with room
    CHECK(runs.at(dim).at("score", {{"lag", in["k"].template get<double>()}}) * dim / 2 == Approx(value).margin(1e-12));
  });
}

TEST_CASE("ALiBi: the lags that hold 99 % of the mass, without end and within 2048") {
  const auto alibi = run("decay", "alibi:heads=8", {{"length", "2048"}, {"samples", "1"}});
  each("alibi_99pct_window_uniform_content", [&](const auto& in, const double value) {
    const double head = in["h"].template get<double>() - 1;
    CHECK(alibi.at("trf", {{"head", head}, {"eps", 0.01}}) == std::ceil(value));
  });
  CHECK(alibi.at("window", {{"head", 7}, {"mass", 0.99}}) == 1171);
  CHECK(alibi.at("window", {{"head", 0}, {"mass", 0.99}}) == 10);
}

TEST_CASE("xPos against rope: expectation curves, total and upward variation") {
  const auto xpos = run("decay", "xpos", {{"dim", "64"}, {"length", "2048"}, {"samples", "1"}});
  const auto check = [](const char* name, const MemorySink& ours) {
    each(name, [&](const auto& in, const auto& value) {
      for (std::size_t i = 0; i < in["n"].size(); ++i)
        CHECK(ours.at("score", {{"lag", in["n"][i].template get<double>()}}) ==
              Approx(value[i].template get<double>()).margin(1e-14));
    });
  };
  check("xpos_expectation_curve_rope", rope(64, 2048));
  check("xpos_expectation_curve_xpos", xpos);
  // Printed to one decimal.
  CHECK(rope(64, 2048).scalar("total_variation") == Approx(54.1).margin(0.05));
  CHECK(rope(64, 2048).scalar("upward_variation") == Approx(26.6).margin(0.05));
  CHECK(xpos.scalar("total_variation") == Approx(11.7).margin(0.05));
  CHECK(xpos.scalar("upward_variation") == Approx(5.4).margin(0.05));
}

// The list's sandwich counts frequencies from 0, the paper and decay_reference.json from 1.
TEST_CASE("entropy and 99 % window of the aligned model at 2048 lags") {
  const std::map<std::string, std::pair<std::string, double>> ours{{"rope", {"rope", -1}},
                                                                   {"pi", {"rope", -1}},
                                                                   {"yarn", {"rope", -1}},
                                                                   {"alibi_h1", {"alibi", 0}},
                                                                   {"alibi_h4", {"alibi", 3}},
                                                                   {"alibi_h8", {"alibi", 7}},
                                                                   {"nope", {"nope", -1}},
                                                                   {"xpos", {"xpos", -1}},
                                                                   {"kerple_log_r1=1", {"kerple:r1=1,r2=1", 0}},
                                                                   {"kerple_log_r1=2", {"kerple:r1=2,r2=1", 0}}};
  each("metric_mass", [&](const auto& in, const auto& value) {
    const auto at = ours.find(in["scheme"].template get<std::string>());
    if (at == ours.end()) return;
    const auto& [encoding, head] = at->second;
    const auto result = run("decay", encoding, {{"length", "2048"}, {"samples", "1"}});
    At scalar, window{{"mass", 0.99}};
    if (head >= 0) scalar["head"] = window["head"] = head;
    CHECK(result.at("entropy", scalar) == Approx(value["H_L"].template get<double>()).margin(1e-9));
    CHECK(result.at("window", window) == value["w99_L"].template get<double>());
  });
}

TEST_CASE("Barbero 2024: independent queries and keys see no decay under rope") {
  const MemorySink& r = rope(128, 256);
  for (std::size_t lag = 0; lag < 256; ++lag) {
    CHECK(r.at("logit_mean", {{"rho", 0.0}, {"lag", static_cast<double>(lag)}}) == 0);
    CHECK(r.at("logit_std", {{"rho", 0.0}, {"lag", static_cast<double>(lag)}}) == Approx(1).margin(1e-12));
  }
}
