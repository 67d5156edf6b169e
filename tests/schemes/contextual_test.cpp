// cope, fox, path, grape-a and grape-ap.
#include "schemes/path_bias.hpp"
#include "schemes/reflections.hpp"
#include "support/scheme_cases.hpp"

using namespace posenc;
using test::check_same;
using test::Part;
using test::scheme;

namespace {

model::Matrix random(model::Index rows, model::Index columns, unsigned seed) {
  std::srand(seed);
  return model::Matrix::Random(rows, columns);
}
/// Content of a head whose x is not q and k side by side.
model::Content projected(model::Index tokens, model::Index width, model::Index d) {
  return {random(tokens, width, 1), random(width, d, 2), random(width, d, 3)};
}
const model::Contextual& contextual(const model::Encoding& e) { return std::get<model::Contextual>(e.terms.at(0)); }
double log_sigmoid(double x) { return -std::log1p(std::exp(-x)); }

}  // namespace

TEST_CASE("cope: logits of the three public forms") {
  const auto c = test::scheme_case("cope");
  test::MemoryLoader loader;
  nlohmann::json table = nlohmann::json::array();  // given as [channel][row]
  for (std::size_t row = 0; row < 3; ++row) {
    nlohmann::json one = nlohmann::json::array();
    for (std::size_t i = 0; i < 3; ++i) one.push_back(c["inputs"]["E"][i][row]);
    table.push_back(one);
  }
  loader.add("e", table);
  const model::Content x = test::content(test::matrix(c["inputs"]["q"]), test::matrix(c["inputs"]["k"]));
  for (const auto& [form, key] :
       {std::pair{"ram-default", "ram_default"}, {"ram-nodiv", "ram_nodiv"}, {"raw-gate", "raw_gate"}}) {
    const model::Encoding e = scheme(std::string("cope:table=e,form=") + form, 4, loader)->lower(0);
    check_same(model::logits(e, 0, x), test::matrix(c["expect"][key]["logits"]), 1e-12, Part::lower);
  }
}

TEST_CASE("path: scores along given reflections") {
  const auto c = test::scheme_case("path");
  const auto beta = c["inputs"]["beta"].get<std::vector<double>>();
  const model::Matrix scores =
      schemes::reflected_scores(test::matrix(c["inputs"]["q"]), test::matrix(c["inputs"]["k"]), test::matrix(c["inputs"]["w"]),
                                Eigen::Map<const model::Vector>(beta.data(), static_cast<model::Index>(beta.size())));
  check_same(scores, test::matrix(c["expect"]["scores"]), 1e-12, Part::lower);
}

TEST_CASE("path: reflections of a drawn scheme keep or flip lengths at most") {
  // beta in (0, 2) and |w| = 1: every H_t has singular values |1 - beta| <= 1, so |score| <= |q| |k|.
  const model::Encoding e = scheme("path:dim=32,heads=4")->lower(0);
  const model::Content x = projected(12, 32, 8);
  const model::Matrix s = contextual(e).scores(x, 3, 0), q = x.q(), k = x.k();
  for (model::Index m = 0; m < 12; ++m) {
    CHECK(std::abs(s(m, m) - q.row(m).dot(k.row(m))) <= 1e-13);
    for (model::Index n = 0; n < m; ++n) CHECK(std::abs(s(m, n)) <= q.row(m).norm() * k.row(n).norm() * (1 + 1e-12));
  }
}

TEST_CASE("path: a forget gate adds the path's sum to the logit, or to the score before its scale") {
  const model::Content x = projected(7, 32, 8);
  const auto added = [&](const std::string& gate) {
    const std::string fields = "path:dim=32,heads=4,std=0.5";
    return model::Matrix(model::logits(scheme(fields + ",forget-gate=" + gate)->lower(0), 2, x) -
                         model::logits(scheme(fields)->lower(0), 2, x));
  };
  const model::Matrix logit = added("logit"), scaled = added("scaled");
  for (model::Index m = 0; m < 7; ++m) {
    CHECK(logit(m, m) == 0);
    for (model::Index n = 0; n < m; ++n) {
      CHECK(logit(m, n) < 0);
      // Additive along the path; the scale of a head of 8 channels.
      for (model::Index t = n; t <= m; ++t) CHECK(std::abs(logit(m, n) - logit(m, t) - logit(t, n)) <= 1e-13);
      CHECK(std::abs(scaled(m, n) - logit(m, n) / std::sqrt(8.0)) <= 1e-14);
    }
  }
}

