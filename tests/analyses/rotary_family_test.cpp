// Imaginary heads, hyperbolic pairs, linear attention, encodings that change their form: what every analysis makes of them.
#include "support/catch.hpp"
#include "support/run_analysis.hpp"

#include <cmath>
#include <numbers>

using namespace posenc;
using namespace posenc::test;

namespace {

double theta(int i, int d) { return std::pow(10000.0, -2.0 * i / d); }

}  // namespace

TEST_CASE("encodings: a head dimension and the turn of imaginary queries") {
  const MemorySink r = run("encodings", "rope-pp:dim=8,heads=2", {{"length", "16"}});
  CHECK(r.at("query_turn", {{"head", 0}, {"pair", 3}}) == 0);
  CHECK(r.at("query_turn", {{"head", 1}, {"pair", 3}}) == -std::numbers::pi / 2);
  for (const int head : {0, 1}) {  // those of a key
    CHECK(std::abs(r.at("cos", {{"position", 5}, {"head", head}, {"pair", 1}}) - std::cos(5 * theta(1, 8))) < 1e-15);
    CHECK(std::abs(r.at("sin", {{"position", 5}, {"head", head}, {"pair", 1}}) - std::sin(5 * theta(1, 8))) < 1e-15);
  }
}

TEST_CASE("encodings: hyperbolic pairs by lag, and no cosines") {
  const MemorySink r = run("encodings", "hope-hyperbolic:dim=8,damping=1.25", {{"length", "2000"}});
  CHECK(r.at("rapidity", {{"pair", 1}}) == theta(1, 8));
  CHECK(r.at("log_damping", {{"pair", 3}}) == -1.25);
  for (const int lag : {0, 1, 7, 40}) {
    const double x = lag * theta(1, 8), fall = std::exp(-1.25 * lag);
    CHECK(r.at("cosh", {{"lag", lag}, {"pair", 1}}) == Approx(fall * std::cosh(x)).epsilon(1e-13));
    CHECK(r.at("sinh", {{"lag", lag}, {"pair", 1}}) == Approx(fall * std::sinh(x)).epsilon(1e-13));
  }
  for (const double x : r.data("cosh")) REQUIRE(std::isfinite(x));
  for (const char* name : {"cos", "sin", "frequency", "wavelength"})
    CHECK(r.reason(name).find("do not turn") != std::string::npos);
}

TEST_CASE("decay: the kernel of imaginary heads is the mean sine") {
  const MemorySink r = run("decay", "rope-pp:dim=16,heads=2", {{"length", "500"}, {"samples", "64"}});
  for (const int lag : {0, 1, 2, 31, 499}) {
    double cosine = 0, sine = 0;
    for (int i = 0; i < 8; ++i) cosine += std::cos(lag * theta(i, 16)) / 8, sine += std::sin(lag * theta(i, 16)) / 8;
    CHECK(std::abs(r.at("score", {{"head", 0}, {"lag", lag}}) - cosine) < 1e-13);
    CHECK(std::abs(r.at("score", {{"head", 1}, {"lag", lag}}) - sine) < 1e-13);
    CHECK(r.at("upper_bound", {{"head", 0}, {"lag", lag}}) == r.at("upper_bound", {{"head", 1}, {"lag", lag}}));
  }
  CHECK(r.at("first_increase", {{"head", 1}}) == 1);  // from 0 on
  // Imaginary scores of equal queries and keys: mean sqrt(d) sine, and no score at lag 0.
  CHECK(std::abs(r.at("logit_mean", {{"head", 1}, {"rho", 1}, {"lag", 0}})) < 1e-15);
}

TEST_CASE("decay: hyperbolic pairs fall without a turn") {
  const MemorySink r = run("decay", "hope-hyperbolic:dim=8,damping=1.125", {{"length", "300"}, {"samples", "64"}});
  for (const int lag : {0, 1, 5, 100}) {
    double mean = 0;
    for (int i = 0; i < 4; ++i) mean += std::exp(-1.125 * lag) * std::cosh(lag * theta(i, 8)) / 4;
    CHECK(r.at("score", {{"lag", lag}}) == Approx(mean).epsilon(1e-12));
  }
  CHECK((std::isnan(r.scalar("first_increase")) && std::isnan(r.scalar("first_negative"))));
  CHECK(!r.reason("upper_bound").empty());
}

