// Arrays that tools/reference/identification.py made from the definitions of transformers, vLLM, ggml, fairseq, tensor2tensor and
// Vaswani 2017, with what made them.
#include "cli/program.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

using nlohmann::json;
using posenc::test::Folder;

namespace {

/// A value of an encoding against the one that made the array: words equal, numbers to 1e-9.
void check_value(const json& values, const std::string& key, const json& due) {
  INFO(key << " of " << values);
  REQUIRE(values.contains(key));
  const auto ours = values[key].get<std::string>();
  if (due.is_string())
    CHECK(ours == due.get<std::string>());
  else
    CHECK(std::abs(std::stod(ours) - due.get<double>()) <= 1e-9 * std::abs(due.get<double>()));
}

void check_case(const Folder& folder, const json& c) {
  std::string arguments = "identify";
  for (const auto& file : c["files"]) arguments += " '" POSENC_TEST_DATA "/identification.npz#" + file.get<std::string>() + "'";
  const auto out = folder.run(arguments + " --json");
  INFO(c["name"] << "\n" << out.out << out.err);
  if (c.contains("code")) {
    CHECK(out.code == c["code"].get<int>());
    CHECK(out.out.empty());
    CHECK(posenc::test::lines(out.err) == 1);
    CHECK(out.err.find("must be a finite number") != std::string::npos);
    return;
  }
  const bool known = c.value("known", true);
  CHECK(out.code == (known ? 0 : 1));
  const json all = json::parse(out.out), best = all["explanations"].empty() ? json::object() : all["explanations"][0];
  CHECK(all["known"].get<bool>() == known);
  if (c.contains("sinusoids")) CHECK((all.contains("amplitude") && !all["amplitude"].is_null()) == c["sinusoids"].get<bool>());
  const json values = c.value("values", json::object()), departs = c.value("departs", json::object());
  for (const auto& [key, due] : values.items()) check_value(best["values"], key, due);
  for (const char* key : {"scheme", "layout", "start", "step", "agreeing", "note", "amplitude_words"})
    if (c.contains(key)) CHECK(best[key] == c[key]);
  if (c.contains("amplitude")) CHECK(std::abs(best["amplitude"].get<double>() - c["amplitude"].get<double>()) <= 1e-9);
  if (c.contains("precision")) CHECK(best["precision"].get<std::string>().starts_with(c["precision"].get<std::string>()));
  for (const auto& [key, due] : departs.items()) CHECK(best["departs"][key] == due);
}

}  // namespace

TEST_CASE("arrays made by others' definitions tell what made them") {
  const Folder folder;
  const json all = json::parse(posenc::test::read_file(POSENC_TEST_DATA "/identification.json"));
  REQUIRE(all["cases"].size() > 80);
  for (const json& c : all["cases"]) check_case(folder, c);
}
