// Closed forms against the definition of the score (model/views/terms.hpp) on sampled content.
#include "model/views/lag_statistics.hpp"

#include "math/random.hpp"
#include "model/views/lag_draws.hpp"
#include "model/views/terms.hpp"
#include "model/views/traits.hpp"
#include "support/catch.hpp"
#include "support/run_analysis.hpp"

using namespace posenc;
using namespace posenc::model;
using namespace posenc::test;

namespace {

constexpr Pos length = 12;
constexpr int draws = 20000;

struct Moments {
  double count = 0, sum = 0, squares = 0, fourth = 0;
  void add(double x) { ++count, sum += x, squares += x * x, fourth += x * x * x * x; }
  double mean() const { return sum / count; }
  double variance() const { return squares / count - mean() * mean(); }
};

bool built(const std::string& encoding) {
  const auto names = schemes::registry().names();
  return std::find(names.begin(), names.end(), std::string_view(parse_encoding(encoding).scheme)) != names.end();
}

/// Logits at every lag: the query at a position that changes from draw to draw for tables, else at the last, every key correlated
/// with it by rho, W = I.
std::vector<Moments> sampled(const Encoding& e, Index head, double rho, bool every_query) {
  std::vector<Moments> out(length);
  const Index d = traits(e).kind == Kind::table ? form<AbsoluteTable>(e)->rows->channels() : e.head_dim;
  const Matrix one = Matrix::Identity(d, d);
  std::vector<double> noise(static_cast<std::size_t>(length * d));
  for (int i = 0; i < draws; ++i) {
    const Pos m = every_query ? i % length : length - 1;
    math::normal({7, "test"}, static_cast<std::uint64_t>(i) * noise.size(), noise);
    Matrix x(length, d);
    for (Index p = 0; p < length; ++p)
      for (Index c = 0; c < d; ++c) x(p, c) = noise[static_cast<std::size_t>(p * d + c)];
    for (Index p = 0; p < length; ++p)
      if (p != m) x.row(p) = rho * x.row(m) + std::sqrt(1 - rho * rho) * x.row(p);
    const Matrix y = logits(e, head, {x, one, one});
    for (Pos s = 1; s <= m; ++s) out[static_cast<std::size_t>(s)].add(y(m, m - s));
  }
  return out;
}

const std::vector<std::string> encodings{"rope:dim=16",
                                         "rope:dim=16,partial=0.5",
                                         "yarn:dim=16,factor=4,original=4",
                                         "xpos:dim=16,scale-base=4",
                                         "rope-pp:dim=16,heads=2",
                                         "hope-hyperbolic:dim=16,damping=1.125",
                                         "sinusoidal:dim=16,scale-embedding=false",
                                         "learned:dim=16,std=1",
                                         "alibi:dim=16,heads=2",
                                         "t5:heads=2",
                                         "nope:dim=16",
                                         "shaw:table=shaw.rk.npy,clip=8,layer=0",
                                         "transformer-xl:u=txl.u.npy,v=txl.v.npy,wkr=txl.wkr.0.weight.npy",
                                         "tupe:table=tupe.wpe.npy,norm=tupe.pln,uq=tupe.uq,uk=tupe.uk,bias=tupe.rab.npy"};

}  // namespace

TEST_CASE("logit moments are those of logits drawn from the definition") {
  for (const std::string& text : encodings) {
    if (!built(text)) continue;
    const Subject s = subject(text, {{"length", "12"}});
    const Encoding e = s.in_use();
    const Traits t = traits(e);
    const bool every_query = t.kind == Kind::table || t.kind == Kind::untied;
    const Index head = t.has_heads ? t.heads - 1 : 0;
    const auto statistics = lag_statistics(e, head, {0, length});
    LogitMoments closed(length);
    statistics->moments(0, closed);
    for (const double rho : {0.0, 0.5, 1.0}) {
      const auto drawn = sampled(e, head, rho, every_query);
      for (std::size_t lag = 1; lag < length; ++lag) {
        INFO(text << " rho " << rho << " lag " << lag);
        const Moments& m = drawn[lag];
        const double n = m.count, deviation = closed.deviation(lag, rho);
        // Five standard errors; the fourth moment of these logits is below 15 variances squared.
        CHECK(std::abs(m.mean() - closed.mean(lag, rho)) < 5 * deviation / std::sqrt(n));
        CHECK(std::abs(m.variance() - deviation * deviation) < 5 * deviation * deviation * std::sqrt(14 / n));
      }
    }
  }
}

