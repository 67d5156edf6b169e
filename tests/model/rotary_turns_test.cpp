// Turned queries and hyperbolic pairs: every view against the score of the definition.
#include "model/views/features.hpp"
#include "model/views/lag_statistics.hpp"
#include "model/views/position_code.hpp"
#include "model/views/rotary_rows.hpp"
#include "model/views/terms.hpp"
#include "support/catch.hpp"
#include "support/hand_built.hpp"

#include <cmath>
#include <complex>

using namespace posenc::model;
using posenc::math::Turn;
using posenc::test::noise, posenc::test::rotary, posenc::test::with;

namespace {

constexpr Index N = 24, d = 8;

/// One head whose queries turn by `turns` beside their position's.
Rotary turned(Index pairs, double turns) {
  Rotary r = rotary(pairs);
  r.per_head = true;
  r.query_turn = {posenc::test::frequency(turns * 2 * std::acos(-1.0)).turn};
  return r;
}
Rotary boosted(Index pairs) {
  Rotary r = rotary(pairs);
  r.hyperbolic = true;
  r.log_damping.assign(static_cast<std::size_t>(pairs), -1.25);
  return r;
}
Matrix dense(const Features& f, const Pairs& p) {
  const auto& form = std::get<DenseFeatures>(f.form);
  Matrix out(p.count, form.size);
  form.fill(p, out);
  return out;
}
/// kappa from the definition: the mean over channels of the score of unit vectors.
double mean_trace(const Encoding& e, Pos lag) {
  double sum = 0;
  for (Index c = 0; c < d; ++c) {
    Matrix unit = Matrix::Zero(N, d);
    unit.col(c).setOnes();
    sum += terms(e, 0, {unit, Matrix::Identity(d, d), Matrix::Identity(d, d)}).sum()(N - 1, N - 1 - lag);
  }
  return sum / static_cast<double>(d);
}
std::array<Pos, 2> grouped(Pos m, Pos n) { return m - n < 4 ? std::array{m, n} : std::array{m / 3 + 3, n / 3}; }

}  // namespace

TEST_CASE("a turned query scores Re e^{iu} sum h e^{i s theta}") {
  const Matrix q = noise(N, d, 1), k = noise(N, d, 2);
  const Matrix one = Matrix::Identity(d, d);
  for (const double turns : {-0.25, 0.125, 0.5}) {
    const Rotary r = turned(4, turns);
    Content c{Matrix(N, 2 * d), Matrix::Zero(2 * d, d), Matrix::Zero(2 * d, d)};
    c.x << q, k;
    c.w_query.topRows(d) = one, c.w_key.bottomRows(d) = one;
    const Matrix score = terms(with(r), 0, c, 500).sum();
    Encoding mapped = with(r);
    mapped.pair_map = [](Pos m, Pos n) { return std::array{m, n}; };  // the other way to compute it
    CHECK((terms(mapped, 0, c, 500).sum() - score).cwiseAbs().maxCoeff() < 1e-13);
    for (Index m = 0; m < N; ++m)
      for (Index n = 0; n < N; ++n) {
        std::complex<double> sum = 0;
        for (Index j = 0; j < 4; ++j)
          sum += std::complex(q(m, 2 * j), q(m, 2 * j + 1)) * std::complex(k(n, 2 * j), -k(n, 2 * j + 1)) *
                 std::polar(1.0, static_cast<double>(m - n) * r.frequency[static_cast<std::size_t>(j)].theta);
        CHECK(std::abs(score(m, n) - (sum * std::polar(1.0, 2 * std::acos(-1.0) * turns)).real()) < 1e-12);
      }
  }
}

TEST_CASE("a quarter turn is exact") {
  Rotary r = turned(1, 0);
  r.query_turn = {-Turn{std::uint64_t{1} << 62, 0}};
  CHECK(query_turn(r, 0) == std::array<double, 2>{0, -1});
  CHECK(query_turn(rotary(1), 0) == std::array<double, 2>{1, 0});
}

