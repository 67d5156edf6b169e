#include "app/field_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace posenc::app {
namespace {

using json = nlohmann::ordered_json;

template <class... F>
struct overload : F... {
  using F::operator()...;
};

json value(const Field& f) {
  return std::visit(
      overload{[](const bool* b) -> json { return *b; }, [](const std::int64_t* i) -> json { return *i; },
               [](const double* d) -> json { return *d; }, [](const std::string* s) -> json { return *s; },
               [](const std::vector<double>* l) -> json { return *l; }, [&](const Choice&) -> json { return text(f); },
               [](const std::optional<std::int64_t>* i) -> json { return *i ? json(**i) : json(); },
               [](const std::optional<double>* d) -> json { return *d ? json(**d) : json(); }},
      f.slot);
}

}  // namespace

std::string json_value(const Field& field) { return value(field).dump(); }

std::string json_values(const Fields& fields) {
  json out = json::object();
  for (const Field& f : fields) out[std::string(f.name)] = value(f);
  return out.dump();
}

std::string json_declaration(const Field& f) {
  json out{{"name", f.name}, {"type", type_words(f)}, {"unit", f.unit}, {"about", f.about}, {"default", value(f)}};
  if (!f.derived.empty()) out["derived"] = f.derived;
  const bool has_range = std::isfinite(f.range.low) || std::isfinite(f.range.high) || f.range.even;
  if (has_range) {
    json range = json::object();
    if (std::isfinite(f.range.low)) range[f.range.open_low ? "above" : "minimum"] = f.range.low;
    if (std::isfinite(f.range.high)) range[f.range.open_high ? "below" : "maximum"] = f.range.high;
    if (f.range.even) range["even"] = true;
    out["range"] = range;
  }
  if (const auto* c = std::get_if<Choice>(&f.slot))
    out["choices"] = std::vector<std::string_view>(c->names.begin(), c->names.end());
  return out.dump();
}

}  // namespace posenc::app
