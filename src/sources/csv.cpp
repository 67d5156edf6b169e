#include "sources/csv.hpp"

#include "core/error.hpp"
#include "sources/json.hpp"
#include "sources/mapped_file.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace posenc::sources {
namespace {

using model::Pos;

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // spreadsheets write it

struct Table : model::Tensor {
  std::vector<Pos> dims;
  std::vector<double> values;
  const std::vector<Pos>& shape() const override { return dims; }
  void read(Pos first, std::span<double> out) const override { std::copy_n(values.begin() + first, out.size(), out.begin()); }
};

std::string_view trimmed(std::string_view cell) {
  const auto first = cell.find_first_not_of(" \t\r");
  return first == std::string_view::npos ? std::string_view{} : cell.substr(first, cell.find_last_not_of(" \t\r") - first + 1);
}

/// Whether the cell was meant as a number, so that its line is no heading.
bool is_numeric(std::string_view cell) {
  if (cell.empty()) return false;
  double v = 0;
  const bool whole = std::from_chars(cell.data(), cell.data() + cell.size(), v).ptr == cell.data() + cell.size();
  return whole || std::string_view("0123456789+-.").find(cell[0]) != std::string_view::npos;
}

std::optional<double> number(std::string_view cell) {
  double v = 0;
  const auto [end, status] = std::from_chars(cell.data(), cell.data() + cell.size(), v);
  const bool whole = status == std::errc{} && end == cell.data() + cell.size();
  return whole && std::isfinite(v) ? std::optional(v) : std::nullopt;
}

/// A cell for a message: short, and no NUL, which would end it.
std::string shown(std::string_view cell) {
  std::string out = brief(cell);
  std::replace(out.begin(), out.end(), '\0', '?');
  return out;
}

/// Cells up to the next separator; `rest` keeps what follows.
std::string_view next(std::string_view& rest, char separator, bool& more) {
  const auto at = rest.find(separator);
  more = at != std::string_view::npos;
  const std::string_view out = rest.substr(0, at);
  rest = more ? rest.substr(at + 1) : std::string_view{};
  return out;
}

}  // namespace

std::shared_ptr<const model::Tensor> open_csv(const std::string& path) { return read_csv(map_file(path).text(), path); }

std::shared_ptr<const model::Tensor> read_csv(std::string_view rest, const std::string& path) {
  auto table = std::make_shared<Table>();
  if (rest.starts_with(byte_order_mark)) rest.remove_prefix(byte_order_mark.size());
  Pos rows = 0, columns = 0, line_number = 0;
  bool heading_possible = true;
  for (bool more_lines = true; more_lines;) {
    std::string_view line = trimmed(next(rest, '\n', more_lines));
    ++line_number;
    if (line.empty() || line[0] == '#') continue;
    const auto before = static_cast<Pos>(table->values.size());
    Pos words = 0, cells = 0;
    bool heading = std::exchange(heading_possible, false);
    std::string_view word;
    for (bool more = true; more; ++cells) {
      const std::string_view cell = trimmed(next(line, ',', more));
      if (const auto v = number(cell))
        table->values.push_back(*v);
      else if (heading &= !is_numeric(cell); ++words == 1)
        word = cell;
    }
    if (heading && words == cells) continue;
    if (words > 0) throw BadData(fmt::format("{}:{}: {}: must be a finite number", path, line_number, shown(word)));
    if (rows > 0 && cells != columns)
      throw BadData(fmt::format("{}:{}: has {} numbers, the rows above {}", path, line_number, cells, columns));
    columns = static_cast<Pos>(table->values.size()) - before;
    ++rows;
  }
  if (rows == 0) throw BadData(fmt::format("{}: holds no numbers", path));
  table->dims = rows == 1 || columns == 1 ? std::vector{rows * columns} : std::vector{rows, columns};
  return table;
}

}  // namespace posenc::sources
