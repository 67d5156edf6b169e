#include "support/scheme_cases.hpp"

#include <numbers>

using namespace posenc;
using test::check_same;
using test::scheme;

namespace {

model::Matrix rows(const std::string& encoding, const std::vector<model::Pos>& positions) {
  const model::Encoding e = scheme(encoding)->lower(0);
  model::Matrix out(static_cast<model::Index>(positions.size()), e.width);
  for (std::size_t i = 0; i < positions.size(); ++i) out.row(static_cast<model::Index>(i)) = test::table(e, positions[i], 1);
  return out;
}
model::Matrix row(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::RowVectorXd>(values.data(), static_cast<model::Index>(values.size()));
}

}  // namespace

TEST_CASE("rows of the paper and of tensor2tensor") {
  const std::vector<model::Pos> positions{0, 1, 7, 100};
  check_same(rows("sinusoidal:dim=8", positions), test::matrix(test::scheme_case("sinusoidal")["expect"]["P"]), 1e-15);
  check_same(rows("sinusoidal:dim=8,layout=concat,exponent=t2t", positions),
             test::matrix(test::scheme_case("sinusoidal_t2t")["expect"]["P"]), 1e-15);
}

TEST_CASE("both layouts are one table up to the order of columns") {
  const double s0 = 0.8414709848078965, c0 = 0.5403023058681398, s1 = 0.009999833334166664, c1 = 0.9999500004166653;
  check_same(rows("sinusoidal:dim=4", {1}), row({s0, c0, s1, c1}), 1e-15);
  check_same(rows("sinusoidal:dim=4,layout=concat", {1}), row({s0, s1, c0, c1}), 1e-15);
}

TEST_CASE("tensor2tensor's frequencies end at 1/base, and the smallest width has frequency 1") {
  const model::Matrix wide = rows("sinusoidal:dim=384,layout=concat,exponent=t2t", {1});
  CHECK(std::abs(wide(0, 0) - 0.8414709848078965) <= 1e-15);
  CHECK(std::abs(wide(0, 191) - 9.999999983333334e-05) <= 1e-15);
  CHECK(std::abs(wide(0, 192) - 0.5403023058681398) <= 1e-15);
  CHECK(std::abs(wide(0, 383) - 0.999999995) <= 1e-15);
  check_same(rows("sinusoidal:dim=2,exponent=t2t", {1}), row({0.8414709848078965, 0.5403023058681398}), 1e-15);
}

TEST_CASE("an odd width has one more sine in the paper's form, a zero column in the others, and no spectrum") {
  check_same(rows("sinusoidal:dim=5", {1}),
             row({0.8414709848078965, 0.5403023058681398, 0.025116222909773774, 0.9996845379152098, 0.0006309573026154199}),
             1e-15);
  const double s1 = std::sin(1e-4), c1 = std::cos(1e-4);
  check_same(rows("sinusoidal:dim=5,layout=concat,exponent=t2t", {1}), row({std::sin(1.0), s1, std::cos(1.0), c1, 0}), 1e-15);
  const auto spectrum = [](const std::string& encoding) {
    return std::get<model::AbsoluteTable>(scheme(encoding)->lower(0).terms.at(0)).rows->spectrum();
  };
  CHECK(spectrum("sinusoidal:dim=5") == nullptr);
  // A zero column in place of the formula's last sine; the other frequencies keep their exponents -2i/5.
  check_same(rows("sinusoidal:dim=5,odd=zero", {1}),
             row({std::sin(1.0), std::cos(1.0), 0.025116222909773774, 0.9996845379152098, 0}), 1e-15);
  CHECK(test::refusal("sinusoidal:dim=6,odd=zero") == "sinusoidal: odd = zero: needs an odd dim");
  CHECK(spectrum("sinusoidal:dim=6")->size() == 3);
}

TEST_CASE("rows have norm sqrt(d/2), their products depend on the offset alone") {
  const model::Matrix p = rows("sinusoidal:dim=8", {5, 6, 100, 101});
  for (model::Index i = 0; i < 4; ++i) CHECK(std::abs(p.row(i).squaredNorm() - 4) <= 1e-14);
  CHECK(std::abs(p.row(0).dot(p.row(1)) - 3.5352559715628726) <= 1e-14);
  CHECK(std::abs(p.row(2).dot(p.row(3)) - 3.5352559715628726) <= 1e-14);
}

TEST_CASE("the longest wavelength is 2 pi base^((d-2)/d)") {
  const auto longest = [](const std::string& encoding) {
    const auto e = scheme(encoding)->lower(0);
    return 2 * std::numbers::pi / std::get<model::AbsoluteTable>(e.terms.at(0)).rows->spectrum()->back().theta;
  };
  CHECK(std::abs(longest("sinusoidal:dim=512,base=1000") - 6115.910458036459) <= 1e-9);
  CHECK(std::abs(longest("sinusoidal:dim=512") - 60611.47716626105) <= 1e-8);
}

TEST_CASE("the start index moves the rows, the embedding is scaled by sqrt(D)") {
  CHECK(rows("sinusoidal:dim=8,start-index=2", {5}) == rows("sinusoidal:dim=8", {7}));
  const auto entry = [](const std::string& encoding) {
    return std::get<model::Added>(std::get<model::AbsoluteTable>(scheme(encoding)->lower(0).terms.at(0)).entry);
  };
  CHECK(entry("sinusoidal:dim=64").embedding_scale == 8);
  CHECK(entry("sinusoidal:dim=64,scale-embedding=false").embedding_scale == 1);
}
