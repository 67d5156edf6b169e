#include "app/cache_shapes.hpp"

#include "core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>

namespace posenc::app {
namespace {

using model::Pos;
using Array = std::shared_ptr<const model::Tensor>;

/// The same numbers in the same order, in another shape.
struct Reshaped : model::Tensor {
  Reshaped(Array array, std::vector<Pos> dims) : whole(std::move(array)), sizes(std::move(dims)) {}
  const std::vector<Pos>& shape() const override { return sizes; }
  void read(Pos first, std::span<double> out) const override { whole->read(first, out); }

  Array whole;
  std::vector<Pos> sizes;
};

/// 2 x rows x columns with the second half beside the first: rows x 2 columns.
struct Beside : Reshaped {
  Beside(Array array, Pos rows, Pos columns) : Reshaped(std::move(array), {rows, 2 * columns}) {}
  void read(Pos first, std::span<double> out) const override {
    const Pos rows = sizes[0], width = sizes[1] / 2, end = first + static_cast<Pos>(out.size());
    for (Pos at = first; at < end;) {
      const Pos row = at / (2 * width), column = at % (2 * width), half = column / width;
      const Pos count = std::min((half + 1) * width - column, end - at);
      whole->read(half * rows * width + row * width + column % width,
                  out.subspan(static_cast<std::size_t>(at - first), static_cast<std::size_t>(count)));
      at += count;
    }
  }
};

}  // namespace

ShapedArray shaped(Array array, const std::string& file) {
  std::vector<Pos> sizes = array->shape();
  std::erase(sizes, 1);
  if (sizes.size() < 3) return {std::move(array), std::move(sizes), false, ""};
  if (sizes.size() == 3 && sizes[2] == 2) {
    const std::vector<Pos> table{sizes[0], 2 * sizes[1]};
    return {std::make_shared<Reshaped>(std::move(array), table), table, false, "positions x pairs x 2"};
  }
  if (sizes.size() == 3 && sizes[0] == 2)
    return {
        std::make_shared<Beside>(std::move(array), sizes[1], sizes[2]), {sizes[1], 2 * sizes[2]}, true, "2 x positions x pairs"};
  throw BadData(fmt::format(
      "{}: shape {}: must be a vector, positions x columns, positions x pairs x 2 or 2 x positions x pairs (cosine and sine)",
      file, fmt::join(array->shape(), " x ")));
}

}  // namespace posenc::app
