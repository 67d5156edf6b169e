#include "app/file_summary.hpp"

#include "app/file_read.hpp"
#include "app/summary.hpp"
#include "app/table.hpp"
#include "app/terminal.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::app {
namespace {

using io::InputFile;
using io::InputVariable;

constexpr std::uint64_t most = 10'000'000;  // elements of a variable: more is no summary of this program

/// Labels, training lengths and the telling measures in front; per-head ones by their mean.
std::vector<InputVariable> telling_first(std::vector<InputVariable> all) {
  const auto rank = [](const InputVariable& v) -> std::size_t {
    if (v.name == "encoding") return 0;
    if (v.name == "train_length") return 1;
    const auto names = telling_measures();
    for (std::size_t i = 0; i < names.size(); ++i)
      if (v.name == names[i] || v.name == std::string(names[i]) + "_mean") return 2 + i;
    return 2 + names.size();
  };
  std::stable_sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return all;
}

}  // namespace

std::string summary_table(const InputFile& file) {
  const std::string group = "/summary";
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> columns;
  for (const InputVariable& v : telling_first(file.variables(group))) {
    if (v.shape.empty() || v.dims[0] != "encoding" || v.kind == InputVariable::Kind::other) continue;
    const std::uint64_t rows = v.shape[0], row = v.size() / std::max<std::uint64_t>(rows, 1);
    if (rows == 0 || row == 0 || v.size() > most) continue;
    if (!columns.empty() && rows != columns.front().size()) continue;
    std::vector<std::string> column;
    if (v.kind == InputVariable::Kind::text) {
      column = read_words(file, group, v, 0, rows);
    } else {
      const auto values = read_numbers(file, group, v, 0, rows * row);
      if (std::all_of(values.begin(), values.end(), [](double x) { return std::isnan(x); })) continue;
      for (std::uint64_t r = 0; r < rows; ++r) column.push_back(readable(values[(r + 1) * row - 1]));
    }
    header.push_back(v.name);
    columns.push_back(std::move(column));
  }
  if (columns.empty()) return "";
  TextTable table(header);
  for (std::size_t r = 0; r < columns.front().size(); ++r) {
    std::vector<std::string> row;
    for (const auto& c : columns) row.push_back(c[r]);
    table.add(std::move(row));
  }
  return table.text(terminal_width());
}

}  // namespace posenc::app
