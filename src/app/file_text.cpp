#include "app/file_text.hpp"

#include "app/file_json.hpp"
#include "app/file_read.hpp"
#include "app/file_summary.hpp"
#include "app/table.hpp"
#include "app/terminal.hpp"
#include "core/error.hpp"
#include "core/field.hpp"

#include <fmt/format.h>
#include <algorithm>

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

std::string attribute_list(const std::vector<Attribute>& attributes) {
  std::vector<std::pair<std::string, std::string>> items;
  for (const auto& a : attributes) items.emplace_back(a.name, attribute_text(a.value));
  return definition_list(items, terminal_width());
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

/// One axis of a variable that is not itself a coordinate.
struct Axis {
  std::string name;
  std::uint64_t stride = 1, length = 1;
  std::vector<std::string> words;  // coordinates of the elements shown; indices stand in where there are none
};

std::vector<Axis> axes_of(const InputFile& file, const std::string& group, const InputVariable& v, std::uint64_t count) {
  std::vector<Axis> out;
  const auto all = file.variables(group);
  std::uint64_t stride = v.size();
  for (std::size_t i = 0; i < v.shape.size() && stride > 0; ++i) {
    stride /= v.shape[i];
    if (v.dims[i] == v.name) continue;
    Axis axis{v.dims[i].empty() ? fmt::format("axis{}", i) : v.dims[i], stride, v.shape[i], {}};
    for (const InputVariable& scale : all)
      if (scale.name == v.dims[i] && scale.shape.size() == 1 && scale.kind != InputVariable::Kind::other)
        axis.words = read_words(file, group, scale, 0, std::min({scale.shape[0], v.shape[i], (count + stride - 1) / stride}));
    out.push_back(std::move(axis));
  }
  return out;
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
  const std::uint64_t total = v.size();
  const std::uint64_t count = options.rows > 0 ? std::min<std::uint64_t>(total, static_cast<std::uint64_t>(options.rows)) : total;
  if (options.json) return json_variable(file, group, v, count);
  const std::vector<Axis> axes = axes_of(file, group, v, count);
  std::vector<std::string> header;
  for (const Axis& a : axes) header.push_back(a.name);
  header.push_back(v.name);
  TextTable table(header);
  const auto words = read_words(file, group, v, 0, count);
  for (std::uint64_t k = 0; k < count; ++k) {
    std::vector<std::string> row;
    for (const Axis& a : axes) {
      const std::uint64_t index = k / a.stride % a.length;
      row.push_back(index < a.words.size() ? a.words[index] : std::to_string(index));
    }
    row.push_back(words[k]);
    table.add(std::move(row));
  }
  std::string out = fmt::format("{}  {}\n{}", styled(Style::bold, shape_text(v)), about_text(v), table.text());
  if (count < total) out += fmt::format("... {} of {} (--rows 0: all)\n", count, total);
  return out;
}

}  // namespace posenc::app
