#include "app/file_read.hpp"

#include "core/field.hpp"

#include <fmt/format.h>

namespace posenc::app {

std::string absolute_group(const std::string& group) {
  std::string out = group.empty() || group.front() != '/' ? "/" + group : group;
  while (out.size() > 1 && out.back() == '/') out.pop_back();
  return out;
}

std::string dataset_path(const std::string& group, const std::string& variable) {
  return group == "/" ? "/" + variable : group + "/" + variable;
}

std::vector<double> read_numbers(const io::InputFile& file, const std::string& group, const io::InputVariable& variable,
                                 std::uint64_t first, std::uint64_t count) {
  std::vector<double> out(count);
  file.read(dataset_path(group, variable.name), first, out);
  return out;
}

std::vector<std::string> read_words(const io::InputFile& file, const std::string& group, const io::InputVariable& variable,
                                    std::uint64_t first, std::uint64_t count) {
  if (variable.kind == io::InputVariable::Kind::text) return file.read_text(dataset_path(group, variable.name), first, count);
  std::vector<std::string> out;
  for (const double v : read_numbers(file, group, variable, first, count)) out.push_back(number_text(v));
  return out;
}

std::string attribute_text(const AttributeValue& value) {
  if (const auto* s = std::get_if<std::string>(&value)) return *s;
  if (const auto* d = std::get_if<double>(&value)) return number_text(*d);
  if (const auto* i = std::get_if<std::int64_t>(&value)) return std::to_string(*i);
  std::string out;
  for (const double v : std::get<std::vector<double>>(value)) out += (out.empty() ? "" : ", ") + number_text(v);
  return out;
}

}  // namespace posenc::app
