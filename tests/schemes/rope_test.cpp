#include "model/views/rotary_rows.hpp"
#include "support/scheme_cases.hpp"

using namespace posenc;
using test::check_same;
using test::scheme;
using test::thetas;

namespace {

model::Matrix rotated(const std::string& encoding, model::Pos position, const std::vector<double>& x) {
  const model::Encoding e = scheme(encoding)->lower(0);
  model::Matrix out = Eigen::Map<const Eigen::RowVectorXd>(x.data(), static_cast<model::Index>(x.size()));
  model::rotate(e, std::get<model::Rotary>(e.terms.at(0)), 0, model::Side::query, position, out);
  return out;
}
model::Matrix row(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::RowVectorXd>(values.data(), static_cast<model::Index>(values.size()));
}

}  // namespace

TEST_CASE("scores of both layouts") {
  const auto c = test::scheme_case("rope");
  const model::Content x = test::content(test::matrix(c["inputs"]["q"]), test::matrix(c["inputs"]["k"]));
  for (const char* layout : {"interleaved", "half_split"}) {
    const model::Encoding e = scheme("rope:dim=8,layout=" + std::string(layout))->lower(0);
    check_same(model::terms(e, 0, x).sum(), test::matrix(c["expect"][layout]), 1e-12);
  }
}

TEST_CASE("a key rotated by r scores highest at distance r") {
  const auto c = test::scheme_case("rope_key_at_distance");
  const auto q = c["inputs"]["q"].get<std::vector<double>>();
  const model::Matrix key = rotated("rope:dim=8,layout=interleaved", 11, q);
  const model::Matrix expected = row(c["expect"]["scores"].get<std::vector<double>>());
  for (model::Index s = 0; s < expected.cols(); ++s)
    CHECK(std::abs(rotated("rope:dim=8,layout=interleaved", s, q).row(0).dot(key.row(0)) - expected(0, s)) <= 1e-12);
}

TEST_CASE("one vector at position 1, and nothing at position 0") {
  check_same(rotated("rope:dim=4,layout=interleaved", 1, {1, 2, 3, 4}),
             row({-1.1426396637476532, 1.922075596544176, 2.9598506679133294, 4.029799501669161}), 1e-14);
  check_same(rotated("rope:dim=4,layout=half_split", 1, {1, 2, 3, 4}),
             row({-1.9841106485555495, 1.959900667496664, 2.4623779024123156, 4.019799668334994}), 1e-14);
  for (const char* layout : {"interleaved", "half_split"})
    check_same(rotated("rope:dim=4,layout=" + std::string(layout), 0, {1, 2, 3, 4}), row({1, 2, 3, 4}), 0);
  CHECK(std::abs(rotated("rope:dim=4", 1, {1, 0, 0, 0}).squaredNorm() - 1) <= 1e-15);
}

TEST_CASE("channel pairs of the layouts") {
  const auto channels = [](const std::string& encoding) {
    return std::get<model::Rotary>(scheme(encoding)->lower(0).terms.at(0)).channel;
  };
  using Pairs = std::vector<std::array<model::Index, 2>>;
  CHECK(channels("rope:dim=8,layout=interleaved") == Pairs{{0, 1}, {2, 3}, {4, 5}, {6, 7}});
  CHECK(channels("rope:dim=8,layout=half_split") == Pairs{{0, 4}, {1, 5}, {2, 6}, {3, 7}});
  CHECK(channels("rope:dim=8,layout=half_split,partial=0.5") == Pairs{{0, 2}, {1, 3}});
}

TEST_CASE("first and last frequency of common bases") {
  for (const auto& [base, last] : {std::pair{"10000", 0.00011547819846894582}, std::pair{"500000", 2.455140791131609e-06},
                                   std::pair{"1000000", 1.2409377607517195e-06}}) {
    const auto t = thetas(scheme("rope:base=" + std::string(base))->lower(0));
    CHECK(t.size() == 64);
    CHECK(t.front() == 1);
    CHECK(std::abs(t.back() / last - 1) <= 2e-15);
  }
}

TEST_CASE("a forgotten base is off by a quarter turn in the middle pair after 183 positions") {
  const double off = thetas(scheme("rope")->lower(0))[32] - thetas(scheme("rope:base=500000")->lower(0))[32];
  CHECK((182 * off < std::acos(0.0) && 183 * off >= std::acos(0.0)));
}

TEST_CASE("partial rotation: exponents over the rotated width, any share down to none") {
  const auto t = thetas(scheme("rope:dim=256,partial=0.25")->lower(0));
  CHECK(t.size() == 32);
  CHECK(std::abs(t[1] - 0.7498942093324559) <= 1e-15);
  CHECK(thetas(scheme("rope:dim=256,rotary-dim=64")->lower(0)) == t);
  CHECK(thetas(scheme("rope:dim=80,partial=0.4")->lower(0)).size() == 16);
  CHECK(thetas(scheme("rope:dim=128,partial=0.3")->lower(0)).size() == 19);  // int(38.4)
  CHECK(thetas(scheme("rope:dim=64,partial=0")->lower(0)).empty());
  CHECK(rotated("rope:dim=4,partial=0", 1000, {1, 2, 3, 4}) == row({1, 2, 3, 4}));
}

TEST_CASE("one frequency shared by all pairs") {
  const auto t = thetas(scheme("rope:dim=8,frequencies=single,frequency=0.01")->lower(0));
  CHECK(t == std::vector<double>(4, 0.01));
}

TEST_CASE("bad widths, bases and shares are refused with the rule") {
  const auto refused = [](const std::string& name, const std::string& value) {
    const auto s = schemes::registry().make("rope");
    Fields f = s->fields();
    try {
      set("rope", *find(f, name), value);
    } catch (const UsageError& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  CHECK(refused("dim", "63") == "rope: dim = 63: must be >= 2, even");
  CHECK(refused("base", "1") == "rope: base = 1: must be > 1");
  CHECK(refused("partial", "1.5") == "rope: partial = 1.5: must be >= 0, <= 1");
  CHECK(refused("rotary-dim", "5") == "rope: rotary-dim = 5: must be >= 0, even");
  CHECK(test::refusal("rope:dim=10,partial=0.5") == "rope: partial = 0.5: must rotate an even number of channels, not 5 of 10");
  CHECK(test::refusal("rope:dim=8,rotary-dim=16") == "rope: rotary-dim = 16: must be <= dim = 8");
  CHECK(test::refusal("rope:dim=2097152") == "rope: dim = 2097152: must be <= 1048576");
}
