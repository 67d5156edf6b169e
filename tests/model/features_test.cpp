#include "model/views/features.hpp"

#include "model/stretched_rows.hpp"
#include "model/views/terms.hpp"
#include "support/catch.hpp"
#include "support/hand_built.hpp"

#include <cmath>
#include <complex>

using namespace posenc::model;
using posenc::test::frequency, posenc::test::noise, posenc::test::rotary, posenc::test::with;

namespace {

constexpr Index N = 24, d = 8;

Matrix dense(const Features& f, const Pairs& p) {
  const auto& form = std::get<DenseFeatures>(f.form);
  Matrix out(p.count, form.size);
  form.fill(p, out);
  return out;
}

/// The same query and key content at every position: the score of the definition is phi . c, c from h_j = q_j conj k_j.
void check_rotary(const Encoding& e, const Rotary& r) {
  Content c{noise(1, d, 1).replicate(N, 1), noise(d, d, 2), noise(d, d, 3)};
  const Matrix q = c.q(), k = c.k(), score = terms(e, 0, c).sum();
  const Index P = r.pairs();
  const double gain = r.attention_factor * r.attention_factor;
  Eigen::VectorXd coefficients = Eigen::VectorXd::Zero(2 * P + 1);
  for (Index j = 0; j < P; ++j) {
    const auto [a, b] = r.channel[static_cast<std::size_t>(j)];
    const auto h = std::complex(q(0, a), q(0, b)) * std::complex(k(0, a), -k(0, b));
    coefficients[j] = gain * h.real(), coefficients[P + j] = -gain * h.imag();
  }
  double pass = 0;
  for (Index channel = 2 * P; channel < d; ++channel) pass += q(0, channel) * k(0, channel);
  if (P < d / 2) coefficients[2 * P] = pass / std::sqrt(static_cast<double>(d / 2 - P));
  const Features f = features(e, 0);
  for (const Pos m : {N - 1, N / 2}) {
    const Matrix phi = dense(f, {m, 0, m + 1});
    REQUIRE(phi.cols() == 2 * P + (P < d / 2));
    for (Pos s = 0; s <= m; ++s) {
      const double ours = phi.row(s).transpose().dot(coefficients.head(phi.cols()));
      CHECK(ours == Approx(score(m, m - s)).epsilon(1e-12).margin(1e-12));
    }
    // A block is the same rows; mixed spectra are products of matrices, whose sums are grouped by their size.
    const Matrix part = dense(f, {m, 5, 4});
    CHECK((part - phi.middleRows(5, 4)).cwiseAbs().maxCoeff() < 1e-14);
  }
}

struct TableRows : Rows {
  Matrix m;
  bool learned;
  TableRows(Matrix m, bool learned) : m(std::move(m)), learned(learned) {}
  Index channels() const override { return m.cols(); }
  std::optional<Pos> count() const override { return learned ? std::optional<Pos>(m.rows()) : std::nullopt; }
  void block(Pos first, Eigen::Ref<Matrix> out) const override { out = m.middleRows(first, out.rows()); }
};

}  // namespace

TEST_CASE("rotary features span the score of fixed content") {
  Rotary plain = rotary(4), partial = rotary(3), damped = rotary(4);
  plain.attention_factor = 1.3;
  damped.log_damping = {-0.1, -0.2, -0.05, -0.3};
  check_rotary(with(plain), plain);
  check_rotary(with(partial), partial);
  check_rotary(with(damped), damped);
  CHECK_FALSE(features(with(plain), 0).by_query);
}

TEST_CASE("rotary features of position maps, early positions, mixed spectra and grids") {
  Rotary r = rotary(3);
  Encoding mapped = with(r);
  mapped.pair_map = [](Pos m, Pos n) { return std::array<Pos, 2>{std::min<Pos>(m - n, 7), 0}; };
  check_rotary(mapped, r);

  Rotary early = rotary(3);
  early.early_until = 6;
  for (Index j = 0; j < 3; ++j) early.early.push_back(frequency(0.9 / static_cast<double>(1 + j)));
  check_rotary(with(early), early);
  CHECK(features(with(early), 0).by_query);

  Rotary mixed = rotary(4);
  mixed.mix_cosine = {noise(4, 4, 8)}, mixed.mix_sine = {noise(4, 4, 9)};
  check_rotary(with(mixed), mixed);

  Rotary grid = rotary(3);
  grid.axes = 3;
  grid.frequency.clear();
  for (Index j = 0; j < 9; ++j) grid.frequency.push_back(frequency(j % 3 == j / 3 ? 0.5 / static_cast<double>(1 + j) : 0.0));
  Encoding image = with(grid);
  image.point = [](Pos p) { return Point{0, p / 5, p % 5}; };
  check_rotary(image, grid);
}

