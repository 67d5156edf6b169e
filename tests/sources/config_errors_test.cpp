#include "sources/config.hpp"
#include "sources/temporary_file.hpp"
#include "sources/thrown.hpp"
#include "support/catch.hpp"

#include <fmt/format.h>

using namespace posenc;
using sources::ModelReport;
using test::thrown;

namespace {

/// A Llama of 32 heads of 128 channels, with more keys.
std::string llama(const std::string& keys) {
  return R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "max_position_embeddings": 8192, "rope_theta": 500000.0)" +
         (keys.empty() ? "" : ", " + keys) + "}";
}
std::string scaled(const std::string& members) { return llama("\"rope_scaling\": {" + members + "}"); }
/// A SmolLM3 of four layers.
std::string smollm(const std::string& no_rope_layers) {
  return R"({"model_type": "smollm3", "head_dim": 64, "rope_theta": 1e4, "num_hidden_layers": 4, "no_rope_layers": )" +
         no_rope_layers + "}";
}
std::string gemma3(const std::string& pattern) {
  return R"({"model_type": "gemma3_text", "rope_theta": 1e4, "rope_local_base_freq": 1e4, "sliding_window_pattern": )" + pattern +
         "}";
}
std::string exaone4(const std::string& pattern) {
  return R"({"model_type": "exaone4", "head_dim": 64, "rope_theta": 1e4, "sliding_window": 8, "sliding_window_pattern": )" +
         pattern + "}";
}
std::vector<std::string> errors(const std::string& text) {
  const ModelReport report = sources::read_config(text, "config.json");
  if (!report.errors.empty()) CHECK(report.layers.empty());
  return report.errors;
}
std::vector<std::string> warnings(const std::string& text) {
  const ModelReport report = sources::read_config(text, "config.json");
  CHECK(report.errors.empty());
  return report.warnings;
}
std::string list(int count, const std::string& value) {
  std::string out;
  for (int i = 0; i < count; ++i) out += (i ? "," : "") + value;
  return "[" + out + "]";
}
const std::string yarn = R"("rope_type": "yarn", "original_max_position_embeddings": 4096, )";

}  // namespace