TEST_CASE("lag statistics of turned queries and hyperbolic pairs are traces of the definition's score") {
  std::vector<Encoding> all{with(turned(4, -0.25)), with(turned(2, 0.125)), with(boosted(4)), with(boosted(3))};
  for (std::size_t i = 0, plain = all.size(); i < plain; ++i) {
    all.push_back(all[i]);
    all.back().pair_map = grouped;
  }
  Rotary mixed = turned(2, -0.25);  // spectra mixed, queries turned
  mixed.mix_cosine = mixed.mix_sine = {noise(2, 2, 7)};
  all.push_back(with(mixed));
  Rotary early = turned(2, -0.25);
  early.early_until = 20, early.early = rotary(4).frequency;
  early.early.resize(2);
  all.push_back(with(early));
  for (const Encoding& e : all) {
    std::vector<double> score(N);
    lag_statistics(e, 0, {0, N})->score(0, score);
    for (Pos s = 0; s < N; ++s) CHECK(std::abs(score[static_cast<std::size_t>(s)] - mean_trace(e, s)) < 1e-13);
  }
}

TEST_CASE("features of turned and hyperbolic pairs span the score") {
  const Content c{noise(1, d, 1).replicate(N, 1), noise(d, d, 2), noise(d, d, 3)};
  const Matrix q = c.q(), k = c.k();
  for (const bool hyperbolic : {false, true}) {
    const Encoding e = with(hyperbolic ? boosted(3) : turned(3, -0.25));
    Vector coefficients(7);
    for (Index j = 0; j < 3; ++j) {
      const double qa = q(0, 2 * j), qb = q(0, 2 * j + 1), ka = k(0, 2 * j), kb = k(0, 2 * j + 1);
      coefficients[j] = hyperbolic ? (qa + qb) * (ka + kb) / 2 : qb * ka - qa * kb;
      coefficients[3 + j] = hyperbolic ? (qa - qb) * (ka - kb) / 2 : qa * ka + qb * kb;
    }
    coefficients[6] = q(0, 6) * k(0, 6) + q(0, 7) * k(0, 7);
    const Matrix score = terms(e, 0, c).sum(), phi = dense(features(e, 0), {N - 1, 0, N});
    for (Pos s = 0; s < N; ++s) CHECK(std::abs(phi.row(s).dot(coefficients) - score(N - 1, N - 1 - s)) < 1e-12);
  }
}

TEST_CASE("a turn of queries leaves the positions where they are; hyperbolic pairs have none") {
  const Encoding plain = with(rotary(4)), e = with(turned(4, -0.25));
  Matrix a(N, 8), b(N, 8);
  points(plain, 0)->rows(0, a), points(e, 0)->rows(0, b);
  CHECK(a == b);
  CHECK(spectrum(e, 0)->theta == spectrum(plain, 0)->theta);
  const Encoding h = with(boosted(4));
  CHECK((!points(h, 0) && !spectrum(h, 0) && pair_frequencies(h, 0).empty()));
  Matrix c(1, 4), s(1, 4);
  CHECK_THROWS_AS(rotary_rows(h, std::get<Rotary>(h.terms[0]), 0, 0, c, s), std::logic_error);
}

TEST_CASE("linear attention: weights from the feature map, not from a softmax") {
  Encoding e = with(rotary(2));
  e.linear = [](double x) { return x * x + 0.5; };
  const Content c{noise(N, d, 1), noise(d, d, 2), noise(d, d, 3)};
  const Matrix f = c.q().unaryExpr(e.linear), g = c.k().unaryExpr(e.linear), w = attention(e, 0, c);
  Encoding inner = with(rotary(2));
  const Matrix one = Matrix::Identity(d, d);
  Content mapped{Matrix(N, 2 * d), Matrix::Zero(2 * d, d), Matrix::Zero(2 * d, d)};
  mapped.x << f, g;
  mapped.w_query.topRows(d) = one, mapped.w_key.bottomRows(d) = one;
  const Matrix numerator = terms(inner, 0, mapped).sum();
  for (Index m = 0; m < N; ++m) {
    double sum = 0;
    for (Index n = 0; n <= m; ++n) sum += f.row(m).dot(g.row(n));
    for (Index n = 0; n < N; ++n) CHECK(std::abs(w(m, n) - (n <= m ? numerator(m, n) / sum : 0)) < 1e-13);
  }
  // Without a feature map they are the softmax of the logits.
  Matrix l = logits(inner, 0, c);
  softmax_rows(inner, 0, l);
  CHECK(attention(inner, 0, c) == l);
}