TEST_CASE("draws have the closed moments at every lag and rho") {
  constexpr Index count = 16384;
  for (const std::string& text : encodings) {
    if (!built(text)) continue;
    const Subject s = subject(text, {{"length", "12"}});
    const Encoding e = s.in_use();
    const Traits t = traits(e);
    const Index head = t.has_heads ? t.heads - 1 : 0;
    LogitMoments closed(length);
    lag_statistics(e, head, {0, length})->moments(0, closed);
    std::vector<Pos> lags;
    for (Pos lag = 0; lag < length; ++lag) lags.push_back(lag);
    const LogitParts parts = logit_draws(e, head, {0, length}, count, 3)->parts(lags);
    for (const double rho : {0.0, 0.5, 1.0})
      for (Index lag = 0; lag < length; ++lag) {
        INFO(text << " rho " << rho << " lag " << lag);
        Moments m;
        for (Index i = 0; i < count; ++i)
          m.add(rho * parts.x(lag, i) + std::sqrt(1 - rho * rho) * parts.y(lag, i) + parts.z(lag, i));
        const auto l = static_cast<std::size_t>(lag);
        const double deviation = closed.deviation(l, rho), n = m.count;
        // Beside the sampling: the rounding of sums of 16 squares, all that is left of a logit that is zero.
        CHECK(std::abs(m.mean() - closed.mean(l, rho)) < 5 * deviation / std::sqrt(n) + 1e-14);
        CHECK(std::abs(m.variance() - deviation * deviation) < 5 * deviation * deviation * std::sqrt(14 / n) + 1e-28);
      }
  }
}

TEST_CASE("relative vectors through the content's own weights: deviation over joint draws of x and W") {
  const std::string text = "deberta:table=deberta.pe.npy,clip=64";
  if (!built(text)) return;
  const Encoding e = subject(text, {{"length", "12"}}).in_use();
  const Index D = form<RelativeVectors>(e)->at_query->rows->channels(), d = e.head_dim;
  std::vector<Moments> drawn(length);
  std::vector<double> numbers(static_cast<std::size_t>(length * D + 2 * D * d));
  for (int i = 0; i < draws; ++i) {
    math::normal({11, "test"}, static_cast<std::uint64_t>(i) * numbers.size(), numbers);
    const double* next = numbers.data();
    const auto take = [&](Index rows, Index columns, double scale) {
      Matrix out(rows, columns);
      for (Index k = 0; k < out.size(); ++k) out.data()[k] = scale * *next++;
      return out;
    };
    const double w = 1 / std::sqrt(static_cast<double>(D));
    const Matrix x = take(length, D, 1), q = take(D, d, w), k = take(D, d, w);
    const Terms y = terms(e, 0, {x, q, k});
    for (Pos s = 0; s < length; ++s)
      drawn[static_cast<std::size_t>(s)].add(e.logit_scale *
                                             (y.cp(length - 1, length - 1 - s) + y.pc(length - 1, length - 1 - s)));
  }
  std::vector<double> spread(length), score(length);
  const auto statistics = lag_statistics(e, 0, {0, length});
  statistics->spread(0, spread), statistics->score(0, score);
  for (std::size_t s = 0; s < length; ++s) {
    INFO("lag " << s);
    CHECK(score[s] == 0);
    CHECK(drawn[s].variance() == Approx(spread[s] * spread[s]).epsilon(5 * std::sqrt(14.0 / draws)));
  }
}

TEST_CASE("a table's score is the mean over all pairs, by a double loop") {
  const Encoding e = subject("learned:table=learned.wpe.npy", {{"length", "64"}}).in_use();
  const auto& rows = *form<AbsoluteTable>(e)->rows;
  Matrix p(64, rows.channels());
  rows.block(0, p);
  std::vector<double> score(64), spread(64);
  const auto statistics = lag_statistics(e, 0, {0, 64});
  statistics->score(0, score), statistics->spread(0, spread);
  for (Index s = 0; s < 64; ++s) {
    double g = 0, gg = 0, r = 0;
    for (Index m = 0; m + s < 64; ++m) {
      double product = 0, norm = 0;
      for (Index c = 0; c < p.cols(); ++c) {
        product += p(m, c) * p(m + s, c);
        norm += (p(m, c) * p(m, c) + p(m + s, c) * p(m + s, c)) / 2;
      }
      g += product, gg += product * product, r += norm;
    }
    const auto n = static_cast<double>(64 - s), mean = g / n;
    CHECK(score[static_cast<std::size_t>(s)] == Approx(g / r).margin(1e-14));
    CHECK(spread[static_cast<std::size_t>(s)] == Approx(std::sqrt(gg / n - mean * mean) / (r / n)).margin(1e-13));
  }
}
