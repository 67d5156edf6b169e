#include "analyses/extrapolation_coverage.hpp"
#include "math/parallel.hpp"
#include "support/run_analysis.hpp"

#include "support/catch.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

using namespace posenc;
using namespace posenc::analyses;
using test::At;

namespace {

/// Rotary with a window of visible keys.
class Windowed : public model::Scheme {
 public:
  Windowed(Pos length, Pos window) : window_(window) {
    original_ = length;
    rope_ = test::subject("rope", {{"dim", "16"}, {"length", std::to_string(length)}});
  }
  model::SchemeInfo info() const override { return {"windowed", "", "", ""}; }
  Encoding lower(Pos n) const override {
    Encoding e = rope_.scheme->lower(n);
    e.visible = [w = window_](Pos m, Pos k) { return m - k < w; };
    return e;
  }

 private:
  Fields own_fields() override { return {}; }
  Pos window_;
  model::Subject rope_;
};

test::MemorySink run(const model::Subject& s) {
  const auto analysis = analyses::registry().make("extrapolation");
  test::MemorySink sink(analysis->schema(s));
  analysis->run(s, sink);
  sink.complete();
  return sink;
}
test::MemorySink windowed(Pos window) {
  model::Subject s{"windowed", std::make_shared<Windowed>(64, window), {}};
  s.request.length = 64;
  s.request.extend = {2};
  return run(s);
}

}  // namespace

TEST_CASE("a learned table: everything beyond its rows is undetermined, one observation a row within") {
  const auto out = test::run("extrapolation", "learned", {{"length", "64"}, {"dim", "8"}, {"extend", "2"}});
  CHECK(out.at("undetermined_variance_in", {{"factor", 2.0}}) == Approx(1 / 101.0).epsilon(1e-15));
  CHECK(out.at("undetermined_variance_mean", {{"factor", 2.0}}) == 1);
  CHECK(out.at("unseen_fraction", {{"factor", 2.0}}) == 1);
  CHECK(out.at("distinct_fraction", {{"factor", 2.0}}) == 1);
  CHECK(out.at("fit_blowup_max", {{"factor", 2.0}}) == 0);
  CHECK_FALSE(out.reason("leak").empty());
  CHECK_FALSE(out.reason("unseen_phase").empty());
  CHECK(out.has("reconstruction_error_tail"));
}

TEST_CASE("a learned table with a policy beyond its rows: mixtures of rows that were each met once") {
  const test::At at{{"factor", 2.0}};
  double squares = 0;  // |phi|^2 of the mixtures at positions 64 .. 127, p 63/127
  for (int p = 64; p < 128; ++p) {
    const double share = (p * 63 % 127) / 127.0;
    squares += (1 - share) * (1 - share) + share * share;
  }
  for (const auto& [beyond, codes, rms] : {std::tuple{"clamp", 0.5, 1.0}, std::tuple{"linear", 1.0, std::sqrt(squares / 64)}}) {
    INFO(beyond);
    const auto out =
        test::run("extrapolation", std::string("learned:beyond=") + beyond, {{"length", "64"}, {"dim", "8"}, {"extend", "2"}});
    CHECK(out.at("undetermined_variance_mean", at) == Approx(1 / 101.0).epsilon(1e-14));
    CHECK(out.at("undetermined_variance_max", at) == Approx(1 / 101.0).epsilon(1e-14));
    CHECK(out.at("fit_blowup_rms", at) == Approx(rms).epsilon(1e-13));
    CHECK(out.at("fit_blowup_max", at) == Approx(1).epsilon(1e-13));
    CHECK(out.at("unseen_fraction", at) == 0);
    CHECK(out.at("distinct_fraction", at) == codes);
    CHECK(out.at("leak", at) > 0);
    CHECK(out.has("window_error"));
  }
  // More rows than training positions: those between were never met, whatever comes beyond them.
  const auto half =
      test::run("extrapolation", "learned:rows=128,original=64,dim=8,beyond=clamp", {{"length", "64"}, {"extend", "2"}});
  CHECK(half.at("unseen_fraction", at) == 1);
  CHECK_FALSE(half.reason("window_error").empty());
}

