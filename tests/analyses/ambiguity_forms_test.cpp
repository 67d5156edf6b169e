#include "math/parallel.hpp"
#include "model/views/rotary_rows.hpp"
#include "schemes/registry.hpp"
#include "support/catch.hpp"
#include "support/custom_scheme.hpp"
#include "support/run_analysis.hpp"

#include <cmath>
#include <numbers>

using namespace posenc;
using namespace posenc::model;
using namespace posenc::test;

namespace {

Frequency frequency(double turns_per_position) {
  return {{static_cast<std::uint64_t>(std::ldexp(turns_per_position, 64)), 0}, turns_per_position * 2 * std::numbers::pi};
}
Rotary rotary(std::vector<double> turns, Index head_dim) {
  Rotary r;
  r.head_dim = head_dim;
  for (std::size_t j = 0; j < turns.size(); ++j) {
    r.frequency.push_back(frequency(turns[j]));
    r.channel.push_back({static_cast<Index>(2 * j), static_cast<Index>(2 * j + 1)});
  }
  return r;
}
Encoding with(Term term, Index head_dim) {
  Encoding e;
  e.head_dim = e.width = head_dim;
  e.terms.push_back(std::move(term));
  return e;
}
Request request(Pos length, std::optional<Pos> horizon = {}) {
  Request r;
  r.length = length;
  r.lag_horizon = horizon;
  return r;
}
Bias bias(Index heads, std::function<double(Index, Pos, Pos)> value) {
  Bias b;
  b.heads = heads;
  b.value = std::move(value);
  return b;
}

/// Distance measures of points from their definition, over all pairs.
struct Naive {
  std::vector<double> distance;
  std::vector<std::vector<double>> between;
};
Naive naive(const Matrix& p) {
  Naive out;
  const Index N = p.rows();
  for (Index s = 0; s < N; ++s) {
    long double difference = 0, norms = 0;
    for (Index m = 0; m + s < N; ++m)
      for (Index j = 0; j < p.cols(); ++j) {
        const long double a = p(m, j), b = p(m + s, j);
        difference += (a - b) * (a - b), norms += a * a + b * b;
      }
    out.distance.push_back(static_cast<double>(std::sqrt(difference / norms)));
  }
  long double norms = 0;
  for (Index i = 0; i < p.size(); ++i) norms += static_cast<long double>(p.data()[i]) * p.data()[i];
  for (Index m = 0; m < N; ++m) {
    out.between.emplace_back();
    for (Index n = 0; n < N; ++n) {
      long double difference = 0;
      for (Index j = 0; j < p.cols(); ++j) {
        const long double x = static_cast<long double>(p(m, j)) - p(n, j);
        difference += x * x;
      }
      out.between.back().push_back(static_cast<double>(std::sqrt(difference / (2 * norms / N))));
    }
  }
  return out;
}
void check_points(const MemorySink& out, const Matrix& p, Pos guard) {
  const Naive expected = naive(p);
  const auto& distance = out.data("distance");
  REQUIRE(distance.size() == expected.distance.size());
  for (std::size_t s = 0; s < distance.size(); ++s)
    CHECK(distance[s] == Approx(expected.distance[s]).epsilon(1e-11).margin(1e-15));
  const auto &position = out.data("nearest_position"), &nearest = out.data("nearest_distance");
  for (Index m = 0; m < p.rows(); ++m) {
    const auto& row = expected.between[static_cast<std::size_t>(m)];
    double least = INFINITY;
    Index at = -1;
    for (Index n = 0; n < p.rows(); ++n)
      if (std::abs(m - n) >= guard) least = std::min(least, row[static_cast<std::size_t>(n)]);
    for (Index n = p.rows() - 1; n >= 0; --n)
      if (std::abs(m - n) >= guard && row[static_cast<std::size_t>(n)] <= least + 1e-14) at = n;
    INFO("position " << m);
    if (at < 0) {
      CHECK(std::isnan(position[static_cast<std::size_t>(m)]));
      continue;
    }
    CHECK(position[static_cast<std::size_t>(m)] == static_cast<double>(at));
    CHECK(nearest[static_cast<std::size_t>(m)] == Approx(least).epsilon(1e-12).margin(1e-15));
  }
}

const std::vector<std::string> of_points = {"distance",          "guard",
                                            "contrast",          "peak_sidelobe",
                                            "peak_sidelobe_lag", "mainlobe_half_width",
                                            "nearest_position",  "nearest_distance",
                                            "unambiguous_range", "confusable",
                                            "code_error",        "unambiguous_range_storage"};
const std::vector<std::string> of_classes = {"distinct_codes", "class_start", "class_size", "ambiguous_fraction"};

}  // namespace

