#pragma once
// schemes: one divisor a pair, from numbers or a file.
#include "model/scheme.hpp"

#include <string>

namespace posenc::schemes {

struct FactorList {
  std::string text{};            // the field's slot: numbers a/b/c, or a file
  std::vector<double> values{};  // once read

  /// `pairs` positive numbers: of the text where every part of it between slashes is a number, else of the file [pairs]. Throws
  /// UsageError or BadData "owner: field = ...: must have PAIRS numbers ...".
  std::vector<double> read(const model::Context& context, std::string_view owner, std::string_view field,
                           model::Index pairs) const;
};

}  // namespace posenc::schemes
