#include "support/scheme_cases.hpp"

using namespace posenc;
using test::attention_factor;
using test::scheme;
using test::thetas;

TEST_CASE("the default attention factor is 0.1 ln(factor) + 1") {
  for (const auto& [factor, value] : {std::pair{"4", 1.138629436111989}, std::pair{"40", 1.3688879454113936},
                                      std::pair{"64", 1.4158883083359672}, std::pair{"128", 1.4852030263919618}})
    CHECK(std::abs(attention_factor(scheme("yarn:factor=" + std::string(factor))->lower(1)) - value) <= 4e-16);
  CHECK(attention_factor(scheme("yarn:factor=4")->lower(0)) == 1);
  CHECK(attention_factor(scheme("yarn:original=2048")->lower(2048)) == 1);
  CHECK(attention_factor(scheme("yarn:original=2048")->lower(8192)) == attention_factor(scheme("yarn:factor=4")->lower(1)));
}

TEST_CASE("an explicit attention factor replaces the computed one") {
  CHECK(attention_factor(scheme("yarn:factor=64,attention-factor=1")->lower(1)) == 1);
  CHECK(attention_factor(scheme("yarn:factor=10,attention-factor=0.5")->lower(1)) == 0.5);
  CHECK(attention_factor(scheme("yarn:factor=10,attention-factor=0.5")->lower(0)) == 1);
}

TEST_CASE("mscale counts only with mscale-all-dim, and softmax-mscale scales the logits") {
  const double plain = attention_factor(scheme("yarn:factor=40")->lower(1));
  CHECK(attention_factor(scheme("yarn:factor=40,mscale=0.707")->lower(1)) == plain);
  CHECK(attention_factor(scheme("yarn:factor=40,mscale=1,mscale-all-dim=0")->lower(1)) == plain);
  CHECK(attention_factor(scheme("yarn:factor=40,mscale=1,mscale-all-dim=1")->lower(1)) == 1);
  const double ratio = (0.1 * 0.707 * std::log(40) + 1) / (0.1 * 2 * std::log(40) + 1);
  CHECK(std::abs(attention_factor(scheme("yarn:factor=40,mscale=0.707,mscale-all-dim=2")->lower(1)) - ratio) <= 2e-16);
  const auto deepseek = scheme("yarn:dim=64,factor=40,softmax-mscale=1");
  CHECK(std::abs(deepseek->lower(1).logit_scale * 8 - plain * plain) <= 4e-16);
  CHECK(deepseek->lower(0).logit_scale == 0.125);
}

TEST_CASE("pairs outside the blend are kept with the original base, or divided") {
  const auto before = thetas(scheme("yarn:factor=4,original=4096")->lower(0)),
             after = thetas(scheme("yarn:factor=4,original=4096")->lower(1));
  CHECK(std::abs(after[5] - 0.4869675251658631) <= 1e-15);
  for (std::size_t i = 0; i <= 20; ++i) CHECK(after[i] == before[i]);
  CHECK(after[21] < before[21]);
  CHECK(after[45] > before[45] / 4);
  for (std::size_t i = 46; i < 64; ++i) CHECK(after[i] == before[i] / 4);
}

TEST_CASE("equal betas make a hard step between two pairs") {
  const std::string kimi = "yarn:dim=64,base=50000,factor=32,original=4096,beta-fast=1,beta-slow=1";
  const auto before = thetas(scheme(kimi)->lower(0)), after = thetas(scheme(kimi)->lower(1));
  CHECK(after[19] == before[19]);
  CHECK(after[20] == before[20] / 32);
}

TEST_CASE("a blend that would run backwards is refused") {
  CHECK(test::refusal("yarn:beta-fast=1,beta-slow=32") == "yarn: beta-fast = 1: must be >= beta-slow = 32");
  CHECK(test::refusal("yarn:ramp=paper,backwards=true") == "yarn: backwards = true: needs ramp=code");
  CHECK(test::refusal("resonance:beta-fast=1,beta-slow=32") == "resonance: beta-fast = 1: must be >= beta-slow = 32");
}
