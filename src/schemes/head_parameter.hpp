#pragma once
// schemes: a parameter with one value a head: a number for all of them, a file, or draws.
#include "model/scheme.hpp"

#include <string>

namespace posenc::schemes {

struct Interval {
  double low = 0, high = 0;
};

struct HeadParameter {
  std::string text{};            // the field's slot: a number, a file [head], or empty
  std::vector<double> values{};  // by head, once filled

  /// Opens the file, if it is one; it decides `heads`. Throws BadData where it disagrees.
  void read(const model::Context& context, std::string_view owner, std::string_view field, std::optional<std::int64_t>& heads);
  /// One value a head: the number, the file's, or uniform draws from `drawn` (stream `name`). Draws are brought into `kept`, as
  /// the training code does at every step; a number outside is refused with UsageError, a file's value with BadData.
  void fill(const model::Context& context, std::string_view owner, std::string_view field, const char* name, std::int64_t heads,
            Interval drawn, Interval kept);
};

}  // namespace posenc::schemes