TEST_CASE("FIRE: four training queries together, against a Gaussian process on those pairs") {
  const auto subject = test::subject("fire", {{"length", "32"}, {"heads", "2"}, {"extend", "2"}});
  const auto out = run(subject);
  const Encoding e = subject.as_trained();
  const auto* bias = form<Bias>(e);
  std::vector<std::pair<Pos, Pos>> pairs;
  for (const Pos m : {8, 16, 24, 31})
    for (Pos n = 0; n <= m; ++n) pairs.emplace_back(m, n);
  const auto p = static_cast<Index>(bias->unknowns), count = static_cast<Index>(pairs.size());
  Eigen::MatrixXd x(p, count), t(p, 64);
  for (Index i = 0; i < count; ++i)
    bias->features(1, pairs[static_cast<std::size_t>(i)].first, pairs[static_cast<std::size_t>(i)].second, x.col(i).data());
  for (Index s = 0; s < 64; ++s) bias->features(1, 63, 63 - s, t.col(s).data());
  const double scale = std::sqrt(static_cast<double>(count) / x.squaredNorm());
  x *= scale, t *= scale;
  const Eigen::MatrixXd K = x.transpose() * x + 0.01 * Eigen::MatrixXd::Identity(count, count);
  double sum = 0;
  for (Index s = 32; s < 64; ++s) {
    const Eigen::VectorXd k = x.transpose() * t.col(s);
    const double left = (t.col(s).squaredNorm() - k.dot(K.ldlt().solve(k))) / t.col(s).squaredNorm();
    CHECK(out.at("undetermined_variance", {{"head", 1.0}, {"factor", 2.0}, {"lag", static_cast<double>(s)}}) ==
          Approx(left).epsilon(1e-8));
    sum += left;
  }
  CHECK(out.at("undetermined_variance_mean", {{"head", 1.0}, {"factor", 2.0}}) == Approx(sum / 32).epsilon(1e-8));
}

TEST_CASE("a position map: the undetermined variance at a lag is rope's at the mapped lag") {
  const test::Options options{{"length", "128"}, {"dim", "32"}, {"extend", "4"}};
  const auto rope = test::run("extrapolation", "rope", options),
             mapped = test::run("extrapolation", "self-extend:group=8,window=32", options);
  for (const double s : {0.0, 31.0, 100.0}) {
    const At at{{"factor", 4.0}, {"lag", s}};
    CHECK(mapped.at("undetermined_variance", at) == Approx(rope.at("undetermined_variance", at)).epsilon(1e-12));  // as trained
  }
  for (const Pos s : {128, 200, 511}) {
    const Pos lag = 511 / 8 + 32 - 4 - (511 - s) / 8;
    CHECK(mapped.at("undetermined_variance", {{"factor", 4.0}, {"lag", static_cast<double>(s)}}) ==
          Approx(rope.at("undetermined_variance", {{"factor", 4.0}, {"lag", static_cast<double>(lag)}})).epsilon(1e-9));
  }
  CHECK(mapped.at("unseen_phase", {{"factor", 4.0}}) == 0);
  CHECK(mapped.at("distinct_fraction", {{"factor", 4.0}}) == Approx(92 / 512.0).epsilon(1e-14));  // lags 0..31, then 32..91
}

TEST_CASE("masks: a window inside the training length leaves nothing beyond; a longer one leaves what it shows") {
  const auto inside = windowed(16);
  CHECK(inside.reason("undetermined_variance_mean").find("masked") != std::string::npos);
  CHECK(inside.reason("unseen_phase").find("masked") != std::string::npos);
  CHECK(inside.at("leak", {{"factor", 2.0}}) == 0);
  CHECK(std::isnan(inside.at("undetermined_variance", {{"factor", 2.0}, {"lag", 16.0}})));
  CHECK_FALSE(std::isnan(inside.at("undetermined_variance", {{"factor", 2.0}, {"lag", 15.0}})));
  const auto longer = windowed(80);
  double sum = 0;
  for (double s = 64; s < 80; ++s) sum += longer.at("undetermined_variance", {{"factor", 2.0}, {"lag", s}});
  CHECK(longer.at("undetermined_variance_mean", {{"factor", 2.0}}) == Approx(sum / 16).epsilon(1e-13));
  CHECK(std::isnan(longer.at("undetermined_variance", {{"factor", 2.0}, {"lag", 80.0}})));
}