TEST_CASE("a wrong value is one error that names key, value and rule") {
  const std::pair<std::string, std::string> cases[] = {
      {llama(R"("rope_scaling": "linear")"), "rope_scaling = \"linear\": must be an object"},
      {llama(R"("rope_parameters": [1])"), "rope_parameters = [1]: must be an object"},
      {llama(R"("head_dim": "128")"), "head_dim = \"128\": must be an integer >= 1"},
      {llama(R"("head_dim": 0)"), "head_dim = 0: must be an integer >= 1"},
      {llama(R"("head_dim": 64.5)"), "head_dim = 64.5: must be an integer >= 1"},
      {llama(R"("head_dim": 63)"), "rotary dimension = 63: must be even, positive and at most head_dim = 63"},
      {llama(R"("head_dim": 65, "partial_rotary_factor": 0.5)"), "head_dim = 65: must be even"},
      {llama(R"("rope_theta": true)"), "rope_theta = true: must be a number"},
      {llama(R"("partial_rotary_factor": -0.5)"), "partial_rotary_factor = -0.5: must be in [0, 1]"},
      {llama(R"("partial_rotary_factor": 0, "rope_scaling": {"rope_type": "linear", "factor": 2})"),
       "rotary dimension = 0: must be even, positive and at most head_dim = 128"},
      {llama(R"("rotary_dim": 256)"), "rotary dimension = 256: must be even, positive and at most head_dim = 128"},
      {llama(R"("position_embedding_type": "spiral")"),
       "position_embedding_type = \"spiral\": must be absolute, relative_key, relative_key_query, alibi, rope or nope"},
      {llama(R"("layer_types": [1])"), "layer_types = [1]: must be a list of texts"},
      {scaled(R"("rope_type": "video_rope", "factor": null)"), "unknown rope type 'video_rope'"},
      {scaled(R"("rope_type": 3)"), "rope_scaling.rope_type = 3: must be text"},
      {scaled(R"("type": "linear", "factor": "4.0")"), "rope_scaling.factor = \"4.0\": must be a number"},
      {scaled(R"("type": "linear", "factor": true)"), "rope_scaling.factor = true: must be a number"},
      {scaled(R"("type": "linear", "factor": -2)"), "rope_scaling.factor = -2: must be > 0"},
      {scaled(R"("type": "linear", "factor": 1e308)"), "rope_scaling.factor = 1e308: must be <= 2^53, the longest text"},
      {scaled(R"("type": "linear")"), "rope_scaling.factor: missing for rope type linear"},
      {scaled(R"("type": "dynamic")"), "rope_scaling.factor: missing for rope type dynamic"},
      {scaled(R"("type": "yarn")"), "rope_scaling.factor: missing for rope type yarn"},
      {scaled(R"("type": "linear", "rope_type": "dynamic", "factor": 2.0)"),
       "conflict: rope_scaling.rope_type = 'dynamic' and rope_scaling.type = 'linear'"},
      {scaled(yarn + R"("factor": 4.0, "beta_fast": -1)"), "rope_scaling.beta_fast = -1: must be > 0"},
      {scaled(yarn + R"("factor": 4.0, "attention_factor": 0)"), "rope_scaling.attention_factor = 0: must be > 0"},
      {scaled(yarn + R"("factor": 4.0, "mscale": -1, "mscale_all_dim": 1)"), "rope_scaling.mscale = -1: must be >= 0"},
      {scaled(yarn + R"("factor": 4.0, "truncate": "no")"), "rope_scaling.truncate = \"no\": must be true or false"},
      {scaled(R"("rope_type": "llama3", "factor": 8.0, "high_freq_factor": 4.0)"),
       "rope_scaling.low_freq_factor: missing for rope type llama3"},
      {scaled(R"("rope_type": "llama3", "factor": 8.0, "low_freq_factor": 4.0, "high_freq_factor": 1.0)"),
       "rope_scaling.high_freq_factor = 1.0: must be >= low_freq_factor = 4"},
      {scaled(R"("rope_type": "longrope", "original_max_position_embeddings": 4096, "short_factor": )" + list(48, "1.0") +
              R"(, "long_factor": )" + list(64, "1.0")),
       "rope_scaling.short_factor: must be 64 numbers > 0, one for each pair of rotary dimension 128; has 48"},
      {scaled(R"("rope_type": "longrope", "original_max_position_embeddings": 4096, "short_factor": )" + list(64, "1") +
              R"(, "long_factor": )" + list(64, "0")),
       "rope_scaling.long_factor[0] = 0: must be > 0"},
      {scaled(R"("type": "mrope")"), "rope_scaling.mrope_section: rope_type 'mrope' needs mrope_section"},
      {scaled(R"("type": "mrope", "mrope_section": [16, 24, 23])"),
       "rope_scaling.mrope_section = [16, 24, 23]: must be three integers with sum 64, half the rotary dimension"},
      {R"({"model_type": "llama"})", "head_dim: missing, and hidden_size and num_attention_heads do not give it"},
      {R"({"model_type": "llama", "hidden_size": 2, "num_attention_heads": 4})",
       "head_dim: missing, and hidden_size and num_attention_heads do not give it"},
      {R"({"model_type": "gpt2", "n_positions": 1024})", "hidden_size: missing"},
      {R"({"model_type": "llama", "head_dim": 2, "rope_scaling": {"type": "dynamic", "factor": 2.0}})",
       "rotary dimension = 2: must be >= 4 for rope type dynamic"},
      {R"({"model_type": "gemma3_text", "rope_parameters": {"full_attention": {"rope_type": "default"}}})",
       "rope_parameters: has no dictionary for layer type sliding_attention"},
      {scaled(R"("rope_type": {"a": 1}, "factor": 2)"), "rope_scaling.rope_type = {\"a\": 1}: must be text"},
      {scaled(R"("type": "linear", "factor": {})"), "rope_scaling.factor = {}: must be a number"},
      {scaled(R"("rope_type": {"a": 1}, "full_attention": {"rope_type": "default"})"),
       "rope_scaling.rope_type = {\"a\": 1}: must not be an object"},
      {scaled(R"("type": "dynamic", "factor": 1e308)"), "rope_scaling.factor = 1e308: must be <= 2^53, the longest text"},
      {scaled(R"("type": "dynamic", "factor": 1e15, "rope_theta": 1e300)"),
       "rope_scaling.factor = 1e15: must give a base > 1, gives inf at length 16384"},
      {scaled(R"("type": "dynamic", "alpha": 1e308)"), "rope_scaling.alpha = 1e308: must give a base > 1, gives inf"},
      {scaled(R"("type": "ntk", "factor": 2, "mixed_b": -1e308)"),
       "rope_scaling.mixed_b = -1e308: must give divisors > 0, gives inf to pair 0"},
      {smollm("[1, 1, 0]"), "no_rope_layers: has 3 entries for 4 layers: must have one a layer"},
      {smollm("[1, 1, 2, 0]"), "no_rope_layers = 2: must be 1 for a layer that turns, or 0"},
      {smollm("[1, 0.5, 0, 1]"), "no_rope_layers = 0.5: must be 1 for a layer that turns, or 0"},
      {smollm("[true, false, true, true]"), "no_rope_layers = [true, false, true, true]: must be a list of numbers"},
      {smollm("[]"), "no_rope_layers = []: must have one number a layer, or be null"},
      {llama(R"("num_hidden_layers": 3, "layer_types": ["full_attention"])"),
       "layer_types: has 1 entries for 3 layers: must have one a layer"},
      {gemma3("0"), "sliding_window_pattern = 0: must be an integer >= 1"},
      {gemma3("-3"), "sliding_window_pattern = -3: must be an integer >= 1"},
      {gemma3("1.5"), "sliding_window_pattern = 1.5: must be an integer >= 1"},
      {gemma3("\"LLG\""), "sliding_window_pattern = \"LLG\": must be an integer >= 1"},
      {exaone4("\"\""), "sliding_window_pattern = \"\": must be L and G alone"},
      {exaone4("\"LLx\""), "sliding_window_pattern = \"LLx\": must be L and G alone"},
      {exaone4("0"), "sliding_window_pattern = 0: must be an integer >= 1"},
  };
  for (const auto& [text, line] : cases) {
    CAPTURE(text);
    CHECK(errors(text) == std::vector<std::string>{line});
  }
  CHECK(errors(llama(R"("rope_ratio": 0)")) == std::vector<std::string>{"base = 0: must be > 1"});
}

