#include "app/file_text.hpp"

#include "app/file_json.hpp"
#include "app/file_read.hpp"
#include "app/summary.hpp"
#include "app/table.hpp"
#include "app/terminal.hpp"
#include "core/error.hpp"
#include "core/field.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace posenc::app {
namespace {

using io::InputFile;
using io::InputVariable;

std::string shape_text(const InputVariable& v) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < v.shape.size(); ++i)
    parts.push_back(v.dims[i].empty() ? std::to_string(v.shape[i]) : fmt::format("{}={}", v.dims[i], v.shape[i]));
  return v.shape.empty() ? v.name : fmt::format("{}({})", v.name, fmt::join(parts, ", "));
}

std::string about_text(const InputVariable& v) {
  return v.unit.empty() || v.unit == "1" ? v.about : fmt::format("{} [{}]", v.about, v.unit);
}

std::string value_text(const InputFile& file, const std::string& group, const InputVariable& v) {
  if (v.kind == InputVariable::Kind::text) return read_words(file, group, v, 0, 1).front();
  return readable(read_numbers(file, group, v, 0, 1).front());
}

/// Labels, training lengths and the telling measures in front; per-head ones by their mean.
std::vector<InputVariable> telling_first(std::vector<InputVariable> all) {
  const auto rank = [](const InputVariable& v) -> std::size_t {
    if (v.name == "encoding") return 0;
    if (v.name == "train_length") return 1;
    const auto names = telling_measures();
    for (std::size_t i = 0; i < names.size(); ++i)
      if (v.name == names[i] || v.name == std::string(names[i]) + "_mean") return 2 + i;
    return 2 + names.size();
  };
  std::stable_sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return all;
}

/// One column a variable that has one number an encoding: of those by factor the last.
std::string summary_table(const InputFile& file) {
  const std::string group = "/summary";
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> columns;
  for (const InputVariable& v : telling_first(file.variables(group))) {
    if (v.shape.empty() || v.dims[0] != "encoding" || v.kind == InputVariable::Kind::other) continue;
    const std::uint64_t rows = v.shape[0], row = v.size() / std::max<std::uint64_t>(rows, 1);
    if (rows == 0 || row == 0) continue;
    std::vector<std::string> column;
    if (v.kind == InputVariable::Kind::text) {
      column = read_words(file, group, v, 0, rows);
    } else {
      const auto values = read_numbers(file, group, v, 0, rows * row);
      if (std::all_of(values.begin(), values.end(), [](double x) { return std::isnan(x); })) continue;
      for (std::uint64_t r = 0; r < rows; ++r) column.push_back(readable(values[(r + 1) * row - 1]));
    }
    header.push_back(v.name);
    columns.push_back(std::move(column));
  }
  if (columns.empty()) return "";
  TextTable table(header);
  for (std::size_t r = 0; r < columns.front().size(); ++r) {
    std::vector<std::string> row;
    for (const auto& c : columns) row.push_back(c[r]);
    table.add(std::move(row));
  }
  return table.text(terminal_width());
}

std::string attribute_list(const std::vector<Attribute>& attributes) {
  std::vector<std::pair<std::string, std::string>> items;
  for (const auto& a : attributes) items.emplace_back(a.name, attribute_text(a.value));
  return definition_list(items, terminal_width());
}

}  // namespace

std::string show_file(const InputFile& file, const ShowOptions& options) {
  if (options.json) return json_file(file);
  std::string out = attribute_list(file.attributes("/"));
  out += "\n" + styled(Style::bold, "Groups:") + "\n";
  bool summary = false;
  for (const auto& group : file.groups()) {
    if (group == "/summary") summary = true;
    const auto count = group == "/" ? 0 : file.variables(group).size();
    if (count) out += fmt::format("  {}  ({} variables)\n", group, count);
  }
  if (summary) out += "\n" + summary_table(file);
  return out;
}