TEST_CASE("every scheme: each measure is present, or absent for a reason") {
  for (const std::string_view name : schemes::registry().names()) {
    INFO(name);
    const MemorySink out = run("ambiguity", std::string(name), {{"length", "48"}});
    std::vector<std::string> all = of_points;
    all.insert(all.end(), of_classes.begin(), of_classes.end());
    all.push_back("step");
    for (const std::string& v : all) {
      INFO(v);
      CHECK(out.has(v) != !out.reason(v).empty());
    }
  }
}

TEST_CASE("points of a grid, of mixed spectra and of early positions are compared row by row") {
  const auto rows_of = [](const Encoding& e, Rotary r, Pos count) {
    r.attention_factor = 1;
    Matrix c(count, r.pairs()), s(count, r.pairs()), p = Matrix::Zero(count, r.head_dim);
    rotary_rows(e, r, 0, 0, c, s);
    p.leftCols(r.head_dim / 2).setOnes();
    p.leftCols(r.pairs()) = c, p.middleCols(r.head_dim / 2, r.pairs()) = s;
    return p;
  };
  SECTION("grid of 8 columns") {
    Rotary r = rotary({0.15, 0}, 6);
    r.axes = 3;
    r.frequency = {frequency(0), frequency(0), frequency(0.15), frequency(0), frequency(0), frequency(0.21)};
    r.attention_factor = 1.5;
    Encoding e = with(r, 6);
    e.point = [](Pos p) { return Point{0, p / 8, p % 8}; };
    const MemorySink out = run_custom("ambiguity", e, request(64), {{"guard", "3"}});
    check_points(out, rows_of(e, r, 64), 3);
  }
  SECTION("mixed spectra") {
    Rotary r = rotary({0.15, 0.02}, 4);
    r.mix_cosine.assign(1, (Matrix(2, 2) << 1, 0.3, -0.2, 1).finished());
    r.mix_sine.assign(1, (Matrix(2, 2) << 1, -0.1, 0.2, 1).finished());
    const Encoding e = with(r, 4);
    check_points(run_custom("ambiguity", e, request(70), {{"guard", "5"}}), rows_of(e, r, 70), 5);
  }
  SECTION("early positions turn by other frequencies") {
    Rotary r = rotary({0.15, 0.02}, 4);
    r.early = {frequency(0.3), frequency(0.1)};
    r.early_until = 11;
    r.attention_factor = 1.3;
    const Encoding e = with(r, 4);
    check_points(run_custom("ambiguity", e, request(40), {{"guard", "2"}}), rows_of(e, r, 40), 2);
  }
}

TEST_CASE("heads with frequencies of their own have a head dimension, and each is that head alone") {
  Rotary two = rotary({0.15, 0.02}, 4);
  two.per_head = true, two.heads = 2;
  two.frequency = {frequency(0.15), frequency(0.02), frequency(0.3), frequency(0.011)};
  const MemorySink out = run_custom("ambiguity", with(two, 4), request(300));
  CHECK(out.data("head") == std::vector<double>{0, 1});
  const std::vector<std::vector<double>> turns{{0.15, 0.02}, {0.3, 0.011}};
  for (std::size_t h = 0; h < 2; ++h) {
    const MemorySink one = run_custom("ambiguity", with(rotary(turns[h], 4), 4), request(300));
    CHECK_FALSE(one.has("head"));
    for (const std::string& v : of_points) {
      INFO(v << " of head " << h);
      const auto &all = out.data(v), &own = one.data(v);
      REQUIRE(all.size() == 2 * own.size());
      for (std::size_t i = 0; i < own.size(); ++i) CHECK((all[h * own.size() + i] == own[i] || std::isnan(own[i])));
    }
  }
}