TEST_CASE("sizes beyond any model are refused before they cost memory") {
  std::string nested;
  for (int i = 0; i < 1000; ++i) nested += fmt::format("{}\"k{}\": {{}}", i ? "," : "", i);
  CHECK(errors(scaled(nested)) == std::vector<std::string>{"rope_scaling.k64: must name at most 64 layer types"});
  std::string keys;
  for (int i = 0; i < 200000; ++i) keys += fmt::format("{}\"k{}\": 1", i ? "," : "", i);
  CHECK(errors("{" + keys + "}") ==
        std::vector<std::string>{"k131072: is one key too many: must be at most 131072 where positions are told"});
  CHECK(errors(scaled("\"" + std::string(2000, 'x') + "\": {\"a\": 1}")).at(0).find("must be a key of at most 1024 bytes") !=
        std::string::npos);
  CHECK(errors(llama(R"("head_dim": 1099511627776)")) == std::vector<std::string>{"head_dim = 1099511627776: must be <= 8192"});
  std::string kinds;
  for (int i = 0; i < 100000; ++i) kinds += fmt::format("{}\"k{}\"", i ? "," : "", i);
  CHECK(errors(llama("\"layer_types\": [" + kinds + "]")) == std::vector<std::string>{"layer_types: must name at most 64 types"});
  std::string members = "\"type\": \"linear\", \"factor\": 2.0, \"original_max_position_embeddings\": 4096";
  for (int i = 0; i < 100000; ++i) members += fmt::format(", \"k{}\": 1", i);
  CHECK(warnings(scaled(members)).at(0) ==
        "rope_scaling: unrecognised for rope_type linear: k0, k1, k2, k3, k4, k5, k6, k7 and 99992 more");
  CHECK(errors(
            R"({"model_type": "gemma3_text", "num_hidden_layers": 9007199254740992, "sliding_window_pattern": 9007199254740992})")
            .empty());
}

