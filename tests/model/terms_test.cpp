#include "model/views/terms.hpp"

#include "model/views/rotary_rows.hpp"
#include "support/catch.hpp"
#include "support/hand_built.hpp"

#include <complex>

using namespace posenc::model;
using posenc::test::frequency, posenc::test::noise, posenc::test::rotary;

namespace {

constexpr Index N = 12, D = 16, d = 8;

Content content() { return {noise(N, D, 1), noise(D, d, 2) / 4, noise(D, d, 3) / 4}; }

struct MatrixRows : Rows {
  Matrix m;
  explicit MatrixRows(Matrix m) : m(std::move(m)) {}
  Index channels() const override { return m.cols(); }
  std::optional<Pos> count() const override { return m.rows(); }
  void block(Pos first, Eigen::Ref<Matrix> out) const override { out = m.middleRows(first, out.rows()); }
};
std::shared_ptr<const Rows> rows(Index count, Index channels, unsigned seed) {
  return std::make_shared<MatrixRows>(noise(count, channels, seed));
}
Encoding with(Term t) {
  Encoding e;
  e.terms.push_back(std::move(t));
  e.logit_scale = 1 / std::sqrt(8.0);
  e.head_dim = d, e.width = D;
  return e;
}
double gap(const Matrix& a, const Matrix& b) { return (a - b).cwiseAbs().maxCoeff(); }
// Sums of at most a few hundred products of order one, each with a rounding of 1.1e-16.
constexpr double rounding = 2e-13;

}  // namespace

TEST_CASE("rotary scores are the real part of sum h e^{i s theta} and pass-through channels keep their product") {
  const Content c = content();
  const Matrix q = c.q(), k = c.k();
  Rotary r = rotary(3);
  r.attention_factor = 1.25;
  const Terms t = terms(with(r), 0, c, 1000);
  Matrix expected(N, N);
  for (Index m = 0; m < N; ++m)
    for (Index n = 0; n < N; ++n) {
      std::complex<double> sum = q(m, 6) * k(n, 6) + q(m, 7) * k(n, 7);
      for (Index j = 0; j < 3; ++j) {
        const auto h = std::complex(q(m, 2 * j), q(m, 2 * j + 1)) * std::complex(k(n, 2 * j), -k(n, 2 * j + 1));
        const double angle = static_cast<double>(m - n) * r.frequency[static_cast<std::size_t>(j)].theta;
        sum += 1.25 * 1.25 * (h * std::polar(1.0, angle)).real();
      }
      expected(m, n) = sum.real();
    }
  CHECK(gap(t.sum(), expected) < rounding);
  CHECK(gap(t.cc, q * k.transpose()) < rounding);
  CHECK(gap(t.cc + t.rotation, expected) < rounding);
}

TEST_CASE("a position map that is the identity changes nothing; a capped lag freezes the rotation") {
  Encoding plain = with(rotary(4)), mapped = plain, capped = plain;
  mapped.pair_map = [](Pos m, Pos n) { return std::array<Pos, 2>{m, n}; };
  capped.pair_map = [](Pos m, Pos n) { return std::array<Pos, 2>{std::min<Pos>(m - n, 2), 0}; };
  const Content c = content();
  CHECK(gap(terms(plain, 0, c, 7).sum(), terms(mapped, 0, c, 7).sum()) < rounding);
  Content same = c;
  same.x.rowwise() = c.x.row(0).eval();
  const Matrix a = terms(capped, 0, same).sum();
  CHECK(a(9, 1) == Approx(a(9, 7)).margin(rounding));
  CHECK(std::abs(a(9, 8) - a(9, 7)) > 1e-3);
}

TEST_CASE("damping multiplies a pair by zeta^(m-n) wherever the centre is") {
  Rotary r = rotary(4);
  r.log_damping = {-0.1, -0.2, -0.3, -0.4};
  Rotary centred = r;
  centred.damping_centre = 6;
  const Content c = content();
  CHECK(gap(terms(with(r), 0, c).sum(), terms(with(centred), 0, c).sum()) < 1e-11);  // factors to e^{4.8}
  Rotary one = rotary(1);
  one.head_dim = 2;
  one.log_damping = {-0.25};
  const Content two{noise(N, 2, 4), Matrix::Identity(2, 2), Matrix::Identity(2, 2)};
  Rotary undamped = one;
  undamped.log_damping.clear();
  const Matrix a = terms(with(one), 0, two).sum(), b = terms(with(undamped), 0, two).sum();
  for (Index m = 0; m < N; ++m)
    for (Index n = 0; n < N; ++n) CHECK(a(m, n) == Approx(b(m, n) * std::exp(-0.25 * static_cast<double>(m - n))).margin(1e-12));
}

