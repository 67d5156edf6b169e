#pragma once
// tests: values of measures computed independently, as a JSON list of
//   {analysis, encoding, options, variable, index {coordinate: value} or null, value or null for NaN, abs_tol, rel_tol}.
#include "support/catch.hpp"
#include "support/run_analysis.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

namespace posenc::test {

inline std::string option_text(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number_integer()) return std::to_string(value.get<std::int64_t>());
  if (value.is_number()) return number_text(value.get<double>());
  std::string out;
  for (const auto& item : value) out += (out.empty() ? "" : "/") + option_text(item);
  return out;
}

inline At index_from(const nlohmann::json& index) {
  At at;
  if (index.is_object())
    for (const auto& [name, value] : index.items())
      at[name] = value.is_string() ? Coordinate(value.get<std::string>()) : Coordinate(value.get<double>());
  return at;
}

/// Checks every entry of `analysis` in the file (under tests/data): |ours - value| <= abs_tol + rel_tol |value|. Entries whose
/// scheme is in `not_built` are not run, and the check fails when that scheme exists, so the list cannot go stale. `adapt` may
/// change an entry before it is used. Returns the number of entries checked.
inline std::size_t check_measures(const std::string& file, const std::string& analysis,
                                  const std::vector<std::string>& not_built = {},
                                  const std::function<void(nlohmann::json&)>& adapt = {}) {
  std::ifstream in(std::string(POSENC_TEST_DATA "/") + file);
  REQUIRE(in);
  const nlohmann::json entries = nlohmann::json::parse(in);
  const auto known = schemes::registry().names();
  for (const std::string& name : not_built) {
    INFO("the list of schemes not built yet names " << name);
    CHECK(std::find(known.begin(), known.end(), name) == known.end());
  }
  std::map<std::string, MemorySink> runs;
  std::size_t checked = 0;
  for (nlohmann::json e : entries) {
    if (e.at("analysis") != analysis) continue;
    if (adapt) adapt(e);
    const auto encoding = e.at("encoding").get<std::string>();
    if (std::find(not_built.begin(), not_built.end(), parse_encoding(encoding).scheme) != not_built.end()) continue;
    INFO(e.dump());
    ++checked;
    try {
      Options options;
      for (const auto& [key, value] : e.at("options").items()) options.emplace_back(key, option_text(value));
      const std::string key = encoding + e.at("options").dump();
      auto at = runs.find(key);
      if (at == runs.end()) at = runs.emplace(key, run(analysis, encoding, options)).first;
      const double ours = at->second.at(e.at("variable").get<std::string>(), index_from(e.at("index")));
      if (e.at("value").is_null()) {
        CHECK(std::isnan(ours));
        continue;
      }
      const double value = e.at("value"),
                   tolerance = e.at("abs_tol").get<double>() + e.at("rel_tol").get<double>() * std::abs(value);
      INFO("ours " << number_text(ours) << ", reference " << number_text(value) << ", off by " << ours - value);
      CHECK(std::abs(ours - value) <= tolerance);
    } catch (const std::exception& failure) {
      FAIL_CHECK(failure.what());
    }
  }
  return checked;
}

}  // namespace posenc::test
