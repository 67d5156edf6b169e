#pragma once
// model: groups of arrays of the forms. For source files of views.
#include "model/views/arrays.hpp"

namespace posenc::model {

using Out = std::vector<double*>;
using Groups = std::vector<ArrayGroup>;

inline Variable real(std::string name, std::vector<std::string> dims, std::string unit, std::string about, Type type = Type::f64) {
  return {std::move(name), type, std::move(dims), std::move(unit), std::move(about), {}};
}
inline Dimension axis(const char* name, Pos size) { return {name, static_cast<std::uint64_t>(size)}; }

/// The coordinate first, first + 1, ...
ArrayGroup counting(const char* name, Pos size, Pos first, const char* unit, const char* about);
/// A small matrix held in memory, [rows][columns] or [rows].
ArrayGroup constant(std::vector<Dimension> dims, Variable v, Matrix values);

/// Frequencies, channels, cosines and sines, damping.
void add_rotary(Groups& g, const Encoding& e, const Rotary& r, const Request& q, Type type);

}  // namespace posenc::model
