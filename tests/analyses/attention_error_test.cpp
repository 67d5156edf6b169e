#include "analyses/attention_error.hpp"

#include "analyses/attention_targets.hpp"
#include "math/parallel.hpp"
#include "support/measures.hpp"

#include <cmath>

using namespace posenc;
using namespace posenc::analyses;

TEST_CASE("window and retrieval errors agree with a script that gives every query its own softmax") {
  CHECK(test::check_measures("attention_error.json", "extrapolation") == 118);
}

// Three digits, from the first implementation of the definition: L = 128 at 2L, 4L, 8L and L = 2048 at 4L.
TEST_CASE("window and retrieval errors agree with the table that came with the definition") {
  CHECK(test::check_measures("attention_error_table.json", "extrapolation") == 116);
}

namespace {

/// 1 and relu(x - j/32), j = 0..31, x = ln(0.1 s + 1) / ln(0.1 max(m, L/4) + 1): FIRE with fixed knots.
class Knots : public model::Scheme {
 public:
  explicit Knots(Pos length) { original_ = length; }
  model::SchemeInfo info() const override { return {"knots", "", "", ""}; }
  Encoding lower(Pos) const override {
    Encoding e;
    Bias b;
    b.by_lag = false;
    b.value = [](Index, Pos, Pos) { return 0.0; };
    b.unknowns = 33;
    b.features = [least = static_cast<double>(train_length()) / 4](Index, Pos m, Pos n, double* phi) {
      const double x = std::log1p(0.1 * static_cast<double>(m - n)) / std::log1p(0.1 * std::max(static_cast<double>(m), least));
      phi[0] = 1;
      for (int j = 0; j < 32; ++j) phi[1 + j] = std::max(0.0, x - j / 32.0);
    };
    e.terms.push_back(b);
    return e;
  }

 private:
  Fields own_fields() override { return {}; }
};

model::Subject knots(Pos length) {
  model::Subject s{"knots", std::make_shared<Knots>(length), {}};
  s.request.length = length;
  return s;
}

}  // namespace

TEST_CASE("features that depend on the query: FIRE with fixed knots has the table's values") {
  const AttentionErrors e = attention_errors(ExtrapolationSetting(knots(128)), 100);
  CHECK(e.training_queries == 128);
  CHECK(e.window[0] == Approx(0.149).margin(6e-4));
  CHECK(e.window[1] == Approx(0.296).margin(6e-4));
  CHECK(e.window[2] == Approx(0.428).margin(6e-4));
  CHECK(e.retrieval[1] == Approx(0.005).margin(6e-4));
}

TEST_CASE("targets: windows sum to one at every query, counts are their sums, queries are the last quarter") {
  CHECK(window_widths(100) == std::vector<double>{1, 2, 4, 8, 16, 32, 64});
  const std::vector<double> counts = window_counts(3, 50);
  double total = 0, first = 0;
  for (const double c : counts) total += c;
  CHECK(total == Approx(50).epsilon(1e-13));
  for (int m = 0; m < 50; ++m) first += (1 - std::exp(-1 / 3.0)) / (1 - std::exp(-(m + 1) / 3.0));
  CHECK(counts[0] == Approx(first).epsilon(1e-13));
  CHECK(test_queries(128).front() == 127);
  CHECK(test_queries(128).back() == 97);
  CHECK(training_queries(1, 127, 256).size() == 127);
  CHECK(training_queries(0, 2047, 256).back() == 2047);
  // Uniform attention against a window of one lag: 1 - 1/4.
  CHECK(window_distance(std::vector<double>{1, 0, 0, 0}, std::vector<double>{7, 7, 7, 7}) == Approx(0.75).epsilon(1e-15));
}

TEST_CASE("the same bits at any number of threads") {
  const int before = math::threads();
  for (const char* encoding : {"rope", "t5", "alibi", "sinusoidal", "learned:beyond=linear"}) {
    const ExtrapolationSetting s(test::subject(encoding, {{"dim", "16"}, {"length", "64"}}));
    math::set_threads(1);
    const AttentionErrors one = attention_errors(s, 100);
    math::set_threads(4);
    const AttentionErrors four = attention_errors(s, 100);
    CHECK(one.window == four.window);
    CHECK(one.retrieval == four.retrieval);
    CHECK(one.window_in == four.window_in);
  }
  math::set_threads(before);
}

TEST_CASE("auto computes what is cheap and says what the rest would cost; yes and no are obeyed; other reasons are given") {
  CHECK(test::run("extrapolation", "rope", {{"length", "256"}}).has("window_error"));
  CHECK_FALSE(test::run("extrapolation", "rope", {{"length", "256"}, {"attention-error", "no"}}).has("window_error"));
  const auto costly = test::run("extrapolation", "sinusoidal", {{"dim", "256"}, {"length", "512"}});
  CHECK(costly.reason("window_error").find("attention-error = yes") != std::string::npos);
  CHECK(costly.reason("window_error_in") == costly.reason("window_error"));
  const auto learned = test::run("extrapolation", "learned", {{"length", "64"}, {"attention-error", "yes"}});
  CHECK(learned.reason("retrieval_error").find("never trained") != std::string::npos);
  const auto rope = test::run("extrapolation", "rope", {{"length", "64"}, {"noise-variance", "0.1"}});
  CHECK(std::get<double>(rope.attribute_of("window_error", "observations")) == 10);
  CHECK(std::get<std::int64_t>(rope.attribute_of("window_error", "training_queries")) == 64);
}
