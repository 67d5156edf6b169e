#pragma once
// core: what an analysis promises to write, known before anything is computed. --dry-run, the file's creation, the
// description of the format and its test all read it.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace posenc {

enum class Type { f64, f32, i64, i8, text };
std::uint64_t bytes_of(Type type);  // text counts as 16, a heap reference

using AttributeValue = std::variant<std::string, double, std::int64_t, std::vector<double>>;
struct Attribute {
  std::string name;
  AttributeValue value;
};

/// A named axis. `grows`: its length is known only when the writing ends (records found by a search); `size` is then 0.
struct Dimension {
  std::string name;
  std::uint64_t size = 0;
  bool grows = false;
};

/// One dataset. dims are in C order, slowest first; a scalar measure has none. The variable named like a dimension is
/// that dimension's coordinate; every dimension has one.
struct Variable {
  std::string name;
  Type type = Type::f64;
  std::vector<std::string> dims;
  std::string unit, about;
  std::vector<Attribute> attributes{};
};

struct Schema {
  std::vector<Dimension> dims;
  std::vector<Variable> vars;
  std::vector<std::pair<std::string, std::string>> not_applicable;  // variable -> reason; such a variable is absent
  std::vector<Attribute> attributes;                                // of the group

  const Dimension* dimension(std::string_view name) const;
  const Variable* variable(std::string_view name) const;
  /// Number of elements of one row of the leading dimension (1 for a scalar).
  std::uint64_t row_size(const Variable& v) const;
  /// Number of rows of the leading dimension (1 for a scalar; 0 if it grows).
  std::uint64_t rows(const Variable& v) const;
  /// Bytes of all data, growing dimensions not counted.
  std::uint64_t bytes() const;

  /// Adds a dimension together with its coordinate variable, once.
  void axis(Dimension dimension, Type type, std::string unit, std::string about);
  void add(Variable v) { vars.push_back(std::move(v)); }
  void skip(std::string variable, std::string reason) { not_applicable.emplace_back(std::move(variable), std::move(reason)); }
};

}  // namespace posenc
