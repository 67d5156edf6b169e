#include "sources/config_query_scale.hpp"

#include "sources/config_scope.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace posenc::sources {
namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

/// false, null, 0 and absence.
bool is_off(const Json* v) {
  if (!v || v->kind == Json::Kind::null) return true;
  if (v->kind == Json::Kind::boolean) return !v->boolean;
  return (v->kind == Json::Kind::integer || v->kind == Json::Kind::number) && v->number == 0;
}

/// Sets the values in every layer whose scheme is one of those, or warns that no encoding takes them.
void set_or_warn(const Scope& object, std::string_view key, const std::vector<std::string_view>& schemes, const Values& values,
                 std::span<LayerReport> layers) {
  bool taken = false;
  for (LayerReport& l : layers) {
    if (std::find(schemes.begin(), schemes.end(), l.encoding.scheme) == schemes.end()) continue;
    taken = true;
    for (const auto& v : values) l.encoding.values.push_back(v);
  }
  object.mark(key, taken ? KeyStatus::used : KeyStatus::ignored, "scales queries by their position");
  if (!taken)
    object.ledger().warn(
        fmt::format("{}: queries are also scaled by their position, which the encoding leaves out", object.path(key)));
}

}  // namespace

void read_query_scale(const Scope& object, std::span<LayerReport> layers) {
  const auto slope_of = [&](std::string_view key) {
    const auto slope = object.number(key);
    if (slope && *slope < 0)
      object.ledger().error(fmt::format("{} = {}: must be >= 0", object.path(key), json_text(*object.value(key))));
    return slope;
  };
  const auto given = [&](std::string_view key) {
    const Json* v = object.value(key);
    if (v && is_off(v)) object.mark(key, KeyStatus::used, "off");
    return !is_off(v);
  };
  if (given("use_logn_attn")) set_or_warn(object, "use_logn_attn", {"rope", "dynamic-ntk"}, {{"log-scale", "true"}}, layers);
  if (given("attn_temperature_tuning")) {
    const auto slope = slope_of("attn_scale");
    const auto step = object.count("floor_scale");
    if (!slope) object.defaulted("attn_scale", "0.1", "class default of llama4_text");
    if (!step) object.defaulted("floor_scale", "8192", "class default of llama4_text");
    set_or_warn(object, "attn_temperature_tuning", {"nope"},
                {{"attn-scale", plain_number(slope.value_or(0.1))}, {"floor-scale", std::to_string(step.value_or(8192))}},
                layers);
  }
  if (given("llama_4_scaling_beta"))
    if (const auto beta = slope_of("llama_4_scaling_beta"))
      set_or_warn(object, "llama_4_scaling_beta", {"yarn"}, {{"query-beta", plain_number(*beta)}}, layers);
}

}  // namespace posenc::sources
