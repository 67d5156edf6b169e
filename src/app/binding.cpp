#include "app/binding.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

namespace posenc::app {
namespace {

constexpr std::array<std::pair<std::string_view, char>, 4> letters{
    {{"output", 'o'}, {"quiet", 'q'}, {"verbose", 'v'}, {"force", 'f'}}};

const bool* switch_value(const Field& f) {
  const auto* slot = std::get_if<bool*>(&f.slot);
  return slot ? *slot : nullptr;
}

bool is_list(const Field& f) { return std::holds_alternative<std::vector<double>*>(f.slot); }

}  // namespace

bool is_switch(const Field& field) { return switch_value(field) != nullptr; }

std::string option_name(const Field& field) {
  const bool* on = switch_value(field);
  std::string name = fmt::format("--{}{}", on && *on ? "no-" : "", field.name);
  for (const auto& [word, letter] : letters)
    if (word == field.name) name = fmt::format("-{},{}", letter, name);
  return name;
}

void Binding::bind(CLI::App& app, std::vector<OptionGroup> groups) {
  groups_ = std::move(groups);
  for (auto& group : groups_)
    for (Field& field : group.fields) {
      const std::string spelled = option_name(field);
      const auto same = std::find_if(bound_.begin(), bound_.end(), [&](const Bound& b) { return b.spelled == spelled; });
      if (same != bound_.end()) {
        same->fields.emplace_back(group.owner, &field);
        continue;
      }
      Bound& b = bound_.emplace_back(Bound{spelled, is_switch(field), {{group.owner, &field}}, {}});
      if (b.is_switch) {
        app.add_flag_function(spelled, [&b](std::int64_t count) { b.given.assign(1, count > 0 ? "true" : "false"); });
      } else {
        const CLI::callback_t take = [&b](const CLI::results_t& words) {
          b.given = words;
          return true;
        };
        app.add_option(spelled, take)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
      }
    }
}

void Binding::apply() {
  for (auto& b : bound_) {
    if (b.given.empty()) continue;
    if (b.given.size() > 1) throw UsageError(fmt::format("{}: given twice", b.spelled));
    for (auto& [owner, field] : b.fields) {
      std::string value = b.given.front();
      if (b.is_switch) {
        const bool on = (value == "true") != *switch_value(*field);
        set(owner, *field, on ? "true" : "false");
        continue;
      }
      if (is_list(*field)) std::replace(value.begin(), value.end(), ',', '/');
      set(owner, *field, value);
    }
  }
}

std::vector<std::string> Binding::names() const {
  std::vector<std::string> out;
  for (const auto& b : bound_) {
    const auto comma = b.spelled.find(',');
    if (comma != std::string::npos) out.push_back(b.spelled.substr(0, comma));
    out.push_back(comma == std::string::npos ? b.spelled : b.spelled.substr(comma + 1));
  }
  return out;
}

}  // namespace posenc::app
