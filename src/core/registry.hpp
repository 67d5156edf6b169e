#pragma once
// core: a list of named things made on demand, shared by the lists of schemes, analyses and commands.
#include "core/field.hpp"

#include <initializer_list>
#include <memory>

namespace posenc {

/// Interface has `info().name`. The names come in the order of the list file.
template <class Interface>
class Registry {
 public:
  using Make = std::unique_ptr<Interface> (*)();
  Registry(std::string_view kind, std::initializer_list<Make> makers) : kind_(kind), makers_(makers) {
    for (const Make m : makers_) names_.push_back(m()->info().name);
  }
  std::span<const std::string_view> names() const { return names_; }
  /// A new one with default values. Throws UsageError with the nearest name.
  std::unique_ptr<Interface> make(std::string_view name) const {
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (names_[i] == name) return makers_[i]();
    unknown(kind_, name, names_);
  }

 private:
  std::string_view kind_;
  std::vector<Make> makers_;
  std::vector<std::string_view> names_;
};

}  // namespace posenc
