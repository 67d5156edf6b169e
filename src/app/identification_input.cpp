#include "app/identification_input.hpp"

#include "app/cache_shapes.hpp"
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

std::string words(const std::vector<Pos>& sizes) { return fmt::format("{}", fmt::join(sizes, " x ")); }

ShapedArray open(const std::string& file) {
  auto array = Tables().open(file);
  if (array->shape().empty()) throw BadData(fmt::format("{}: must be an array, not one number", file));
  if (array->size() < 1) throw BadData(fmt::format("{}: must not be empty", file));
  return shaped(std::move(array), file);
}

/// Elements from `first` on as rows.
model::Matrix rows(const ShapedArray& a, const std::string& file, Pos first, Pos count, Pos columns) {
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
  const ShapedArray a = open(files[0]);
  IdentificationInput out;
  out.shape = a.shape, out.halves = a.halves || files.size() == 2;
  if (files.size() == 2) {
    const ShapedArray b = open(files[1]);
    if (a.sizes != b.sizes) throw BadData(fmt::format("{}: {} sines for {} cosines", files[1], words(b.sizes), words(a.sizes)));
    if (a.sizes.size() != 2 || !a.shape.empty() || !b.shape.empty())
      throw BadData(fmt::format("{}: shape {}: cosines must be positions x pairs", files[0], words(a.tensor->shape())));
    const Pos columns = a.sizes[1];
    take(out, a.sizes[0], [=](Pos first, Pos count) {
      return beside(rows(a, files[0], first * columns, count, columns), rows(b, files[1], first * columns, count, columns));
    });
  } else if (a.sizes.size() < 2) {
    out.values = rows(a, files[0], 0, 1, a.sizes.empty() ? 1 : a.sizes[0]);
  } else if (a.shape.empty() && a.sizes[0] < a.sizes[1] && a.sizes[1] > most_rows) {  // positions by column
    out.values = rows(a, files[0], 0, a.sizes[0], a.sizes[1]);
  } else {
    const Pos columns = a.sizes[1];
    take(out, a.sizes[0], [=](Pos first, Pos count) { return rows(a, files[0], first * columns, count, columns); });
  }
  return out;
}

}  // namespace posenc::app
