#include "support/scheme_cases.hpp"

using namespace posenc;
using test::check_same;
using test::scheme;

namespace {

std::vector<double> slopes(const std::string& encoding) {
  const model::Encoding e = scheme(encoding)->lower(0);
  std::vector<double> out;
  for (model::Index h = 0; h < e.heads; ++h) out.push_back(-test::bias(e, h, 2)(1, 0));
  return out;
}

}  // namespace

TEST_CASE("slopes of any number of heads") {
  check_same(slopes("alibi:heads=8"), {0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625}, 0);
  check_same(slopes("alibi:heads=12"),
             {0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625, 0.7071067811865476, 0.3535533905932738,
              0.1767766952966369, 0.08838834764831845},
             0, 3e-16);
  check_same(slopes("alibi:heads=6"), {0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125}, 0);
  check_same(slopes("alibi:heads=1"), {0.00390625}, 0);
  const auto forty = slopes("alibi:heads=40");
  CHECK(forty.size() == 40);
  CHECK(std::abs(forty[32] - 0.9170040432046712) <= 1e-15);
  check_same(slopes("alibi:heads=4,bias-max=4"), {0.5, 0.25, 0.125, 0.0625}, 0);
}

TEST_CASE("distance and key form") {
  const auto c = test::scheme_case("alibi")["expect"];
  const model::Encoding distance = scheme("alibi:heads=4")->lower(0), key = scheme("alibi:heads=4,form=key")->lower(0);
  for (std::size_t h = 0; h < 4; ++h)
    for (model::Index m = 0; m < 4; ++m)
      for (model::Index n = 0; n <= m; ++n) {
        const auto i = static_cast<model::Index>(h);
        const auto x = static_cast<std::size_t>(m), y = static_cast<std::size_t>(n);
        CHECK(test::bias(distance, i, 4)(m, n) == c["distance_form"][h][x][y].get<double>());
        CHECK(test::bias(key, i, 4)(m, n) == c["key_form"][h][x][y].get<double>());
      }
  CHECK(std::get<model::Bias>(distance.terms.at(0)).by_lag);
  CHECK(!std::get<model::Bias>(key.terms.at(0)).by_lag);
}

TEST_CASE("both forms weigh keys the same") {
  const model::Matrix zero = model::Matrix::Zero(6, 128);
  const auto weights = [&](const std::string& encoding) {
    const model::Encoding e = scheme(encoding)->lower(0);
    model::Matrix w = model::logits(e, 1, test::content(zero, zero));
    for (model::Index m = 0; m < 6; ++m)
      for (model::Index n = 0; n <= m; ++n) w(m, n) = std::get<model::Bias>(e.terms.at(0)).value(1, m, n);
    model::softmax_rows(e, 0, w);
    return w;
  };
  check_same(weights("alibi"), weights("alibi:form=key"), 1e-15);
}

TEST_CASE("keys after the query") {
  const auto c = test::scheme_case("alibi_asymmetric")["expect"]["bias"];
  const model::Encoding e = scheme("alibi:heads=2,sides=asymmetric")->lower(0);
  for (std::size_t h = 0; h < 2; ++h) check_same(test::bias(e, static_cast<model::Index>(h), 4), test::matrix(c[h]), 0);
  CHECK(test::bias(scheme("alibi:heads=8,sides=symmetric")->lower(0), 0, 6)(2, 5) == -1.5);
  CHECK(test::bias(scheme("alibi:heads=8")->lower(0), 0, 6)(5, 2) == -1.5);
  CHECK(!e.causal);
  CHECK(test::refusal("alibi:form=key,sides=symmetric") == "alibi: form = key: needs sides=causal");
}

TEST_CASE("features: a constant and the bias, whose slope no training changes") {
  const model::Encoding e = scheme("alibi:heads=8")->lower(0);
  const auto& b = std::get<model::Bias>(e.terms.at(0));
  REQUIRE(b.unknowns == 2);
  std::array<double, 2> phi{};
  b.features(1, 100, 60, phi.data());
  CHECK(phi == std::array{1.0, -10.0});
  CHECK(!b.free);
}
