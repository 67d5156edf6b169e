#include "app/labels.hpp"

#include "core/error.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <set>

namespace posenc::app {
namespace {

bool letter(char c, bool first) {
  const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  return word || (!first && (c == '.' || c == '+' || c == '-'));
}

}  // namespace

bool is_label(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (!letter(text[i], i == 0)) return false;
  return !text.empty();
}

std::string label_from(std::string_view text) {
  std::string out(text);
  for (std::size_t i = 0; i < out.size(); ++i)
    if (!letter(out[i], i == 0)) out[i] = '_';
  return out.empty() ? "_" : out;
}

std::vector<std::string> assign_labels(const std::vector<LabelWish>& wishes) {
  std::set<std::string> taken;
  for (const auto& w : wishes) {
    if (!w.is_explicit) continue;
    if (!is_label(w.name)) throw UsageError(fmt::format("label = {}: must match [A-Za-z0-9_][A-Za-z0-9_.+-]*", w.name));
    if (!taken.insert(w.name).second) throw UsageError(fmt::format("label = {}: given twice", w.name));
  }
  std::vector<std::string> out;
  for (const auto& w : wishes) {
    std::string label = w.is_explicit ? w.name : label_from(w.name);
    if (!w.is_explicit) {
      const std::string stem = label;
      for (int n = 2; !taken.insert(label).second; ++n) label = fmt::format("{}_{}", stem, n);
    }
    out.push_back(label);
  }
  return out;
}

}  // namespace posenc::app
