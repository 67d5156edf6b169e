#pragma once
// tests: a sink that keeps everything and holds the writer to the contract of core/sink.hpp.
#include "core/schema.hpp"
#include "core/sink.hpp"

#include <fmt/format.h>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace posenc::test {

/// One coordinate value: a number, or a word where the coordinate is text.
struct Coordinate : std::variant<double, std::string> {
  template <class Number>
  requires std::is_arithmetic_v<Number> Coordinate(Number x) : variant(static_cast<double>(x)) {}
  Coordinate(std::string word) : variant(std::move(word)) {}
  Coordinate(const char* word) : variant(std::string(word)) {}
  Coordinate() = default;
};
using At = std::map<std::string, Coordinate, std::less<>>;

/// Throws std::logic_error on a variable that the schema lacks, rows out of order, partial or surplus rows, and integers that
/// are none. NaN is refused for integer types only.
class MemorySink : public Sink {
 public:
  explicit MemorySink(Schema schema) : schema_(std::move(schema)) {
    for (const Variable& v : schema_.vars) {
      for (const std::string& d : v.dims)
        if (!schema_.dimension(d)) broken(fmt::format("{}: dimension {} is not in the schema", v.name, d));
      for (std::size_t i = 1; i < v.dims.size(); ++i)
        if (schema_.dimension(v.dims[i])->grows) broken(fmt::format("{}: only the leading dimension may grow", v.name));
    }
    for (const Dimension& d : schema_.dims)
      if (!schema_.variable(d.name)) broken(fmt::format("dimension {} has no coordinate", d.name));
    for (const auto& [name, reason] : schema_.not_applicable)
      if (schema_.variable(name) || reason.empty())
        broken(fmt::format("{}: not applicable, but present or without a reason", name));
  }

  void write(std::string_view name, std::uint64_t first_row, std::span<const double> rows) override {
    keep(checked(name, false, Unit::rows, first_row, rows.size()), rows);
  }
  void write_elements(std::string_view name, std::uint64_t first_element, std::span<const double> values) override {
    keep(checked(name, false, Unit::elements, first_element, values.size()), values);
  }
  void write_text(std::string_view name, std::uint64_t first_row, std::span<const std::string> rows) override {
    const Variable& v = checked(name, true, Unit::rows, first_row, rows.size());
    auto& all = words_[v.name];
    all.insert(all.end(), rows.begin(), rows.end());
  }
  void attribute(std::string_view name, const Attribute& value) override {
    if (!name.empty() && !schema_.variable(name)) broken(fmt::format("attribute of {}, which is not in the schema", name));
    attributes_[std::string(name)][value.name] = value.value;
  }

  /// Call when the run has ended: everything promised is there.
  void complete() const {
    for (const Variable& v : schema_.vars)
      if (written(v) != expected_rows(v) * schema_.row_size(v))
        broken(fmt::format("{}: {} of {} elements written", v.name, written(v), expected_rows(v) * schema_.row_size(v)));
  }

  const Schema& schema() const { return schema_; }
  std::size_t writes() const { return writes_; }
  bool has(std::string_view name) const { return schema_.variable(name) != nullptr; }
  /// Why the variable is absent; empty when it is not declared so.
  std::string reason(std::string_view name) const {
    for (const auto& [variable, why] : schema_.not_applicable)
      if (variable == name) return why;
    return {};
  }
  /// All elements in C order.
  const std::vector<double>& data(std::string_view name) const { return found(numbers_, name); }
  const std::vector<std::string>& words(std::string_view name) const { return found(words_, name); }
  double scalar(std::string_view name) const { return at(name, {}); }
  /// The element at these coordinate values; every dimension of the variable must be named. Numbers match to 1e-12 relative.
  double at(std::string_view name, const At& where) const { return data(name)[offset(name, where)]; }
  const std::string& word_at(std::string_view name, const At& where) const { return words(name)[offset(name, where)]; }
  /// Attribute of a variable, or of the group where `variable` is empty; those of the schema included.
  AttributeValue attribute_of(std::string_view variable, std::string_view name) const {
    if (const auto late = attributes_.find(std::string(variable)); late != attributes_.end())
      if (const auto a = late->second.find(std::string(name)); a != late->second.end()) return a->second;
    const Variable* v = variable.empty() ? nullptr : schema_.variable(variable);
    for (const Attribute& a : v ? v->attributes : schema_.attributes)
      if (a.name == name) return a.value;
    throw std::logic_error(fmt::format("{}: no attribute {}", variable, name));
  }

