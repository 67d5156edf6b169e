#include "app/identification_input.hpp"

#include "app/tables.hpp"
#include "core/error.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace posenc::app {
namespace {

using model::Index;
using model::Pos;

constexpr Pos most_rows = 65536;
constexpr Pos most_values = Pos{1} << 28;

struct Array {
  std::shared_ptr<const model::Tensor> tensor;
  std::vector<Pos> shape;  // without sizes of 1
};

std::string words(const std::vector<Pos>& shape) { return fmt::format("{}", fmt::join(shape, " x ")); }

Array open(const std::string& file) {
  Array out{Tables().open(file), {}};
  for (const Pos n : out.tensor->shape())
    if (n != 1) out.shape.push_back(n);
  if (out.tensor->size() < 1) throw BadData(fmt::format("{}: must not be empty", file));
  if (out.tensor->shape().empty() || out.shape.size() > 3)
    throw BadData(fmt::format("{}: shape {}: must be a vector, positions x channels, or cosines and sines of positions x pairs",
                              file, words(out.tensor->shape())));
  return out;
}

/// Elements from `first` on as rows.
model::Matrix rows(const Array& a, const std::string& file, Pos first, Pos count, Pos columns) {
  if (count * columns > most_values)
    throw BadData(fmt::format("{}: {} x {}: must have at most {} numbers", file, count, columns, most_values));
  model::Matrix out(static_cast<Index>(count), static_cast<Index>(columns));
  a.tensor->read(first, {out.data(), static_cast<std::size_t>(out.size())});
  return out;
}

model::Matrix matrix(const Array& a, const std::string& file) {
  if (a.shape.empty()) return rows(a, file, 0, 1, 1);
  if (a.shape.size() == 1) return rows(a, file, 0, 1, a.shape[0]);
  const bool by_column = a.shape[0] < a.shape[1] && a.shape[1] > most_rows;
  return rows(a, file, 0, by_column ? a.shape[0] : std::min(a.shape[0], most_rows), a.shape[1]);
}

model::Matrix beside(const model::Matrix& left, const model::Matrix& right) {
  model::Matrix both(left.rows(), left.cols() + right.cols());
  both << left, right;
  return both;
}

/// Words for rows that are left out; empty where none are.
std::string cut(Pos positions) {
  return positions > most_rows ? fmt::format("the first {} of {} positions", most_rows, positions) : "";
}

void add_words(std::string& words, const std::string& more) {
  if (!more.empty()) words += (words.empty() ? "" : ", ") + more;
}

}  // namespace

IdentificationInput read_arrays(const std::vector<std::string>& files) {
  const Array a = open(files[0]);
  IdentificationInput out;
  if (files.size() == 2) {
    const Array b = open(files[1]);
    if (a.shape != b.shape) throw BadData(fmt::format("{}: {} sines for {} cosines", files[1], words(b.shape), words(a.shape)));
    if (a.shape.size() != 2)
      throw BadData(fmt::format("{}: shape {}: cosines must be positions x pairs", files[0], words(a.shape)));
    out.values = beside(matrix(a, files[0]), matrix(b, files[1]));
    out.halves = true;
    if (out.values.rows() < a.shape[0]) add_words(out.shape, cut(a.shape[0]));
  } else if (a.shape.size() < 3) {
    out.values = matrix(a, files[0]);
    if (a.shape.size() == 2 && out.values.rows() < a.shape[0]) add_words(out.shape, cut(a.shape[0]));
  } else if (a.shape[2] == 2) {
    out.values = rows(a, files[0], 0, std::min(a.shape[0], most_rows), 2 * a.shape[1]);
    out.shape = "positions x pairs x 2";
    add_words(out.shape, cut(a.shape[0]));
  } else if (a.shape[0] == 2) {
    const Pos count = std::min(a.shape[1], most_rows), columns = a.shape[2];
    out.values = beside(rows(a, files[0], 0, count, columns), rows(a, files[0], a.shape[1] * columns, count, columns));
    out.halves = true, out.shape = "2 x positions x pairs";
    add_words(out.shape, cut(a.shape[1]));
  } else {
    throw BadData(
        fmt::format("{}: shape {}: must have a dimension of 2, cosine and sine, first or last", files[0], words(a.shape)));
  }
  return out;
}

}  // namespace posenc::app
