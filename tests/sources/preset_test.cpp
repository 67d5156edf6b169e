#include "sources/preset.hpp"

#include "sources/config.hpp"
#include "sources/lowered.hpp"
#include "sources/model_file.hpp"
#include "sources/temporary_file.hpp"
#include "sources/thrown.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace posenc;
using nlohmann::json;

TEST_CASE("every model of the facts is a preset that says the same when read") {
  const json facts = json::parse(test::bytes_of_file(POSENC_DATA_DIR "/models/facts.json"));
  const auto names = sources::preset_names(POSENC_DATA_DIR);
  const auto models = std::count_if(names.begin(), names.end(), [](const auto& n) { return !n.starts_with("trained-"); });
  CHECK(models == static_cast<std::ptrdiff_t>(facts.size()));
  for (const json& fact : facts) {
    const auto name = fact["name"].get<std::string>();
    CAPTURE(name);
    CHECK(!fact["source"].get<std::string>().empty());
    const auto report = sources::read_config_file(sources::preset_file(POSENC_DATA_DIR, name));
    REQUIRE(report.errors.empty());
    CHECK(report.model_type == fact["model_type"]);
    bool base_found = fact["scheme"] != "rotary";
    for (const auto& layer : report.layers) {
      if (!layer.encoding.scheme.empty()) CHECK_NOTHROW(test::resolved(layer.encoding)->lower(layer.at));
      if (layer.rope_type.empty() || layer.rope_type == "none") continue;
      const bool global_head = fact.value("keys", json::object()).contains("global_head_dim") && layer.name == "full_attention";
      if (!global_head) CHECK(layer.head_dim == fact["head_dim"].get<model::Pos>());
      if (!global_head) CHECK(layer.rotary_dim == fact["rotary_dim"].get<model::Pos>());
      CHECK(layer.layout == fact["layout"]);
      CHECK(layer.positions == fact["positions"].get<model::Pos>());
      base_found |= layer.base == fact["base"].get<double>();
    }
    CHECK(base_found);
  }
}

TEST_CASE("Llama 3.1 8B") {
  const auto report = sources::read_config_file(sources::preset_file(POSENC_DATA_DIR, "llama-3.1-8b"));
  REQUIRE(report.layers.size() == 1);
  CHECK(sources::encoding_text(report.layers[0].encoding) ==
        "llama3:dim=128,base=500000,layout=half_split,factor=8,low-freq-factor=1,high-freq-factor=4,original=8192");
  CHECK(report.warnings.empty());
}

TEST_CASE("the trained tables are presets") {
  const auto names = sources::preset_names(POSENC_DATA_DIR);
  for (const char* const name : {"trained-learned", "trained-shaw", "trained-transformer-xl", "trained-t5", "trained-tupe",
                                 "trained-deberta", "trained-kerple"}) {
    CAPTURE(name);
    CHECK(std::find(names.begin(), names.end(), name) != names.end());
    CHECK(sources::preset_folder(name) == "@trained");
    const auto specs = sources::read_encodings(sources::preset_file(POSENC_DATA_DIR, name), name, POSENC_DATA_DIR "/trained");
    for (const auto& spec : specs) {
      CHECK(spec.label.starts_with(name));
      const auto scheme = test::resolved(spec);
      CHECK(scheme->train_length() == 64);
      CHECK(!scheme->lower(64).terms.empty());
    }
  }
  CHECK(sources::preset_folder("gpt2") == "@models");
}

TEST_CASE("a mistyped preset gets the nearest name") {
  const auto missing = [](const char* name) { return test::thrown([&] { sources::preset_file(POSENC_DATA_DIR, name); }); };
  CHECK(missing("llama-3.1-8B").find("llama-3.1-8b") != std::string::npos);
  CHECK(missing("gpt-2").substr(0, 4) == "64: ");
  CHECK(missing("facts").substr(0, 4) == "64: ");
  CHECK(sources::preset_names("/nonexistent").empty());
}