 private:
  [[noreturn]] static void broken(const std::string& what) { throw std::logic_error("sink contract: " + what); }

  enum class Unit { rows, elements };

  const Variable& checked(std::string_view name, bool text, Unit unit, std::uint64_t first, std::size_t count) {
    const Variable* v = schema_.variable(name);
    if (!v) broken(fmt::format("{} is not in the schema", name));
    if ((v->type == Type::text) != text) broken(fmt::format("{}: text and numbers are mixed up", name));
    if (units_.emplace(v->name, unit).first->second != unit) broken(fmt::format("{}: written by rows and by elements", name));
    const std::uint64_t row = unit == Unit::rows ? schema_.row_size(*v) : 1, before = written(*v);
    if (row == 0 ? count != 0 : count % row != 0)
      broken(fmt::format("{}: {} elements are no whole rows of {}", name, count, row));
    if (first * row != before)
      broken(fmt::format("{}: {} {} follows {} elements", name, row == 1 ? "element" : "row", first, before));
    if (!grows(*v) && before + count > schema_.rows(*v) * schema_.row_size(*v))
      broken(fmt::format("{}: more than declared", name));
    ++writes_;
    return *v;
  }
  void keep(const Variable& v, std::span<const double> values) {
    if (v.type == Type::i64 || v.type == Type::i8)
      for (const double x : values)
        if (!(x == std::floor(x) && std::abs(x) <= (v.type == Type::i8 ? 128.0 : 0x1p53)))
          broken(fmt::format("{}: {} is no integer of its type", v.name, x));
    auto& all = numbers_[v.name];
    all.insert(all.end(), values.begin(), values.end());
  }
  bool grows(const Variable& v) const { return !v.dims.empty() && schema_.dimension(v.dims[0])->grows; }
  std::size_t written(const Variable& v) const {
    if (v.type == Type::text) return words_.contains(v.name) ? words_.at(v.name).size() : 0;
    return numbers_.contains(v.name) ? numbers_.at(v.name).size() : 0;
  }
  std::uint64_t expected_rows(const Variable& v) const {
    return grows(v) ? written(*schema_.variable(v.dims[0])) : schema_.rows(v);
  }
  std::uint64_t size_of(const std::string& dim) const { return expected_rows(*schema_.variable(dim)); }

  std::size_t index_of(const std::string& dim, const Coordinate& value) const {
    const std::variant<double, std::string>& held = value;
    if (const auto* word = std::get_if<std::string>(&held)) {
      const auto& all = words(dim);
      for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i] == *word) return i;
      throw std::out_of_range(fmt::format("no {} = {}", dim, *word));
    }
    const double x = std::get<double>(held);
    const auto& all = data(dim);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i] == x || std::abs(all[i] - x) <= 1e-12 * std::abs(x)) return i;
    throw std::out_of_range(fmt::format("no {} = {}", dim, x));
  }
  std::size_t offset(std::string_view name, const At& where) const {
    const Variable* v = schema_.variable(name);
    if (!v) throw std::out_of_range(fmt::format("no variable {}{}", name, reason(name).empty() ? "" : ": " + reason(name)));
    if (where.size() != v->dims.size()) throw std::out_of_range(fmt::format("{} has {} dimensions", name, v->dims.size()));
    std::size_t at = 0;
    for (const std::string& dim : v->dims) {
      const auto value = where.find(dim);
      if (value == where.end()) throw std::out_of_range(fmt::format("{}: its dimension {} is not named", name, dim));
      at = at * size_of(dim) + index_of(dim, value->second);
    }
    return at;
  }
  template <class Map>
  const typename Map::mapped_type& found(const Map& map, std::string_view name) const {
    const auto at = map.find(std::string(name));
    if (at == map.end())
      throw std::out_of_range(fmt::format("no data of {}{}", name, reason(name).empty() ? "" : ": " + reason(name)));
    return at->second;
  }

  Schema schema_;
  std::map<std::string, Unit> units_;
  std::map<std::string, std::vector<double>> numbers_;
  std::map<std::string, std::vector<std::string>> words_;
  std::map<std::string, std::map<std::string, AttributeValue>> attributes_;
  std::size_t writes_ = 0;
};

}  // namespace posenc::test