TEST_CASE("periodicity and ambiguity: hyperbolic pairs neither turn nor have places") {
  const MemorySink p = run("periodicity", "hope-hyperbolic:dim=8", {{"length", "64"}});
  CHECK(p.reason("wavelength") == "hyperbolic pairs do not turn");
  const MemorySink a = run("ambiguity", "hope-hyperbolic:dim=8", {{"length", "64"}});
  CHECK(a.reason("distance") == "queries and keys of hyperbolic pairs shrink and grow: positions have no distance");
  CHECK(a.reason("distinct_codes") == "every lag has hyperbolic angles of its own: see score of decay");
}

TEST_CASE("periodicity and ambiguity: positions of imaginary heads are those of real ones") {
  const MemorySink p = run("periodicity", "rope-pp:dim=8,heads=2", {{"length", "64"}});
  const MemorySink a = run("ambiguity", "rope-pp:dim=8,heads=2", {{"length", "64"}});
  for (const int pair : {0, 3})
    CHECK(p.at("wavelength", {{"head", 1}, {"pair", pair}}) == p.at("wavelength", {{"head", 0}, {"pair", pair}}));
  for (const int lag : {1, 13, 63})
    CHECK(a.at("distance", {{"head", 1}, {"lag", lag}}) == a.at("distance", {{"head", 0}, {"lag", lag}}));
}

TEST_CASE("periodicity: pairs that turn backwards have wavelengths too") {
  const MemorySink back = run("periodicity", "grape-m:dim=8", {{"length", "64"}}),
                   rope = run("periodicity", "rope:dim=8", {{"length", "64"}});
  for (const char* name : {"wavelength", "turns", "pairs_below_one_turn"}) CHECK(back.data(name) == rope.data(name));
  CHECK(run("encodings", "grape-m:dim=8", {{"length", "4"}}).data("wavelength") ==
        run("encodings", "rope:dim=8", {{"length", "4"}}).data("wavelength"));
}

TEST_CASE("linear attention: geometry stays, softmax and logits do not apply") {
  const Options options{{"length", "64"}, {"samples", "64"}};
  const MemorySink r = run("decay", "linear-rope:dim=16", options);
  CHECK(r.data("score") == run("decay", "rope:dim=16,layout=interleaved", options).data("score"));
  for (const char* name : {"logit_mean", "logit_std", "logit_quantile"})
    CHECK(r.reason(name) == "linear attention has no logits: its weights are ratios of feature maps");
  CHECK(r.reason("attention") == "linear attention has no softmax");
  const MemorySink x = run("extrapolation", "linear-rope:dim=8", {{"length", "32"}, {"extend", "2"}});
  for (const char* name : {"leak", "window_error", "retrieval_error"}) CHECK(x.reason(name) == "linear attention has no softmax");
  CHECK(x.has("unseen_phase"));
}

TEST_CASE("extrapolation: imaginary heads, hyperbolic pairs, and rotations that are dropped or stay in chunks") {
  const Options options{{"length", "32"}, {"extend", "2"}};
  const MemorySink pp = run("extrapolation", "rope-pp:dim=8,heads=2", options);
  // A turn mixes the columns of a pair: what training determines is the same.
  CHECK(pp.at("undetermined_variance_mean", {{"head", 0}, {"factor", 2}}) ==
        pp.at("undetermined_variance_mean", {{"head", 1}, {"factor", 2}}));
  const MemorySink hope = run("extrapolation", "hope-hyperbolic:dim=8,damping=1.0625", options);
  CHECK(hope.reason("unseen_phase") == "the features are not cosines and sines of the lag");
  CHECK(hope.at("leak", {{"factor", 2}}) >= 0);
  const MemorySink dropped = run("extrapolation", "drope:dim=8", options);
  CHECK(dropped.reason("undetermined_variance") == "trained and used features are of different spaces");
  CHECK(dropped.at("leak", {{"factor", 2}}) == Approx(0.5));  // nope attends evenly
  const MemorySink chunks = run("extrapolation", "irope:dim=8,chunk=16", options);
  CHECK(chunks.reason("undetermined_variance_mean") == "every key beyond the training length is masked");
}
