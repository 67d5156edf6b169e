// The forms in which rope is written agree, and the cases of rope and its scaling that no other file has.
#include "model/views/rotary_rows.hpp"
#include "support/rotary_family.hpp"

#include <Eigen/Dense>
#include <complex>
#include <numbers>
#include <random>

using namespace posenc;
using test::check_same;
using test::rotary_of;
using test::scheme;
using test::thetas;

namespace {

using model::Index;
using model::Matrix;
using model::Pos;

/// R_p as the block-diagonal matrix of RoFormer eq. 15, from angles in double.
Matrix rotation(const model::Rotary& r, Pos p) {
  Matrix out = Matrix::Identity(r.head_dim, r.head_dim);
  for (Index j = 0; j < r.pairs(); ++j) {
    const auto [a, b] = r.channel[static_cast<std::size_t>(j)];
    const double angle = static_cast<double>(p) * r.at(0, 0, j).theta;
    out(a, a) = out(b, b) = std::cos(angle);
    out(a, b) = -std::sin(angle), out(b, a) = std::sin(angle);
  }
  return out;
}

}  // namespace

TEST_CASE("matrix, complex and element-wise form of rope agree at random parameters") {
  std::mt19937 random(20210420);
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  for (int trial = 0; trial < 40; ++trial) {
    const int d = 2 * pick(1, 24), base = pick(2, 1000000);
    const double partial = trial % 3 == 0 ? 0.5 : 1;
    if (partial < 1 && d % 4 != 0) continue;
    const std::string layout = trial % 2 == 0 ? "interleaved" : "half_split";
    const std::string text = fmt::format("rope:dim={},base={},partial={},layout={}", d, base, partial, layout);
    INFO(text);
    const model::Encoding e = scheme(text)->lower(0);
    const model::Rotary& r = rotary_of(e);
    const Pos m = pick(0, 4000), n = pick(0, 4000);
    const Matrix q = test::random_matrix(random, 1, d), k = test::random_matrix(random, 1, d);

    Matrix turned_q = q, turned_k = k;  // element-wise, as the program does it
    model::rotate(e, r, 0, model::Side::query, m, turned_q);
    model::rotate(e, r, 0, model::Side::key, n, turned_k);
    const double elementwise = turned_q.row(0).dot(turned_k.row(0));

    const Matrix rm = rotation(r, m), rn = rotation(r, n);
    const double by_matrix = (rm * q.transpose()).col(0).dot((rn * k.transpose()).col(0));
    double by_complex = 0;
    for (Index c = 2 * r.pairs(); c < d; ++c) by_complex += q(0, c) * k(0, c);
    for (Index j = 0; j < r.pairs(); ++j) {
      const auto [a, b] = r.channel[static_cast<std::size_t>(j)];
      const auto h = std::complex(q(0, a), q(0, b)) * std::complex(k(0, a), -k(0, b));
      by_complex += (h * std::polar(1.0, static_cast<double>(m - n) * r.at(0, 0, j).theta)).real();
    }
    // Angles up to 4000 rad carry an error of 4.5e-13 in double; d products of numbers below 2.
    CHECK(std::abs(elementwise - by_matrix) <= 1e-11);
    CHECK(std::abs(elementwise - by_complex) <= 1e-11);
    CHECK((rm.transpose() * rn - rotation(r, n - m)).cwiseAbs().maxCoeff() <= 2e-12);
    CHECK((rm.transpose() * rm - Matrix::Identity(d, d)).cwiseAbs().maxCoeff() <= 1e-15);
    CHECK(std::abs(turned_q.norm() - q.norm()) <= 1e-14 * q.norm());
  }
}

TEST_CASE("the two layouts are one rotation of permuted channels") {
  const Matrix x = Matrix::Random(4, 8);
  // half split channel i takes interleaved channel 2i, channel i + d/2 takes 2i + 1
  const std::array<Index, 8> from{0, 2, 4, 6, 1, 3, 5, 7};
  Matrix permuted(4, 8);
  for (Index c = 0; c < 8; ++c) permuted.col(c) = x.col(from[static_cast<std::size_t>(c)]);
  const model::Encoding a = scheme("rope:dim=8,layout=interleaved")->lower(0), b = scheme("rope:dim=8")->lower(0);
  Matrix first = x, second = permuted;
  model::rotate(a, rotary_of(a), 0, model::Side::query, 1000, first);
  model::rotate(b, rotary_of(b), 0, model::Side::query, 1000, second);
  for (Index c = 0; c < 8; ++c) CHECK(second.col(c) == first.col(from[static_cast<std::size_t>(c)]));
}

