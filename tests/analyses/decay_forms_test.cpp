// Every scheme there is: shapes, what applies, and the rules of a sink.
#include "math/parallel.hpp"
#include "model/views/traits.hpp"
#include "support/catch.hpp"
#include "support/run_analysis.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

double sum(const std::vector<double>& x, std::size_t first, std::size_t count) {
  double total = 0;
  for (std::size_t i = first; i < first + count; ++i) total += x[i];
  return total;
}

/// Counts, keeps nothing.
struct Measuring : Sink {
  std::size_t longest = 0;
  void write(std::string_view, std::uint64_t, std::span<const double> x) override { longest = std::max(longest, x.size()); }
  void write_elements(std::string_view, std::uint64_t, std::span<const double> x) override {
    longest = std::max(longest, x.size());
  }
  void write_text(std::string_view, std::uint64_t, std::span<const std::string>) override {}
  void attribute(std::string_view, const Attribute&) override {}
};

}  // namespace

TEST_CASE("every scheme: heads in every curve or in none, attention sums to one, or a reason") {
  const Options options{{"length", "400"}, {"samples", "64"}};
  for (const auto name : schemes::registry().names()) {
    INFO(name);
    const model::Subject s = subject(std::string(name), {{"length", "400"}});
    const model::Traits t = model::traits(s.in_use());
    const MemorySink r = run("decay", std::string(name), options);
    if (t.kind == model::Kind::contextual) {
      CHECK(r.schema().vars.empty());
      CHECK(!r.reason("score").empty());
      continue;
    }
    for (const Variable& v : r.schema().vars)
      if (!r.schema().dimension(v.name)) {
        INFO(v.name);
        CHECK((!v.dims.empty() && v.dims[0] == "head") == t.has_heads);
        CHECK(!v.unit.empty());
        CHECK(!v.about.empty());
      }
    for (const char* variable :
         {"score",          "score_spread",   "score_future",   "score_spread_future", "upper_bound",      "upper_bound_pi",
          "logit_mean",     "logit_std",      "logit_quantile", "attention",           "window",           "entropy",
          "first_increase", "first_negative", "log_slope",      "total_variation",     "upward_variation", "trf",
          "bias_sum",       "converges"}) {
      INFO(variable);
      CHECK(r.has(variable) == r.reason(variable).empty());
    }
    for (const double x : r.data("score")) CHECK(std::isfinite(x));
    // A strong damping falls below the smallest double; equal queries and keys have no imaginary part at lag 0.
    const model::Encoding e = s.in_use();
    const auto* rotary = model::form<model::Rotary>(e);
    const bool vanishes = t.damped || (rotary && !rotary->query_turn.empty());
    if (r.has("logit_std"))
      for (const double x : r.data("logit_std")) CHECK((std::isfinite(x) && (x > 0 || (vanishes && x == 0))));
    CHECK(r.has("upper_bound") == (t.kind == model::Kind::rotary && !t.damped && r.reason("upper_bound").empty()));
    if (!r.has("attention")) continue;
    const auto& p = r.data("attention");
    for (std::size_t h = 0; h < p.size() / 400; ++h) CHECK(sum(p, 400 * h, 400) == Approx(1).margin(1e-14));
    const auto& w = r.data("window");
    for (std::size_t i = 0; i + 2 < w.size(); i += 3) CHECK((w[i] <= w[i + 1] && w[i + 1] <= w[i + 2] && w[i + 2] <= 400));
  }
}

TEST_CASE("a lower quantile is never above a higher one") {
  for (const char* encoding : {"rope", "alibi", "learned"}) {
    const auto r = run("decay", encoding, {{"length", "300"}, {"dim", "16"}, {"samples", "256"}});
    const auto& q = r.data("logit_quantile");
    const std::size_t lags = r.data("sample_lag").size();
    CHECK(lags == 264);  // 0..255, then 256, 262, 267, 273, 279, 285, 292, 298
    for (std::size_t i = 0; i + lags < q.size(); ++i)
      if ((i / lags) % 5 != 4) CHECK(q[i] <= q[i + lags]);
  }
}

TEST_CASE("the same bits at one thread and at two") {
  for (const char* encoding :
       {"rope", "xpos", "sinusoidal", "learned", "alibi", "nope", "shaw", "transformer-xl", "tupe", "deberta"}) {
    INFO(encoding);
    const auto names = schemes::registry().names();
    if (std::find(names.begin(), names.end(), std::string_view(encoding)) == names.end()) continue;
    const Options options{{"length", "500"}, {"samples", "200"}};
    math::set_threads(1);
    const MemorySink one = run("decay", encoding, options);
    math::set_threads(2);
    const MemorySink two = run("decay", encoding, options);
    for (const Variable& v : one.schema().vars) {
      INFO(v.name);
      const auto &a = one.data(v.name), &b = two.data(v.name);
      CHECK((a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0));
    }
  }
}

TEST_CASE("a million lags are written in blocks") {
  const auto a = analyses::registry().make("decay");
  for (const char* encoding : {"rope", "sinusoidal", "alibi"}) {
    INFO(encoding);
    Measuring sink;
    a->run(subject(encoding, {{"length", "1M"}}), sink);
    CHECK(sink.longest == 65536);
  }
}

TEST_CASE("positions without a row are a reason, not numbers") {
  const auto r = run("decay", "learned:rows=32", {{"length", "64"}});
  CHECK(r.schema().vars.empty());
  CHECK(r.reason("score") == "the table has 32 rows: position 32 has none");
}

TEST_CASE("no positional term: nothing decays") {
  const auto r = run("decay", "nope", {{"length", "100"}, {"dim", "64"}, {"samples", "16"}});
  CHECK(r.at("score", {{"lag", 99}}) == 0);
  CHECK(r.scalar("entropy") == Approx(std::log(100.0)).epsilon(1e-14));
  CHECK(r.at("window", {{"mass", 0.9}}) == 90);
  CHECK(r.scalar("total_variation") == 0);
  CHECK(std::isnan(r.scalar("first_increase")));
  CHECK(r.at("logit_mean", {{"rho", 1.0}, {"lag", 7}}) == Approx(8).epsilon(1e-14));
  CHECK(r.at("logit_std", {{"rho", 1.0}, {"lag", 7}}) == Approx(std::sqrt(2.0)).epsilon(1e-14));
}

TEST_CASE("one lag") {
  for (const char* encoding : {"rope", "sinusoidal", "learned", "alibi", "nope"}) {
    const auto r = run("decay", encoding, {{"length", "1"}, {"samples", "1"}});
    At head;
    if (r.schema().dimension("head")) head["head"] = 0;
    CHECK(std::isnan(r.at("log_slope", head)));
    CHECK(r.at("total_variation", head) == 0);
    CHECK(r.at("entropy", head) == 0);
  }
}
