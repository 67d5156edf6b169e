// kerple, sandwich, fire and tisa.
#include "support/scheme_cases.hpp"

using namespace posenc;
using test::check_same;
using test::scheme;

namespace {

std::vector<double> features(const model::Encoding& e, model::Index head, model::Pos m, model::Pos n) {
  const auto& b = std::get<model::Bias>(e.terms.back());
  std::vector<double> phi(static_cast<std::size_t>(b.unknowns));
  b.features(head, m, n, phi.data());
  return phi;
}

}  // namespace

TEST_CASE("kerple: power form and the composite that also scales the content") {
  const auto c = test::scheme_case("kerple_power");
  test::MemoryLoader loader;
  loader.add("r1", c["inputs"]["r1_coefficient"]);
  loader.add("r2", c["inputs"]["r2_exponent"]);
  loader.add("a", c["inputs"]["weight_coefficient"]);
  loader.add("p", c["inputs"]["weight_exponent"]);
  const model::Encoding plain = scheme("kerple:form=power,r1=r1,r2=r2", 8, loader)->lower(0);
  const model::Encoding both = scheme("kerple:form=power,r1=r1,r2=r2,weight-a=a,weight-p=p,dim=5", 8, loader)->lower(0);
  for (std::size_t h = 0; h < 2; ++h) {
    const auto head = static_cast<model::Index>(h);
    check_same(test::bias(plain, head, 5), test::matrix(c["expect"]["bias"][h]), 1e-13, test::Part::lower);
    // The reference's content is the scaled logit: q k^T / sqrt(5) with k = sqrt(5) I.
    const model::Matrix q = test::matrix(c["inputs"]["content"][h]), k = std::sqrt(5.0) * model::Matrix::Identity(5, 5);
    check_same(model::logits(both, head, test::content(q, k)), test::matrix(c["expect"]["composite"][h]), 1e-12,
               test::Part::lower);
  }
  CHECK(test::refusal("kerple:weight-a=1") == "kerple: weight-a and weight-p: must be given together");
}

TEST_CASE("kerple: logarithmic form with numbers, files and draws") {
  const model::Encoding e = scheme("kerple:r1=2,r2=0.5,heads=3")->lower(0);
  for (const model::Pos s : {0, 1, 10, 1000})
    CHECK(std::abs(std::get<model::Bias>(e.terms.at(0)).value(2, s, 0) + 2 * std::log(1 + 0.5 * static_cast<double>(s))) <=
          1e-14);
  CHECK(features(e, 0, 10, 0) == std::vector<double>{1, -std::log1p(5.0)});
  CHECK(scheme("kerple:r1=kerple.r1.npy,r2=kerple.r2.npy")->lower(0).heads == 4);
  const model::Encoding drawn = scheme("kerple:heads=64")->lower(0);
  for (model::Index h = 0; h < 64; ++h) {
    const double b = std::get<model::Bias>(drawn.terms.at(0)).value(h, 1, 0);
    CHECK((b < 0 && b > -2 * std::log(2.0)));
  }
  CHECK(test::refusal("kerple:r1=0.001") == "kerple: r1 = 0.001: must be >= 0.01");
  CHECK(test::refusal("kerple:form=power,r2=3") == "kerple: r2 = 3: must be >= 0.01, <= 2");
  CHECK(test::refusal("kerple:r1=kerple.r1.npy,heads=8") == "kerple: r1 = kerple.r1.npy: heads is 4, but heads = 8 is given");
}

TEST_CASE("sandwich: the published sum over heads") {
  const auto c = test::scheme_case("sandwich");
  const model::Encoding e = scheme("sandwich:dim=8,heads=4")->lower(0);
  const auto& b = std::get<model::Bias>(e.terms.at(0));
  for (std::size_t h = 0; h < 4; ++h)
    for (std::size_t i = 0; i < 5; ++i) {
      const model::Pos s = c["inputs"]["s"][i];
      const double expected = c["expect"]["bias"][h][i];
      CHECK(std::abs(b.value(static_cast<model::Index>(h), s, 0) - expected) <= 1e-15 + 1e-14 * std::abs(expected));
    }
  CHECK(features(e, 0, 7, 7) == std::vector<double>{1, 4});
  CHECK(!b.free);
}

TEST_CASE("fire: normalised distance and bias") {
  const auto c = test::scheme_case("fire");
  test::MemoryLoader loader;
  for (const char* name : {"W1", "b1", "W2", "b2"}) loader.add(name, c["inputs"][name]);
  const model::Encoding e = scheme("fire:w1=W1,b1=b1,w2=W2,b2=b2,threshold=3", 8, loader)->lower(0);
  CHECK(e.heads == 2);
  for (std::size_t h = 0; h < 2; ++h)
    check_same(test::bias(e, static_cast<model::Index>(h), 6), test::matrix(c["expect"]["bias"][h]), 1e-12);
  // Features: 1 and the hidden layer of the normalised distance.
  const auto w = c["inputs"]["W1"].get<std::vector<double>>(), b = c["inputs"]["b1"].get<std::vector<double>>();
  const double x = c["expect"]["arg"][5][1];
  std::vector<double> expected{1};
  for (std::size_t u = 0; u < w.size(); ++u) expected.push_back(std::max(0.0, w[u] * x + b[u]));
  check_same(features(e, 0, 5, 1), expected, 1e-12);
  CHECK(!std::get<model::Bias>(e.terms.at(0)).by_lag);
  CHECK(test::refusal("fire:w1=kerple.r1.npy,hidden=32") == "fire: w1 = kerple.r1.npy: hidden is 4, but hidden = 32 is given");
}

TEST_CASE("tisa: kernels in the code's distance and in the plain one") {
  const auto c = test::scheme_case("tisa");
  test::MemoryLoader loader;
  loader.add("a", c["inputs"]["kernel_amplitudes"]);
  loader.add("g", c["inputs"]["kernel_sharpness"]);
  loader.add("c", c["inputs"]["kernel_offsets"]);
  const std::string files = "tisa:amplitudes=a,sharpness=g,offsets=c";
  for (std::size_t h = 0; h < 2; ++h) {
    const auto head = static_cast<model::Index>(h);
    check_same(test::bias(scheme(files, 8, loader)->lower(0), head, 4), test::matrix(c["expect"]["code"][h]), 1e-12);
    check_same(test::bias(scheme(files + ",argument=plain", 8, loader)->lower(0), head, 4),
               test::matrix(c["expect"]["r_m_minus_n"][h]), 1e-12);
  }
  const model::Encoding e = scheme(files, 8, loader)->lower(0);
  const auto phi = features(e, 1, 3, 1);
  const double a0 = c["inputs"]["kernel_amplitudes"][0][1], a1 = c["inputs"]["kernel_amplitudes"][1][1];
  CHECK(std::abs(a0 * phi[0] + a1 * phi[1] - test::bias(e, 1, 4)(3, 1)) <= 1e-15);
}
