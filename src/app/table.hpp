#pragma once
// app: aligned columns of text.
#include <string>
#include <vector>

namespace posenc::app {

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header) : rows_{std::move(header)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// The header and its rows, the first column to the left, the others to the right; columns that do not fit into `width`
  /// are left out at the right, the first one never. No column is left out if width is 0.
  std::string text(int width = 0) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// Left-aligned columns without header, the last one wrapped at `width`.
std::string definition_list(const std::vector<std::pair<std::string, std::string>>& items, int width, int indent = 2);

/// Text broken at blanks into lines of at most `width`, each after `indent` blanks.
std::string wrapped(const std::string& text, int width, int indent = 0);

/// Four significant digits for reading: "0.1234", "1.234e-06", "4096"; "-" for NaN.
std::string readable(double value);

/// "1.5 MiB".
std::string readable_bytes(double bytes);

}  // namespace posenc::app