void require_group(const InputFile& file, const std::string& group) {
  const auto all = file.groups();
  if (std::find(all.begin(), all.end(), group) != all.end()) return;
  const auto near = nearest(group, std::vector<std::string_view>(all.begin(), all.end()));
  throw BadData(fmt::format("{}: group = {}: is not in the file{}", file.path(), group,
                            near.empty() ? "" : fmt::format(": did you mean '{}'?", near)));
}

InputVariable require_variable(const InputFile& file, const std::string& group, const std::string& name) {
  const auto all = file.variables(group);
  std::vector<std::string_view> names;
  for (const auto& v : all) {
    if (v.name == name) return v;
    names.push_back(v.name);
  }
  const auto near = nearest(name, names);
  throw BadData(fmt::format("{}: variable = {}: is not in {}{}", file.path(), name, group,
                            near.empty() ? "" : fmt::format(": did you mean '{}'?", near)));
}

std::string show_group(const InputFile& file, const std::string& given, const ShowOptions& options) {
  const std::string group = absolute_group(given);
  require_group(file, group);
  if (options.json) return json_group(file, group);
  std::string out = styled(Style::bold, group) + "\n" + attribute_list(file.attributes(group));
  if (group == "/summary") return out + "\n" + summary_table(file);
  std::vector<std::pair<std::string, std::string>> scalars, arrays, inside;
  for (const auto& v : file.variables(group)) {
    if (v.size() == 1 && v.shape.empty() && v.kind != InputVariable::Kind::other)
      scalars.emplace_back(fmt::format("{} = {}", v.name, value_text(file, group, v)), about_text(v));
    else
      arrays.emplace_back(shape_text(v), about_text(v));
  }
  for (const auto& other : file.groups())
    if (other.size() > group.size() && other.starts_with(group == "/" ? group : group + "/")) inside.emplace_back(other, "");
  const auto section = [&](const char* title, const auto& items) {
    if (!items.empty()) out += "\n" + styled(Style::bold, title) + "\n" + definition_list(items, terminal_width());
  };
  section("Scalars:", scalars);
  section("Arrays:", arrays);
  section("Groups:", inside);
  return out;
}

std::string show_variable(const InputFile& file, const std::string& given, const std::string& name, const ShowOptions& options) {
  const std::string group = absolute_group(given);
  require_group(file, group);
  const InputVariable v = require_variable(file, group, name);
  if (v.kind == InputVariable::Kind::other)
    throw BadData(fmt::format("{}: variable = {}: type {} cannot be shown", file.path(), name, v.type));
  const std::uint64_t total = v.size(),
                      count = options.rows > 0 ? std::min<std::uint64_t>(total, static_cast<std::uint64_t>(options.rows)) : total;
  if (options.json) return json_variable(file, group, v, count);
  std::string out = fmt::format("{}  {}\n", styled(Style::bold, shape_text(v)), about_text(v));
  std::vector<std::vector<std::string>> coordinates;
  std::vector<std::string> header;
  for (std::size_t i = 0; i < v.shape.size(); ++i) {
    if (v.dims[i].empty() || v.dims[i] == v.name) continue;
    header.push_back(v.dims[i]);
  }
  header.push_back(v.name);
  TextTable table(header);
  const auto words = read_words(file, group, v, 0, count);
  std::vector<std::vector<std::string>> scales(v.shape.size());
  for (std::size_t i = 0; i < v.shape.size(); ++i)
    if (!v.dims[i].empty() && v.dims[i] != v.name) {
      const InputVariable scale = require_variable(file, group, v.dims[i]);
      scales[i] = read_words(file, group, scale, 0, i == 0 ? std::min(v.shape[0], count) : v.shape[i]);
    }
  for (std::uint64_t k = 0; k < count; ++k) {
    std::vector<std::string> row;
    std::uint64_t below = total;
    for (std::size_t i = 0; i < v.shape.size(); ++i) {
      below /= v.shape[i];
      const std::uint64_t index = k / below % v.shape[i];
      if (!scales[i].empty()) row.push_back(scales[i][index]);
    }
    row.push_back(words[k]);
    table.add(std::move(row));
  }
  out += table.text();
  if (count < total) out += fmt::format("... {} of {} (--rows 0: all)\n", count, total);
  return out;
}

}  // namespace posenc::app