TEST_CASE("an added table gives the four terms of (s x + p)W_q . (s x + p)W_k") {
  AbsoluteTable a{rows(40, D, 5), Added{4.0}, 2, {}};
  const Content c = content();
  const Matrix p = dynamic_cast<const MatrixRows&>(*a.rows).m.middleRows(5, N);
  const Terms t = terms(with(a), 0, c, 3);
  CHECK(gap(t.sum(), ((4 * c.x + p) * c.w_query) * ((4 * c.x + p) * c.w_key).transpose()) < 5e-12);
  CHECK(gap(t.pp, (p * c.w_query) * (p * c.w_key).transpose()) < rounding);
  CHECK(gap(t.cp, (4 * c.x * c.w_query) * (p * c.w_key).transpose()) < 1e-12);
  Encoding both = with(a);
  both.terms.emplace_back(rotary(4));
  Matrix q = (4 * c.x + p) * c.w_query, k = (4 * c.x + p) * c.w_key;
  rotate(both, rotary(4), 0, Side::query, 3, q);
  rotate(both, rotary(4), 0, Side::key, 3, k);
  CHECK(gap(terms(both, 0, c, 3).sum(), q * k.transpose()) < 1e-11);
}

TEST_CASE("relative vectors are met by query and key, projected, and by u and v") {
  RelativeVectors r;
  r.head_dim = d, r.heads = 2, r.shared = false;
  const auto clip = [](Pos m, Pos n) { return std::clamp<Pos>(m - n, -3, 3) + 3; };
  r.at_query = RelativeVectors::Side{rows(7, D, 6), clip, RelativeVectors::Through::given, noise(D, 2 * d, 7), false};
  r.at_key = RelativeVectors::Side{rows(7, D, 8), clip, RelativeVectors::Through::content, {}, false};
  r.u = noise(2, d, 9), r.v = noise(2, d, 10);
  Encoding e = with(r);
  e.causal = false;
  const Content c = content();
  const Matrix q = c.q(), k = c.k();
  const Matrix a = dynamic_cast<const MatrixRows&>(*r.at_query->rows).m * r.at_query->weights.rightCols(d);
  const Matrix b = dynamic_cast<const MatrixRows&>(*r.at_key->rows).m * c.w_query;
  Matrix expected(N, N);
  for (Index m = 0; m < N; ++m)
    for (Index n = 0; n < N; ++n)
      expected(m, n) = (q.row(m) + r.u->row(1)).dot(k.row(n)) + (q.row(m) + r.v->row(1)).dot(a.row(clip(m, n))) +
                       b.row(clip(m, n)).dot(k.row(n));
  const Terms t = terms(e, 1, c, 100);
  CHECK(gap(t.sum(), expected) < 1e-12);
  CHECK(gap(t.pp.row(11).leftCols(3), (r.v->row(1).dot(a.row(6))) * Matrix::Ones(1, 3)) < rounding);
}

TEST_CASE("a bias is unscaled in the logits, an untied table is reset with its bias inside") {
  Bias b;
  b.heads = 2;
  b.value = [](Index h, Pos m, Pos n) { return -static_cast<double>((h + 1) * (m - n)); };
  Encoding e = with(b);
  const Content c = content();
  const Matrix l = logits(e, 1, c);
  CHECK(l(9, 4) == Approx(c.q().row(9).dot(c.k().row(4)) / std::sqrt(8.0) - 10));
  Encoding warmer = e;
  warmer.query_scale = [](Pos m) { return 1 + static_cast<double>(m); };
  CHECK(logits(warmer, 1, c)(9, 4) == Approx(10 * c.q().row(9).dot(c.k().row(4)) / std::sqrt(8.0) - 10));

  Untied u;
  u.query = noise(D, 2 * d, 11), u.key = noise(D, 2 * d, 12), u.heads = 2;
  u.query_bias = Vector::Constant(2 * d, 0.5);
  u.class_reset = {Vector::Constant(2, 3.0), Vector::Constant(2, -2.0)};
  const AbsoluteTable table{rows(N, D, 13), u, 0, {}};
  e.terms.insert(e.terms.begin(), table);
  const Terms t = terms(e, 1, c);
  const Matrix p = dynamic_cast<const MatrixRows&>(*table.rows).m;
  const double pq = ((p.row(5) * u.query.rightCols(d)).array() + 0.5).matrix().dot(p.row(2) * u.key.rightCols(d));
  CHECK(t.pp(5, 2) == Approx(pq - 6 * std::sqrt(8.0)));
  CHECK(e.logit_scale * t.pp(0, 0) == Approx(3));
  CHECK(e.logit_scale * t.pp(0, 7) == Approx(3));
  CHECK(e.logit_scale * t.pp(7, 0) == Approx(-2));
}

TEST_CASE("softmax rows sum to one over the keys that are seen") {
  Encoding e = with(rotary(4));
  e.visible = [](Pos m, Pos n) { return m - n < 3; };
  Matrix l = logits(e, 0, content());
  softmax_rows(e, 0, l);
  for (Index m = 0; m < N; ++m) {
    CHECK(l.row(m).sum() == Approx(1));
    for (Index n = 0; n < N; ++n) CHECK((l(m, n) == 0) == (n > m || m - n >= 3));
  }
}