TEST_CASE("numbers that float64 or a count does not hold are told with key, value and rule") {
  const std::string whole = ": must be an integer from 1 to 9007199254740992";
  for (const char* const n : {"9007199254740993", "1152921504606846976", "18446744073709551616", "1e300", "9007199254740993.0"})
    CHECK(errors(llama(R"("head_dim": )" + std::string(n))) == std::vector<std::string>{"head_dim = " + std::string(n) + whole});
  CHECK(errors(llama("\"head_dim\": -0")) == std::vector<std::string>{"head_dim = 0: must be an integer >= 1"});
  CHECK(errors(llama("\"head_dim\": 1e-400")) == std::vector<std::string>{"head_dim = 1e-400: must be an integer >= 1"});
  CHECK(errors(scaled(R"("type": "linear", "factor": 1e-400)")).at(0) ==
        "rope_scaling.factor = 1e-400: must be 0 or at least 4.9e-324, the least of float64");
  // 2^53 + 1 is the least integer that float64 rounds, 2^60 it holds.
  const auto based = [](const std::string& base) {
    return warnings(R"({"model_type": "llama", "head_dim": 64, "max_position_embeddings": 64, "rope_theta": )" + base + "}");
  };
  CHECK(based("9007199254740993") ==
        std::vector<std::string>{"rope_theta = 9007199254740993: 9007199254740992 is used, the nearest that float64 holds"});
  CHECK(based("18446744073709551617") == std::vector<std::string>{"rope_theta = 18446744073709551617: 18446744073709551616 is "
                                                                  "used, the nearest that float64 holds"});
  CHECK(based("1152921504606846976").empty());
  CHECK(based("9007199254740993.5").empty());
}

TEST_CASE("a message stays short whatever the value") {
  const auto all = errors(llama("\"head_dim\": " + list(100000, "1")));
  REQUIRE(all.size() == 1);
  CHECK(all[0].size() < 200);
  CHECK(all[0].find("head_dim = [1, 1, 1") == 0);
  CHECK(all[0].find("...: must be an integer >= 1") != std::string::npos);
}

TEST_CASE("names of layer types that nothing knows are a warning with the nearest") {
  const auto types = warnings(llama(R"("num_hidden_layers": 2, "layer_types": ["full_attentoin", "full_attention"])"));
  REQUIRE(types.size() == 1);
  CHECK(types[0] ==
        "layer_types: \"full_attentoin\": not known (did you mean full_attention?), taken as layers that turn; known are "
        "full_attention, sliding_attention, chunked_attention, linear_attention, conv, mamba and others");
  const auto nested = warnings(llama(R"("rope_parameters": {"sliding_atention": {"rope_type": "default", "rope_theta": 1e4}})"));
  REQUIRE_FALSE(nested.empty());
  CHECK(nested[0].find("rope_parameters.\"sliding_atention\": not known (did you mean sliding_attention?)") == 0);
  CHECK(warnings(llama(R"("num_hidden_layers": 1, "layer_types": ["full_attention", "sliding_attention"])")) ==
        std::vector<std::string>{"layer_types: has 2 entries for 1 layers: the first are used"});
  for (const char* const known :
       {"chunked_attention", "linear_attention", "conv", "mamba", "hybrid", "compressed_sparse_attention"})
    CHECK(warnings(llama("\"layer_types\": [\"full_attention\", \"" + std::string(known) + "\"]")).empty());
}

TEST_CASE("several errors are all listed") {
  CHECK(errors(scaled(R"("rope_type": "llama3", "factor": null, "low_freq_factor": "a", "high_freq_factor": 4)")).size() == 2);
}