TEST_CASE("a position map: distances at the last query, mapped lags as classes") {
  Encoding e = with(rotary({0.01, 0.003}, 4), 4);
  // lags below 10 are kept, then groups of 5
  e.pair_map = [](Pos m, Pos n) { return m - n < 10 ? std::array<Pos, 2>{m, n} : std::array<Pos, 2>{10 + (m - n - 10) / 5, 0}; };
  const MemorySink out = run_custom("ambiguity", e, request(100), {{"noise", "0.3/0.1"}});
  const auto D = [](Pos s) {
    return std::sqrt(std::pow(std::sin(std::numbers::pi * 0.01 * static_cast<double>(s)), 2) +
                     std::pow(std::sin(std::numbers::pi * 0.003 * static_cast<double>(s)), 2));
  };
  const auto mapped = [](Pos s) { return s < 10 ? s : 10 + (s - 10) / 5; };
  for (Pos s = 0; s < 100; ++s)
    CHECK(out.at("distance", {{"lag", static_cast<double>(s)}}) == Approx(D(mapped(s))).epsilon(1e-12).margin(1e-300));
  CHECK(out.scalar("distinct_codes") == 28);
  CHECK(out.at("class_start", {{"code", 10.0}}) == 10);
  CHECK(out.at("class_size", {{"code", 10.0}}) == 5);
  CHECK(out.at("class_start", {{"code", 27.0}}) == 95);
  CHECK(out.scalar("ambiguous_fraction") == Approx(18 * 10 / 4950.0).epsilon(1e-15));
  CHECK(std::isnan(out.scalar("guard")));  // the mapped lags end at 27, a quarter turn
  CHECK_FALSE(out.has("nearest_position"));
  CHECK_FALSE(out.reason("nearest_position").empty());
}

TEST_CASE("biases without buckets: classes of equal biases in all heads, rounding ignored") {
  // Head 0 is flat from lag 4 on but for its rounding; head 1 tells lags 6 and 7 from the rest.
  const Encoding e = with(bias(2,
                               [](Index h, Pos m, Pos n) {
                                 const Pos s = m - n;
                                 if (h == 0)
                                   return s < 4 ? -0.5 * static_cast<double>(s) : -2 + 1e-15 * static_cast<double>(s % 3);
                                 return s == 6 || s == 7 ? 1.0 : 0.0;
                               }),
                          4);
  const MemorySink out = run_custom("ambiguity", e, request(10));
  CHECK(out.data("code") == std::vector<double>{0, 1, 2, 3, 4, 5});
  CHECK(out.data("class_start") == std::vector<double>{0, 1, 2, 3, 4, 6});
  CHECK(out.data("class_size") == std::vector<double>{1, 1, 1, 1, 4, 2});
  CHECK(out.scalar("ambiguous_fraction") == Approx(7 / 45.0).epsilon(1e-15));
  CHECK(out.at("step", {{"head", 0.0}, {"lag", 2.0}}) == 0.5);
  CHECK(out.at("step", {{"head", 1.0}, {"lag", 5.0}}) == 1);
  CHECK(std::isnan(out.at("step", {{"head", 1.0}, {"lag", 9.0}})));
  for (const std::string& v : of_points) CHECK_FALSE(out.reason(v).empty());
}

TEST_CASE("biases that depend on the query are taken at the last one") {
  Bias b = bias(1, [](Index, Pos m, Pos n) { return static_cast<double>(m - n) / static_cast<double>(m + 1); });
  b.by_lag = false;
  const MemorySink out = run_custom("ambiguity", with(b, 4), request(32));
  CHECK(out.scalar("distinct_codes") == 32);
  CHECK(out.at("step", {{"head", 0.0}, {"lag", 7.0}}) == Approx(1 / 32.0));
}

TEST_CASE("a bias beside rotary: points and steps") {
  Encoding e = with(rotary({0.15}, 2), 2);
  e.terms.push_back(bias(3, [](Index h, Pos m, Pos n) { return -static_cast<double>((h + 1) * (m - n)); }));
  const MemorySink out = run_custom("ambiguity", e, request(20));
  CHECK(out.schema().variable("distance")->dims == std::vector<std::string>{"lag"});
  CHECK(out.at("step", {{"head", 2.0}, {"lag", 4.0}}) == 3);
  CHECK_FALSE(out.has("distinct_codes"));
}

TEST_CASE("vectors met by query and key at different rows: classes of both") {
  RelativeVectors r;
  r.at_query.emplace().index = [](Pos m, Pos n) { return std::min<Pos>(m - n, 5); };
  r.at_key.emplace().index = [](Pos m, Pos n) { return std::max<Pos>(n - m, -7); };
  const MemorySink out = run_custom("ambiguity", with(r, 4), request(20));
  CHECK(out.scalar("distinct_codes") == 8);
  CHECK(out.at("class_size", {{"code", 7.0}}) == 13);
}

TEST_CASE("published: where T5's buckets begin") {
  // Raffel 2020, google-research/text-to-text-transfer-transformer: 32 buckets, maximal distance 128
  CHECK(run("ambiguity", "t5", {{"length", "128"}}).data("class_start") ==
        std::vector<double>{0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                            16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113});
  CHECK(run("ambiguity", "t5:bidirectional=true", {{"length", "128"}}).data("class_start") ==
        std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91});
}

