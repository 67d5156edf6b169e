#include "sources/what_if.hpp"

#include "sources/config.hpp"
#include "support/catch.hpp"

#include <algorithm>

using namespace posenc::sources;

namespace {

ModelReport listed(const std::string& text) {
  ModelReport out = read_config(text, "m.json");
  list_what_if(out);
  return out;
}

std::vector<std::string> conditions(const ModelReport& report) {
  std::vector<std::string> out;
  for (const WhatIf& w : report.what_if) out.push_back(w.layer + ": " + w.condition);
  return out;
}

}  // namespace

TEST_CASE("only mistakes that make a difference are listed") {
  const std::string plain = R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2, "rope_theta": 10000,
                                "max_position_embeddings": 2048)";
  CHECK(conditions(listed(plain + "}")) == std::vector<std::string>{"all: pairs were taken as (2i, 2i+1)"});
  CHECK(conditions(listed(plain + R"(, "rope_scaling": {"rope_type": "linear", "factor": 2}})")) ==
        std::vector<std::string>{"all: the linear scaling were dropped", "all: pairs were taken as (2i, 2i+1)"});
  CHECK(conditions(listed(plain + R"(, "partial_rotary_factor": 0.5})")) ==
        std::vector<std::string>{"all: every channel of a head were turned", "all: pairs were taken as (2i, 2i+1)"});
}

TEST_CASE("layer types are told from each other") {
  const auto report = listed(R"({"model_type": "gemma3_text", "hidden_size": 64, "num_attention_heads": 2, "head_dim": 32,
    "num_hidden_layers": 6, "max_position_embeddings": 2048, "rope_theta": 1000000, "rope_local_base_freq": 10000})");
  const auto all = conditions(report);
  for (const char* line :
       {"sliding_attention: these layers turned like full_attention",
        "full_attention: these layers turned like sliding_attention", "full_attention: the base were ignored (10000)"})
    CHECK(std::count(all.begin(), all.end(), line) == 1);
}

TEST_CASE("the other reading is an encoding of its own") {
  const auto report = listed(R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2, "rope_theta": 500000,
    "max_position_embeddings": 8192, "rope_scaling": {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 2048}})");
  REQUIRE(report.what_if.size() == 3);
  CHECK(encoding_text(report.what_if[0].encoding) == "rope:dim=32,base=500000,layout=half_split,original=2048");
  CHECK(with_values({"rope", "", {{"base", "2"}}}, {{"base", "3"}, {"dim", "4"}}).values ==
        std::vector<std::pair<std::string, std::string>>{{"base", "3"}, {"dim", "4"}});
}

TEST_CASE("a warning brings the reading that it warns of") {
  const std::string start = R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 500000,
    "max_position_embeddings": 131072, )";
  const auto of_warning = [&](const std::string& rest) {
    const ModelReport report = listed(start + rest + "}");
    std::vector<std::string> out;
    for (const WhatIf& w : report.what_if)
      if (w.warning) out.push_back(report.warnings.at(*w.warning) + " | " + w.condition + " | " + encoding_text(w.encoding));
    REQUIRE(out.size() == 1);
    return out[0];
  };
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  const std::string ratio =
      of_warning(R"("rope_scaling": {"rope_type": "yarn", "factor": 8, "original_max_position_embeddings": 8192})");
  CHECK(has(ratio, "factor = 8 is used, though"));
  CHECK(has(ratio, "| the factor were 16 |"));
  CHECK(has(ratio, "factor=16"));
  const std::string swapped = of_warning(
      R"("rope_scaling": {"rope_type": "yarn", "factor": 16, "original_max_position_embeddings": 8192, "beta_fast": 1, "beta_slow": 32})");
  CHECK(has(swapped, "beta-fast=32,beta-slow=1,backwards=false"));
  const std::string other = of_warning(
      R"("rope_scaling": {"rope_type": "llama3", "factor": 8, "original_max_position_embeddings": 8192, "low_freq_factor": 1,
          "high_freq_factor": 4, "rope_theta": 10000})");
  CHECK(has(other, "rope_theta = 500000 is not used: rope_scaling.rope_theta = 10000 decides"));
  CHECK(has(other, "| rope_theta decided | llama3:"));
  CHECK(has(other, "base=500000"));
  const std::string shrinks =
      of_warning(R"("rope_scaling": {"rope_type": "linear", "factor": 0.5, "original_max_position_embeddings": 131072})");
  CHECK(has(shrinks, "| its inverse were meant |"));
  CHECK(has(shrinks, "factor=2"));
}
