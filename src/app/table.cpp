#include "app/table.hpp"

#include "app/terminal.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>

namespace posenc::app {
namespace {

/// Columns on the terminal: continuation bytes of UTF-8 take none.
std::size_t shown(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string blanks(width - std::min(width, shown(text)), ' ');
  return right ? blanks + text : text + blanks;
}

}  // namespace

std::string TextTable::text(int width) const {
  std::vector<std::size_t> widths(rows_.front().size(), 0);
  for (const auto& row : rows_)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], shown(row[c]));
  std::size_t columns = 0, used = 0;
  for (; columns < widths.size(); ++columns) {
    used += widths[columns] + (columns ? 2 : 0);
    if (width > 0 && columns > 0 && used > static_cast<std::size_t>(width)) break;
  }
  std::string out;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::string line;
    for (std::size_t c = 0; c < columns; ++c) line += (c ? "  " : "") + padded(rows_[r][c], widths[c], c > 0);
    line.erase(line.find_last_not_of(' ') + 1);
    out += (r == 0 ? styled(Style::bold, line) : line) + "\n";
  }
  return out;
}

std::string wrapped(const std::string& text, int width, int indent) {
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  std::string out, line;
  std::size_t begin = 0;
  const auto flush = [&] {
    if (!line.empty()) out += margin + line + "\n";
    line.clear();
  };
  while (begin < text.size()) {
    const auto end = text.find_first_of(" \n", begin);
    const std::string word = text.substr(begin, end == std::string::npos ? end : end - begin);
    if (!word.empty()) {
      if (!line.empty() && shown(line) + 1 + shown(word) + margin.size() > static_cast<std::size_t>(width)) flush();
      line += (line.empty() ? "" : " ") + word;
    }
    if (end == std::string::npos) break;
    if (text[end] == '\n') {
      flush();
      if (end + 1 < text.size() && text[end + 1] == '\n') out += "\n";
    }
    begin = end + 1;
  }
  flush();
  return out;
}

std::string definition_list(const std::vector<std::pair<std::string, std::string>>& items, int width, int indent) {
  std::size_t column = 0;
  for (const auto& [term, about] : items)
    if (shown(term) <= 26) column = std::max(column, shown(term));
  const std::size_t start = static_cast<std::size_t>(indent) + column + 2;
  std::string out;
  for (const auto& [term, about] : items) {
    std::string body = wrapped(about, std::max(width, static_cast<int>(start) + 30), static_cast<int>(start));
    if (body.empty()) body = "\n";
    std::string head = std::string(static_cast<std::size_t>(indent), ' ') + term;
    if (shown(term) > column)
      out += head + "\n" + body;
    else
      out += padded(head, start, false) + (body.size() > start ? body.substr(start) : body);
  }
  return out;
}

std::string readable(double value) {
  if (std::isnan(value)) return "-";
  if (std::abs(value) < 1e15 && value == std::floor(value)) return fmt::format("{:.0f}", value);
  const double size = std::abs(value);
  return size >= 1e-3 && size < 1e6 ? fmt::format("{:.4g}", value) : fmt::format("{:.3e}", value);
}

std::string readable_bytes(double bytes) {
  static constexpr std::array<const char*, 7> units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t u = 0;
  while (bytes >= 1024 && u + 1 < units.size()) bytes /= 1024, ++u;
  return u == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.1f} {}", bytes, units[u]);
}

}  // namespace posenc::app