TEST_CASE("fox: the sum of the gates between key and query") {
  const model::Encoding e = scheme("fox:dim=16,heads=2,std=0.5")->lower(0);
  const model::Content x = projected(6, 16, 8);
  const model::Matrix b = model::logits(e, 1, x) - e.logit_scale * x.q() * x.k().transpose();
  for (model::Index m = 0; m < 6; ++m)
    for (model::Index n = 0; n <= m; ++n) {
      CHECK(b(m, n) <= 1e-15);
      // Additive along the path: b(m, n) = b(m, t) + b(t, n).
      for (model::Index t = n; t <= m; ++t) CHECK(std::abs(b(m, n) - b(m, t) - b(t, n)) <= 1e-13);
    }
  const model::Matrix zero = model::Matrix::Zero(4, 16);
  const model::Encoding still = scheme("fox:dim=16,heads=2,decay-min=4,decay-max=64")->lower(0);
  const model::Content none{zero, random(16, 8, 2), random(16, 8, 3)};
  CHECK(std::abs(model::logits(still, 0, none)(3, 0) + 3.0 / 4) <= 1e-14);
  CHECK(std::abs(model::logits(still, 1, none)(3, 0) + 3.0 / 64) <= 1e-14);
}

TEST_CASE("fox: constant gates are a linear bias") {
  const model::Encoding e = scheme("fox:gate=bias-only,heads=4,decay-min=10,decay-max=1000")->lower(0);
  const auto& b = std::get<model::Bias>(e.terms.at(0));
  CHECK(std::abs(b.value(0, 50, 0) + 5) <= 1e-13);
  CHECK(std::abs(b.value(3, 50, 0) + 0.05) <= 1e-15);
  CHECK(std::abs(b.value(1, 50, 0) / -50 - 1 / std::pow(10, 1 + 2.0 / 3)) <= 1e-15);
  CHECK(test::refusal("fox:decay-min=10") == "fox: decay-min and decay-max: must be given together");
}

TEST_CASE("grape-ap: path bias of the reference form") {
  const auto c = test::scheme_case("grape_ap");
  const auto f = std::get<model::Rotary>(scheme("rope:dim=4")->lower(0).terms.at(0)).frequency;
  const model::Matrix p = test::matrix(c["inputs"]["p"]);
  check_same(schemes::endpoint_path_bias(p, 0.5, {f[0].turn, f[1].turn}, 0), test::matrix(c["expect"]["bias"]), 1e-10);
  // Tied to the queries, head 1 of 8 has the slope 1/2.
  const model::Encoding e = scheme("grape-ap:dim=32,heads=8,source=query")->lower(0);
  const model::Content x = test::content(p, random(4, 4, 5));
  check_same(model::logits(e, 0, x) - e.logit_scale * x.q() * x.k().transpose(), test::matrix(c["expect"]["bias"]), 1e-10);
}

TEST_CASE("grape-a: with u = 0 every key has ln 2 of ALiBi's slope") {
  const model::Encoding e = scheme("grape-a:heads=8,dim=4,std=1e-300")->lower(0);
  const model::Content x = test::content(random(5, 4, 6), random(5, 4, 7));
  const model::Matrix b = model::logits(e, 2, x) - e.logit_scale * x.q() * x.k().transpose();
  for (model::Index m = 0; m < 5; ++m)
    for (model::Index n = 0; n <= m; ++n) CHECK(std::abs(b(m, n) + 0.125 * std::log(2) * static_cast<double>(m - n)) <= 1e-14);
  // In general the slope is that of the key alone.
  const model::Encoding gated = scheme("grape-a:heads=8,dim=4,std=1")->lower(0);
  const model::Matrix g = model::logits(gated, 0, x) - gated.logit_scale * x.q() * x.k().transpose();
  for (model::Index n = 0; n < 3; ++n) CHECK(std::abs(g(4, n) / static_cast<double>(4 - n) - g(n + 1, n)) <= 1e-13);
  CHECK(log_sigmoid(0) == -std::log(2.0));
}
