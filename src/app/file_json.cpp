#include "app/file_json.hpp"

#include "app/file_read.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace posenc::app {
namespace {

using json = nlohmann::ordered_json;
using io::InputFile;
using io::InputVariable;

json number(double v) { return std::isfinite(v) ? json(v) : std::isnan(v) ? json() : json(v > 0 ? "inf" : "-inf"); }

json attributes(const InputFile& file, const std::string& object) {
  json out = json::object();
  for (const auto& a : file.attributes(object)) {
    if (const auto* s = std::get_if<std::string>(&a.value)) out[a.name] = *s;
    if (const auto* d = std::get_if<double>(&a.value)) out[a.name] = number(*d);
    if (const auto* i = std::get_if<std::int64_t>(&a.value)) out[a.name] = *i;
    if (const auto* l = std::get_if<std::vector<double>>(&a.value)) {
      out[a.name] = json::array();
      for (const double v : *l) out[a.name].push_back(number(v));
    }
  }
  return out;
}

json values(const InputFile& file, const std::string& group, const InputVariable& v, std::uint64_t count) {
  json out = json::array();
  if (v.kind == InputVariable::Kind::text)
    for (const auto& word : read_words(file, group, v, 0, count)) out.push_back(word);
  if (v.kind == InputVariable::Kind::number)
    for (const double x : read_numbers(file, group, v, 0, count)) out.push_back(number(x));
  return out;
}

json description(const InputVariable& v) {
  return {{"name", v.name}, {"type", v.type}, {"dims", v.dims}, {"shape", v.shape}, {"unit", v.unit}, {"about", v.about}};
}

json variables(const InputFile& file, const std::string& group, bool with_arrays) {
  json out = json::array();
  for (const auto& v : file.variables(group)) {
    json one = description(v);
    if (v.shape.empty() && v.kind != InputVariable::Kind::other) one["value"] = values(file, group, v, 1).front();
    if (!v.shape.empty() && with_arrays) one["values"] = values(file, group, v, v.size());
    out.push_back(std::move(one));
  }
  return out;
}

std::string dump(const json& j) { return j.dump(2, ' ', false, json::error_handler_t::replace) + "\n"; }

}  // namespace

std::string json_file(const InputFile& file) {
  json out{{"file", file.path()}, {"attributes", attributes(file, "/")}, {"groups", json::array()}};
  for (const auto& group : file.groups()) {
    if (group != "/" && !file.variables(group).empty()) out["groups"].push_back(group);
    if (group == "/summary") out["summary"] = variables(file, group, true);
  }
  return dump(out);
}

std::string json_group(const InputFile& file, const std::string& group) {
  return dump({{"file", file.path()},
               {"group", group},
               {"attributes", attributes(file, group)},
               {"variables", variables(file, group, group == "/summary")}});
}

std::string json_variable(const InputFile& file, const std::string& group, const InputVariable& variable, std::uint64_t count) {
  json out = description(variable);
  out["attributes"] = attributes(file, dataset_path(group, variable.name));
  out["coordinates"] = json::object();
  for (const auto& d : variable.dims)
    if (!d.empty() && d != variable.name) {
      const auto scale = file.variable(dataset_path(group, d));
      out["coordinates"][d] = values(file, group, scale, scale.size());
    }
  out["values"] = values(file, group, variable, count);
  return dump(out);
}

}  // namespace posenc::app