TEST_CASE("unseen phases agree with angles in long double") {
  const auto s = ExtrapolationSetting(test::subject("ntk", {{"length", "300"}, {"dim", "32"}, {"extend", "3"}}));
  const Spectrum trained = *feature_spectrum(s.trained, 0), used = *feature_spectrum(s.used[0], 0);
  const LagsInUse lags(s, 0);
  const long double turn = 2 * std::numbers::pi_v<long double>;
  double pairs = 0, phases = 0;
  for (std::size_t j = 0; j < trained.theta.size(); ++j) {
    const long double base = 10000, old = std::pow(base, -2.0L * static_cast<long double>(j) / 32),
                      now = std::pow(base * std::pow(3.0L, 32.0L / 30), -2.0L * static_cast<long double>(j) / 32);
    const long double seen = std::min(turn, 300 * old);
    pairs += seen < turn && 899 * now > seen;
    for (int lag = 300; lag < 900; ++lag) phases += seen < turn && std::fmod(lag * now, turn) > seen + 1e-9L;
  }
  CHECK(unseen_pairs(trained, used, lags) == Approx(pairs / 16).epsilon(1e-14));
  CHECK(unseen_phase(trained, used, lags) == Approx(phases / 16 / 600).epsilon(1e-14));
}

TEST_CASE("codes repeat with a common period of the frequencies, and only then") {
  const auto distinct = [](const char* encoding, const char* length) {
    return test::run("extrapolation", encoding, {{"length", length}, {"extend", "2"}}).at("distinct_fraction", {{"factor", 2.0}});
  };
  CHECK(distinct("rope", "512") == 1);
  CHECK(distinct("resonance:dim=2", "100") == Approx(6 / 200.0));  // one pair, wavelength 2 pi rounded to 6
  CHECK(distinct("alibi", "100") == 1);
  CHECK(distinct("nope", "100") == Approx(1 / 200.0));
}

TEST_CASE("what does not apply is left out with its reason") {
  const auto tupe = test::run("extrapolation", "tupe", {{"length", "32"}});
  CHECK_FALSE(tupe.reason("undetermined_variance").empty());
  CHECK_FALSE(tupe.reason("window_error").empty());
  CHECK(tupe.has("reconstruction_error"));
  const auto alibi = test::run("extrapolation", "alibi", {{"length", "32"}});
  CHECK_FALSE(alibi.reason("unseen_pairs").empty());
  CHECK_FALSE(alibi.reason("resolution").empty());
  CHECK_FALSE(alibi.reason("reconstruction_error").empty());
  CHECK(alibi.at("unseen_fraction", {{"head", 0.0}, {"factor", 2.0}}) ==
        Approx(alibi.at("leak", {{"head", 0.0}, {"factor", 2.0}})).epsilon(1e-12));
  const auto shaw = test::run("extrapolation", "shaw:clip=8", {{"length", "32"}});
  CHECK_FALSE(shaw.reason("leak").empty());
  CHECK(shaw.at("unseen_fraction", {{"head", 0.0}, {"factor", 8.0}}) == 0);
}

TEST_CASE("lags beyond a factor's length are NaN, factors keep the user's order, and bad multiples are refused") {
  const auto out = test::run("extrapolation", "pi", {{"length", "48"}, {"dim", "16"}, {"extend", "4/2/1.5"}});
  CHECK(out.data("factor") == std::vector<double>{4, 2, 1.5});
  CHECK(out.data("lag").size() == 192);
  CHECK_FALSE(std::isnan(out.at("undetermined_variance", {{"factor", 1.5}, {"lag", 71.0}})));
  CHECK(std::isnan(out.at("undetermined_variance", {{"factor", 1.5}, {"lag", 72.0}})));
  CHECK_THROWS_AS(test::run("extrapolation", "pi", {{"length", "48"}, {"extend", "1.001"}}), UsageError);
  CHECK_THROWS_AS(test::run("extrapolation", "pi", {{"length", "48"}, {"noise-variance", "0"}}), UsageError);
}

TEST_CASE("the same bits at any number of threads") {
  const int before = math::threads();
  for (const char* encoding : {"yarn:factor=4", "t5", "kerple", "sinusoidal", "transformer-xl"}) {
    const test::Options options{{"length", "600"}, {"dim", "32"}, {"extend", "2/3"}, {"attention-error", "no"}};
    math::set_threads(1);
    const auto one = test::run("extrapolation", encoding, options);
    math::set_threads(5);
    const auto five = test::run("extrapolation", encoding, options);
    for (const Variable& v : one.schema().vars) {
      if (v.type == Type::text) continue;
      const auto &a = one.data(v.name), &b = five.data(v.name);
      INFO(encoding << " " << v.name);
      CHECK(std::equal(a.begin(), a.end(), b.begin(), b.end(),
                       [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); }));
    }
  }
  math::set_threads(before);
}
