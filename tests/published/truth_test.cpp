#include "app/data_folder.hpp"
#include "app/published/verdict.hpp"
#include "support/catch.hpp"

#include <cmath>

using namespace posenc::app;

namespace {

TruthRow row(const std::string& family, double excess, double measure) {
  return {{family, "none", family, ""}, {excess}, {{"m", {measure}}}};
}

}  // namespace

TEST_CASE("ranks: ties share their mean") {
  CHECK(ranks({3, 1, 2}) == std::vector<double>{3, 1, 2});
  CHECK(ranks({5, 1, 5, 0}) == std::vector<double>{3.5, 2, 3.5, 1});
  CHECK(ranks({5 * (1 + 1e-13), 5, 5 * (1 + 1e-11), -5}) == std::vector<double>{2.5, 2.5, 4, 1});
}

// By hand: ranks 1 2 3 4 against 2 1 4 3: 1 - 6 (1 + 1 + 1 + 1)/(4 15) = 0.6.
TEST_CASE("Spearman's correlation, without one family, and without rows that have no measure") {
  TruthTable t{{4}, {"m"}, {row("a", 2, 0.1), row("b", 1, 0.2), row("c", 4, 0.3), row("d", 3, 0.4)}};
  CHECK(spearman(t, "m", 4) == Approx(0.6).epsilon(1e-15));
  CHECK(spearman(t, "m", 4, "b") == Approx(0.5).epsilon(1e-15));  // 1 2 3 against 1 3 2: 1 - 6 2/(3 8)
  t.rows.push_back(row("e", 0, std::nan("")));
  CHECK(spearman(t, "m", 4) == Approx(0.6).epsilon(1e-15));
  t.rows.resize(2);
  CHECK(std::isnan(spearman(t, "m", 4)));
}

// data/truth/metrics_vs_truth.csv: means over two seeds, and the script's own measures where posenc defines the same.
TEST_CASE("excess losses and measures of the trained models are those of their own table") {
  const auto judged = reproduce(read_published(data_folder() + "/published", {"extrapolation-truth"}), nullptr, {});
  REQUIRE(judged.front().truth);
  const TruthTable& t = *judged.front().truth;
  CHECK(t.factors == std::vector<double>{2, 4, 8});
  CHECK(t.rows.size() == 19);
  const auto of = [&](const char* scheme, const char* variant) -> const TruthRow& {
    for (const TruthRow& r : t.rows)
      if (r.unit.scheme == scheme && r.unit.variant == variant) return r;
    throw std::out_of_range(scheme);
  };
  CHECK(of("rope", "none").excess[1] == Approx(2.02210).margin(2e-5));
  CHECK(of("deberta", "none").excess[2] == Approx(0.02045).margin(2e-5));
  CHECK(of("learned", "linear").excess[0] == Approx(0.09118).margin(2e-5));
  CHECK(of("rope", "yarn").measures.at("undetermined_variance_mean")[1] == Approx(0.000784634).epsilon(1e-5));
  CHECK(of("txl", "none").measures.at("undetermined_variance_mean")[2] == Approx(0.541909).epsilon(1e-5));
  CHECK(of("xpos", "none").measures.at("unseen_pairs")[0] == Approx(0.625).epsilon(1e-12));
  // Ridge on one-hot rows, each met once: 1 / (1 + 1/0.01), whatever mixture of rows is used.
  for (const char* beyond : {"clamp", "linear"})
    for (const double u : of("learned", beyond).measures.at("undetermined_variance_mean"))
      CHECK(u == Approx(1 / 101.0).epsilon(1e-12));
  // The same frequencies have the same measure: a tie, whatever their last bits.
  CHECK(of("txl", "none").measures.at("undetermined_variance_mean")[1] ==
        Approx(of("sinusoidal", "none").measures.at("undetermined_variance_mean")[1]).epsilon(1e-12));
  // The page of the definition, section 3, three digits.
  CHECK(of("rope", "none").measures.at("window_error")[1] == Approx(0.639).margin(6e-4));
  CHECK(of("t5", "none").measures.at("window_error")[2] == Approx(0.270).margin(6e-4));
  CHECK(of("learned", "clamp").measures.at("window_error")[1] == Approx(0.573).margin(6e-4));
  CHECK(of("learned", "linear").measures.at("window_error")[1] == Approx(0.339).margin(6e-4));
  CHECK(of("xpos", "none").measures.at("retrieval_error")[1] == Approx(0.398).margin(1.1e-3));  // another minimiser
}