TEST_CASE("a grid's text positions have the summed frequencies, and only frequencies by lag have a key") {
  Rotary r = rotary(4), slower = rotary(4);
  slower.frequency[2] = frequency(0.01);
  CHECK((features(with(r), 0).key == features(with(r), 0).key));
  CHECK((features(with(r), 0).key != features(with(slower), 0).key));
  Encoding mapped = with(r);
  mapped.pair_map = [](Pos m, Pos n) { return std::array<Pos, 2>{m, n}; };
  CHECK(features(mapped, 0).key.empty());
}

TEST_CASE("tables: the class of the key's row where it is learned, the row where it is computed") {
  const auto learned = std::make_shared<TableRows>(noise(40, 6, 1), true),
             computed = std::make_shared<TableRows>(noise(40, 6, 1), false);
  const Features a = features(with(AbsoluteTable{learned, Added{}, 2, {}}), 0),
                 b = features(with(AbsoluteTable{computed, Added{}, 2, {}}), 0);
  CHECK(std::get<ClassFeatures>(a.form).of(10, 3) == 9);  // the key at position 7, its row 2 further
  CHECK((dense(b, {30, 4, 3}) == computed->m.middleRows(6, 3)));
}

TEST_CASE("a stretched table: the two rows around the key, and the share of the second") {
  const auto rows = std::make_shared<TableRows>(noise(12, 6, 1), true);
  const auto stretched = std::make_shared<StretchedRows>(rows, 2, 9, 33);  // position m at row 2 + m 8/32
  const auto phi = std::get<ClassFeatures>(features(with(AbsoluteTable{stretched, Added{}, 0, {}}), 0).form);
  CHECK(phi.of(40, 32) == 4);  // position 8
  CHECK(phi.next_share(40, 32) == 0);
  CHECK(phi.of(40, 27) == 5);  // position 13
  CHECK(phi.next_share(40, 27) == 0.25);
  CHECK(phi.of(32, 0) == 10);  // the last position has the last row
  CHECK(phi.next_share(32, 0) == 0);
}

TEST_CASE("relative vectors: classes of rows, of both rows where keys and queries meet two") {
  RelativeVectors r;
  r.at_query = RelativeVectors::Side{
      std::make_shared<TableRows>(noise(9, d, 1), true), [](Pos m, Pos n) { return std::min<Pos>(m - n, 8); }, {}, {}, false};
  const auto one = std::get<ClassFeatures>(features(with(r), 0).form).of;
  CHECK(one(20, 12) == one(20, 3));
  CHECK(one(20, 13) != one(20, 12));
  r.at_key = r.at_query;
  r.at_key->index = [](Pos m, Pos n) { return std::max<Pos>(8 - (m - n), 0) / 8; };
  const auto two = std::get<ClassFeatures>(features(with(r), 0).form).of;
  CHECK(two(20, 12) == two(20, 3));
  CHECK(two(20, 20) != two(20, 19));

  RelativeVectors sinusoid;
  const auto rows = std::make_shared<TableRows>(noise(40, 6, 2), false);
  sinusoid.at_query = RelativeVectors::Side{rows, [](Pos m, Pos n) { return std::min<Pos>(m - n, 12); }, {}, {}, false};
  const Matrix phi = dense(features(with(sinusoid), 0), {30, 10, 5});
  CHECK((phi.row(1) == rows->m.row(11)));
  CHECK((phi.row(4) == rows->m.row(12)));
}

TEST_CASE("biases: their own space or their bucket; reasons where there is none") {
  Bias b;
  b.heads = 2;
  b.value = [](Index h, Pos m, Pos n) { return -static_cast<double>((h + 1) * (m - n)); };
  CHECK_FALSE(no_features(with(b)).empty());
  b.features = [v = b.value](Index h, Pos m, Pos n, double* phi) { phi[0] = 1, phi[1] = v(h, m, n); };
  b.unknowns = 2;
  CHECK(no_features(with(b)).empty());
  const Matrix phi = dense(features(with(b), 1), {9, 2, 3});
  CHECK(phi(2, 0) == 1);
  CHECK(phi(2, 1) == -8);
  CHECK_FALSE(features(with(b), 0).shared_by_heads);
  b.bucket = [](Pos m, Pos n) { return (m - n) / 2; };
  CHECK(std::get<ClassFeatures>(features(with(b), 0).form).of(9, 4) == 2);

  CHECK_FALSE(no_features(with(Contextual{nullptr, "gates"})).empty());
  CHECK((dense(features(Encoding{}, 0), {5, 0, 6}) == Matrix::Ones(6, 1)));
}