TEST_CASE("terms of scattered queries and some keys are those of the whole sequence") {
  AbsoluteTable a{rows(40, D, 5), Added{4.0}, 2, {}};
  Encoding e = with(a);
  e.terms.emplace_back(rotary(4));
  Bias b;
  b.value = [](Index, Pos m, Pos n) { return std::cos(static_cast<double>(m + 3 * n)); };
  e.terms.emplace_back(b);
  const Content c = content();
  const Terms whole = terms(e, 0, c, 3);
  const std::vector<Index> query{1, 2, 5, 11}, key{0, 3, 4};
  Tokens tokens{{}, {}, Matrix(4, D), Matrix(3, D), c.w_query, c.w_key};
  for (std::size_t i = 0; i < query.size(); ++i)
    tokens.query.push_back(3 + query[i]), tokens.x_query.row(static_cast<Index>(i)) = c.x.row(query[i]);
  for (std::size_t i = 0; i < key.size(); ++i)
    tokens.key.push_back(3 + key[i]), tokens.x_key.row(static_cast<Index>(i)) = c.x.row(key[i]);
  const Terms some = terms(e, 0, tokens);
  for (std::size_t t = 0; t < Terms::names.size(); ++t)
    for (std::size_t i = 0; i < query.size(); ++i)
      for (std::size_t j = 0; j < key.size(); ++j)
        CHECK((*some.all()[t])(static_cast<Index>(i), static_cast<Index>(j)) == Approx((*whole.all()[t])(query[i], key[j])).margin(5e-12));
}

TEST_CASE("scores made from content are q.k and what they add to it") {
  Contextual x{[](const Content& c, Index, Pos) { return Matrix(2 * c.q() * c.k().transpose()); }, "twice"};
  const Content c = content();
  const Terms t = terms(with(x), 0, c);
  CHECK(gap(t.cc, c.q() * c.k().transpose()) < rounding);
  CHECK(gap(t.context, t.cc) < rounding);
  CHECK_THROWS_AS(terms(with(x), 0, Tokens{{0}, {0}, c.x.topRows(1), c.x.topRows(1), c.w_query, c.w_key}), std::logic_error);
}

TEST_CASE("cosine attention divides every term by the lengths of the whole query and key") {
  AbsoluteTable a{rows(40, D, 5), Added{2.0}, 0, {}};
  Encoding e = with(a);
  e.cosine = true, e.logit_scale = 10;
  const Content c = content();
  const Matrix p = dynamic_cast<const MatrixRows&>(*a.rows).m.topRows(N);
  const Matrix q = (2 * c.x + p) * c.w_query, k = (2 * c.x + p) * c.w_key;
  const Terms t = terms(e, 0, c);
  for (Index m = 0; m < N; ++m)
    for (Index n = 0; n < N; ++n) {
      const double lengths = q.row(m).norm() * k.row(n).norm();
      CHECK(t.sum()(m, n) == Approx(q.row(m).dot(k.row(n)) / lengths).margin(rounding));
      CHECK(t.pp(m, n) == Approx((p.row(m) * c.w_query).dot(p.row(n) * c.w_key) / lengths).margin(rounding));
    }
  CHECK(gap(logits(e, 0, c), 10 * t.sum()) < 10 * rounding);
  CHECK(t.sum().cwiseAbs().maxCoeff() <= 1 + rounding);
  // A rotation keeps lengths: the rotated product of unit vectors.
  Encoding turned = with(rotary(4));
  const Matrix plain = terms(turned, 0, c, 3).sum();
  turned.cosine = true;
  const Matrix unit = terms(turned, 0, c, 3).sum();
  for (Index m = 0; m < N; ++m)
    CHECK(unit(m, 2) == Approx(plain(m, 2) / (c.q().row(m).norm() * c.k().row(2).norm())).margin(rounding));
}

TEST_CASE("scores that need all heads are refused without their weights") {
  Encoding e = with(Contextual{[](const Content& c, Index head, Pos) {
                                 const auto& [w_query, w_key] = c.every_head[static_cast<std::size_t>(1 - head)];
                                 return Matrix(c.x * w_query * (c.x * w_key).transpose());
                               },
                               "the other head", true});
  e.heads = 2;
  Content c = content();
  CHECK_THROWS_AS(terms(e, 0, c), std::logic_error);
  c.every_head = {{c.w_query, c.w_key}, {2 * c.w_query, c.w_key}};
  CHECK(gap(terms(e, 0, c).sum(), 2 * c.q() * c.k().transpose()) < rounding);
  CHECK(gap(terms(e, 1, c).sum(), c.q() * c.k().transpose()) < rounding);
  e.cosine = true;
  CHECK_THROWS_AS(terms(e, 0, c), std::logic_error);
}