TEST_CASE("longest wavelengths of common bases") {
  for (const auto& [base, wavelength] :
       {std::pair{"10000", 54410.14313077674}, std::pair{"500000", 2559195.5173713593}, std::pair{"1000000", 5063255.794048396}})
    CHECK(std::abs(2 * std::numbers::pi / thetas(scheme("rope:base=" + std::string(base))->lower(0)).back() / wavelength - 1) <=
          1e-14);
}

TEST_CASE("the first distance at which the sum of cosines is negative, and the sums around it") {
  const auto t = thetas(scheme("rope")->lower(0));
  const Matrix one = Matrix::Ones(1, 128);
  const model::Encoding e = scheme("rope")->lower(0);
  const auto sum = [&](Pos s) {
    Matrix q = one, k = one;
    model::rotate(e, rotary_of(e), 0, model::Side::query, s, q);
    return q.row(0).dot(k.row(0)) / 2;  // the score of ones is twice the sum over the 64 pairs
  };
  CHECK(std::abs(sum(1706) - 0.06860339670726201) <= 1e-12);
  CHECK(std::abs(sum(1707) + 0.49893152989511014) <= 1e-12);
  for (Pos s = 1; s < 1707; ++s) REQUIRE(sum(s) > 0);
}

TEST_CASE("interpolation divides positions, a larger base does not slow the last pair by its own factor") {
  const model::Encoding pi = scheme("pi:dim=2,factor=4")->lower(1);
  CHECK(8 * rotary_of(pi).frequency[0].theta == 2);  // position 8 at the angle of position 2
  const double slower = thetas(scheme("rope")->lower(0)).back() / thetas(scheme("rope:base=200000")->lower(0)).back();
  CHECK(std::abs(slower - 19.08540595338475) <= 1e-13);
}

TEST_CASE("ntk: where each form puts the factor") {
  const auto plain = thetas(scheme("rope")->lower(0));
  const auto ratio = [&](const std::string& form, std::size_t pair) {
    return plain[pair] / thetas(scheme("ntk:factor=8," + form)->lower(1))[pair];
  };
  // fixed: 8^(2(i+1)/d); mixed: 8^(((i+1)/(d/2))^b). Both reach 8 in the last pair, and are one form for b = 1.
  for (const std::size_t i : {0, 13, 40, 63}) {
    const double share = static_cast<double>(i + 1) / 64;
    CHECK(std::abs(ratio("form=fixed", i) / std::pow(8, share) - 1) <= 1e-14);
    CHECK(std::abs(ratio("form=mixed", i) / std::pow(8, std::pow(share, 0.625)) - 1) <= 1e-14);
    CHECK(std::abs(ratio("form=mixed,exponent=1", i) / std::pow(8, share) - 1) <= 1e-14);
    CHECK(std::abs(ratio("form=aware", i) / std::pow(8, static_cast<double>(i) / 63) - 1) <= 1e-14);
  }
  CHECK(thetas(scheme("ntk:form=fixed,dim=2,factor=8")->lower(1)) == std::vector{0.125});
}

TEST_CASE("dynamic-ntk: the fixed table is the linear rule's at factor times the length, alpha is there from the start") {
  const auto at = [](const std::string& fields, Pos n) {
    return thetas(scheme("dynamic-ntk:original=2048," + fields)->lower(n));
  };
  for (const Pos n : {1, 2048, 100000}) CHECK(at("factor=4,rule=fixed", n) == at("factor=4", 8192));
  CHECK(at("factor=4,rule=fixed", 0) == at("factor=4", 0));
  CHECK(at("factor=1000,rule=alpha", 0) == at("factor=1000,rule=alpha", 8192));
  CHECK(at("factor=8,rule=alpha", 0) == thetas(scheme("ntk:factor=8")->lower(1)));
}

TEST_CASE("ntk-by-parts is yarn's frequencies on the paper's ramp, without its magnitude") {
  const auto parts = scheme("ntk-by-parts:factor=16,original=4096")->lower(1);
  CHECK(thetas(parts) == thetas(scheme("yarn:factor=16,original=4096,ramp=paper")->lower(1)));
  CHECK(test::attention_factor(parts) == 1);
  CHECK(test::refusal("ntk-by-parts:beta-fast=1,beta-slow=32") == "ntk-by-parts: beta-fast = 1: must be >= beta-slow = 32");
}
