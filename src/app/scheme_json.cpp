#include "app/scheme_json.hpp"

#include "app/field_json.hpp"
#include "schemes/registry.hpp"

#include <nlohmann/json.hpp>

namespace posenc::app {
namespace {

using json = nlohmann::ordered_json;

json scheme(std::string_view name) {
  const auto one = schemes::registry().make(name);
  const model::SchemeInfo info = one->info();
  json fields = json::array();
  for (const Field& f : one->fields()) fields.push_back(json::parse(json_declaration(f)));
  return {{"name", info.name}, {"title", info.title}, {"formula", info.formula}, {"source", info.source}, {"fields", fields}};
}

}  // namespace

std::string json_scheme(std::string_view name) { return scheme(name).dump(2); }

std::string json_schemes() {
  json all = json::array();
  for (const auto name : schemes::registry().names()) all.push_back(scheme(name));
  return all.dump(2);
}

}  // namespace posenc::app
