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
