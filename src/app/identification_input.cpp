#include "app/identification_input.hpp"

#include "app/tables.hpp"
#include "core/error.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <functional>

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

/// Positions x columns: those at once, and those behind them.
void take(IdentificationInput& out, Pos positions, const std::function<model::Matrix(Pos first, Pos count)>& read) {
  const Pos now = std::min(positions, most_rows);
  out.values = read(0, now);
  if (positions > now)
    out.later = {static_cast<Index>(positions - now), [read, now](Index first, Index count) { return read(now + first, count); }};
}

model::Matrix beside(const model::Matrix& left, const model::Matrix& right) {
  model::Matrix both(left.rows(), left.cols() + right.cols());
  both << left, right;
  return both;
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
    const Pos columns = a.shape[1];
    take(out, a.shape[0], [=](Pos first, Pos count) {
      return beside(rows(a, files[0], first * columns, count, columns), rows(b, files[1], first * columns, count, columns));
    });
    out.halves = true;
  } else if (a.shape.size() < 2) {
    out.values = rows(a, files[0], 0, 1, a.shape.empty() ? 1 : a.shape[0]);
  } else if (a.shape.size() == 2 && a.shape[0] < a.shape[1] && a.shape[1] > most_rows) {  // positions by column
    out.values = rows(a, files[0], 0, a.shape[0], a.shape[1]);
  } else if (a.shape.size() == 2 || a.shape[2] == 2) {
    const Pos columns = a.shape.size() == 2 ? a.shape[1] : 2 * a.shape[1];
    take(out, a.shape[0], [=](Pos first, Pos count) { return rows(a, files[0], first * columns, count, columns); });
    if (a.shape.size() == 3) out.shape = "positions x pairs x 2";
  } else if (a.shape[0] == 2) {
    const Pos positions = a.shape[1], columns = a.shape[2];
    take(out, positions, [=](Pos first, Pos count) {
      return beside(rows(a, files[0], first * columns, count, columns),
                    rows(a, files[0], (positions + first) * columns, count, columns));
    });
    out.halves = true, out.shape = "2 x positions x pairs";
  } else {
    throw BadData(
        fmt::format("{}: shape {}: must have a dimension of 2, cosine and sine, first or last", files[0], words(a.shape)));
  }
  return out;
}

}  // namespace posenc::app
