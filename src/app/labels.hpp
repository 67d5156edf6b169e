#pragma once
// app: the names of encodings in the output.
#include <string>
#include <string_view>
#include <vector>

namespace posenc::app {

struct LabelWish {
  std::string name;  // wanted, automatic or explicit
  bool is_explicit = false;
};

/// [A-Za-z0-9_][A-Za-z0-9_.+-]*
bool is_label(std::string_view text);
/// Letters that no label may have become '_'.
std::string label_from(std::string_view text);

/// One label each, all different: explicit ones stand as given, a repeated automatic one gets the first free of _2, _3, ...
/// Throws UsageError where an explicit label is malformed or given twice.
std::vector<std::string> assign_labels(const std::vector<LabelWish>& wishes);

}  // namespace posenc::app