TEST_CASE("content and untied tables have no code of their own") {
  Contextual c;
  c.needs = "gates";
  const MemorySink contextual = run_custom("ambiguity", with(c, 4), request(8));
  for (const std::string& v : of_points) CHECK(contextual.reason(v) == "depends on content: gates");
  const MemorySink untied = run("ambiguity", "tupe", {{"length", "16"}});
  for (const std::string& v : of_classes) CHECK_FALSE(untied.reason(v).empty());
  CHECK(untied.has("step"));
}

TEST_CASE("a main lobe longer than the horizon is itself the result") {
  const MemorySink out = run("ambiguity", "rope:frequencies=single,frequency=1e-7", {{"length", "32"}, {"dim", "4"}});
  for (const std::string v : {"guard", "contrast", "peak_sidelobe", "peak_sidelobe_lag"}) CHECK(std::isnan(out.scalar(v)));
  CHECK(std::isnan(out.at("nearest_position", {{"position", 3.0}})));
  CHECK(std::get<std::string>(out.attribute_of("contrast", "not_applicable")) == "the main lobe is longer than the horizon");
  const MemorySink still = run("ambiguity", "rope:partial=0", {{"length", "32"}, {"dim", "4"}});
  CHECK(std::isnan(still.scalar("guard")));
  CHECK(still.at("unambiguous_range", {{"noise", 0.01}}) == 0);
  CHECK(still.at("confusable", {{"noise", 0.01}}) == 31);
}

TEST_CASE("--guard and --noise") {
  const Options base{{"length", "64"}, {"dim", "2"}};
  Options given = base;
  given.emplace_back("guard", "5"), given.emplace_back("noise", "1.4/0.2");
  const MemorySink out = run("ambiguity", "rope", given);
  CHECK(out.scalar("guard") == 5);
  CHECK(out.scalar("peak_sidelobe_lag") == 710);  // 113 turns: 355/113 is within 3e-7 of pi
  CHECK(out.at("unambiguous_range", {{"noise", 0.2}}) == 5);
  CHECK(out.data("confusable").size() == 2);
  for (const auto& [key, value] : Options{{"guard", "0"}, {"noise", "-1"}, {"guard", "x"}})
    CHECK_THROWS_AS(run("ambiguity", "rope", {base[0], base[1], {key, value}}), UsageError);
}

TEST_CASE("a table with fewer rows than positions is compared over its rows") {
  const MemorySink out = run("ambiguity", "learned:rows=40", {{"length", "100"}, {"dim", "16"}});
  CHECK(out.data("lag").size() == 40);
  CHECK(out.data("nearest_position").size() == 40);
}

TEST_CASE("a table of close rows far from the origin keeps its distances") {
  // rows (1e3, 1e-6 cos, 1e-6 sin): |p_m - p_n| = 2e-6 |sin(pi (m - n) / 50)|
  struct Circle : Rows {
    Index channels() const override { return 3; }
    std::optional<Pos> count() const override { return 50; }
    void block(Pos first, Eigen::Ref<Matrix> out) const override {
      for (Index i = 0; i < out.rows(); ++i) {
        const double angle = 2 * std::numbers::pi * static_cast<double>(first + i) / 50;
        out(i, 0) = 1e3, out(i, 1) = 1e-6 * std::cos(angle), out(i, 2) = 1e-6 * std::sin(angle);
      }
    }
  };
  AbsoluteTable a;
  a.rows = std::make_shared<Circle>();
  const MemorySink out = run_custom("ambiguity", with(a, 3), request(50));
  for (int s = 1; s < 50; ++s) {
    const double expected = 2e-6 * std::sin(std::numbers::pi * s / 50) / (std::numbers::sqrt2 * std::hypot(1e3, 1e-6));
    CHECK(out.at("distance", {{"lag", static_cast<double>(s)}}) == Approx(expected).epsilon(1e-11));
  }
  CHECK(std::isnan(out.scalar("guard")));
}

TEST_CASE("ambiguity has the same bits at any number of threads") {
  const int before = math::threads();
  for (const std::string encoding : {"rope", "learned", "xpos", "alibi"}) {
    math::set_threads(1);
    const MemorySink one = run("ambiguity", encoding, {{"length", "700"}});
    math::set_threads(3);
    const MemorySink three = run("ambiguity", encoding, {{"length", "700"}});
    for (const Variable& v : one.schema().vars)
      if (v.type != Type::text) {
        INFO(encoding << " " << v.name);
        const auto &a = one.data(v.name), &b = three.data(v.name);
        REQUIRE(a.size() == b.size());
        for (std::size_t i = 0; i < a.size(); ++i) CHECK((a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))));
      }
  }
  math::set_threads(before);
}