TEST_CASE("what peers stumble over is a warning that names the value used") {
  const auto one = [](const std::string& text) {
    const auto all = warnings(text);
    CAPTURE(text);
    REQUIRE(all.size() == 1);
    return all[0];
  };
  CHECK(one(scaled(yarn + R"("factor": 8.0)")) ==
        "rope_scaling.factor = 8 is used, though max_position_embeddings / original = 2");
  CHECK(one(scaled(yarn + R"("factor": 2.0, "beta_fast": 1, "beta_slow": 32)"))
            .find("rope_scaling.beta_fast = 1: below beta_slow = 32: the blend runs backwards") == 0);
  CHECK(one(scaled(yarn + R"("factor": 2.0, "attn_factor": 0.8782488562869419)")).find("rope_scaling.attn_factor: not used") ==
        0);
  CHECK(one(scaled(yarn + R"("factor": 2.0, "finetuned": true, "x": 1)")) ==
        "rope_scaling: unrecognised for rope_type yarn: finetuned, x");
  CHECK(one(scaled(R"("type": "yarn", "factor": 4.0)")) ==
        "rope_scaling.original_max_position_embeddings: not given: max_position_embeddings = 8192 (vLLM refuses such a file)");
  CHECK(one(scaled(R"("type": "default", "factor": 4.0)")) == "rope_scaling: unrecognised for rope_type default: factor");
  CHECK(one(llama(R"("rope_scaling": {"type": "linear", "factor": 1}, "rope_parameters": {"rope_type": "default"})")) ==
        "rope_parameters is not used: rope_scaling is given too and replaces it whole, as in transformers");
  CHECK(one(llama(R"("rope_parameters": {"rope_type": "default", "rope_theta": 10000})")) ==
        "rope_theta = 500000.0 is not used: rope_parameters.rope_theta = 10000 decides");
  CHECK(one(llama(R"("partial_rotary_factor": 0.5, "rope_parameters": {"partial_rotary_factor": 0.25})")) ==
        "rope_parameters.partial_rotary_factor = 0.25 is not used: partial_rotary_factor = 0.5 decides");
  CHECK(one(llama(R"("model_max_length": 131072)")) ==
        "model_max_length = 131072 is not used: max_position_embeddings = 8192 decides");
  CHECK(one(llama(R"("rope_thetta": 1)")) == "rope_thetta = 1: not known here, and not used");
  CHECK(one(llama(R"("rope_theta": 10000.0)")) == "rope_theta: given twice: the last one counts");
  CHECK(one(R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "max_position_embeddings": 8192})") ==
        "rope_theta: not given: 10000, class default of llama");
  CHECK(one(R"({"model_type": "nowhere", "head_dim": 64, "rope_theta": 1e4, "max_position_embeddings": 8192})") ==
        "model_type \"nowhere\" is not known: rotation in half_split pairs is taken");
  CHECK(one(R"({"model_type": "orion", "head_dim": 64, "rope_theta": 10000})") ==
        "max_position_embeddings: not given under any name: 2048 is assumed");
  CHECK(warnings(scaled(R"("rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                           "original_max_position_embeddings": 4096)"))
            .empty());
  CHECK(warnings(llama("\"rope_scaling\": null")).empty());
  CHECK(warnings(llama("\"vocab_size\": 32000, \"_note\": \"rope\"")).empty());
}

TEST_CASE("what is no object, or no JSON, is refused") {
  CHECK(thrown([] { sources::read_config("[]", "c.json"); }) == "65: c.json: must be a JSON object");
  CHECK(thrown([] { sources::read_config("{\"rope_theta\": NaN}", "c.json"); }).substr(0, 12) == "65: c.json: ");
  CHECK(thrown([] { sources::read_config_file("/nonexistent/config.json"); }) == "66: /nonexistent/config.json: no such file");
  const test::TemporaryFile large("config.json", std::string((16 << 20) + 1, ' '));
  CHECK(thrown([&] { sources::read_config_file(large.path()); }).find("must be <= 16777216 bytes") != std::string::npos);
}

TEST_CASE("every truncation and every changed byte of a file is refused or reported, never worse") {
  for (const char* const name :
       {"deepseek_v3", "nested_yarn_partial", "gemma3_4b_linear8", "qwen3_5_9b", "odd_su_legacy", "mpt_7b_fixture"}) {
    const std::string whole = test::bytes_of_file(fmt::format("{}/configs/{}.json", POSENC_TEST_DATA, name));
    const auto read = [](const std::string& text) {
      return thrown([&] {
        for (const auto as : {sources::Dialect::hf, sources::Dialect::vllm, sources::Dialect::llama_cpp})
          sources::to_json(sources::read_config(text, "f", as));
      });
    };
    REQUIRE(read(whole) == "nothing");
    const std::size_t end = whole.rfind('}');
    for (std::size_t n = 0; n <= end; ++n) CHECK(read(whole.substr(0, n)).substr(0, 4) == "65: ");
    for (std::size_t n = 0; n < whole.size(); ++n)
      for (const char c : {'\0', '\xff', '9', '-', '"', 'e', ','}) {
        std::string broken = whole;
        broken[n] = c;
        const std::string outcome = read(broken);
        if (outcome != "nothing") CHECK(outcome.substr(0, 4) == "65: ");
      }
  }
}
