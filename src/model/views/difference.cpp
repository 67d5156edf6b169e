#include "model/views/difference.hpp"

#include "model/views/traits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cmath>
#include <limits>

namespace posenc::model {
namespace {

/// One variable of a group, with the place it is filled at.
struct Array {
  const ArrayGroup* group;
  std::size_t slot;
  const Variable& variable() const { return group->variables[slot]; }
  bool counts() const { return group->dims.size() == 1 && variable().name == group->dims[0].name; }
  std::uint64_t rows() const {
    std::uint64_t n = group->dims[0].size;
    if (group->by_element)
      for (std::size_t i = 1; i < group->dims.size(); ++i) n *= group->dims[i].size;
    return n;
  }
  std::uint64_t row_size() const {
    std::uint64_t n = 1;
    if (!group->by_element)
      for (std::size_t i = 1; i < group->dims.size(); ++i) n *= group->dims[i].size;
    return n;
  }
  std::string shape() const {
    std::vector<std::uint64_t> sizes;
    for (const Dimension& d : group->dims) sizes.push_back(d.size);
    return fmt::format("{}", fmt::join(sizes, " x "));
  }
  void fill(Pos first, Index count, std::vector<double>& out) const {
    const std::size_t size = static_cast<std::size_t>(count) * row_size();
    std::vector<std::vector<double>> all(group->variables.size(), std::vector<double>(size));
    std::vector<double*> to;
    for (auto& x : all) to.push_back(x.data());
    group->fill(first, count, to);
    out = std::move(all[slot]);
  }
};

std::vector<Array> listed(const std::vector<ArrayGroup>& groups) {
  std::vector<Array> out;
  for (const ArrayGroup& g : groups)
    for (std::size_t i = 0; i < g.variables.size(); ++i)
      if (Array a{&g, i}; !a.counts() && std::none_of(out.begin(), out.end(), [&](const Array& x) {
            return x.variable().name == a.variable().name;
          }))
        out.push_back(a);
  return out;
}

Place place(const Array& a, std::uint64_t element, const Request& q) {
  Place out;
  for (std::size_t i = a.group->dims.size(); i-- > 0;) {
    const Dimension& d = a.group->dims[i];
    const Pos index = static_cast<Pos>(element % d.size);
    out.emplace_back(d.name, d.name == "position" ? q.start + index : index);
    element /= d.size;
  }
  std::reverse(out.begin(), out.end());
  return out;
}

double distance(double a, double b, bool relative) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) == std::isnan(b) ? 0 : std::numeric_limits<double>::infinity();
  const double gap = std::abs(a - b);
  return !relative || gap == 0 ? gap : gap / std::max(std::abs(a), std::abs(b));
}

ArrayDifference compare(const Array& a, const Array& b, const Request& q, double tolerance) {
  ArrayDifference out{a.variable().name, 0, {}, {}, {}};
  if (a.shape() != b.shape()) {
    out.mismatch = fmt::format("{} against {}", a.shape(), b.shape());
    return out;
  }
  const bool relative = out.variable == "frequency" || out.variable == "wavelength";
  const std::uint64_t rows = a.rows(), size = a.row_size(), block = std::max<std::uint64_t>(1, (std::uint64_t{1} << 16) / std::max<std::uint64_t>(size, 1));
  std::vector<double> x, y;
  for (std::uint64_t first = 0; first < rows; first += block) {
    const std::uint64_t count = std::min(block, rows - first);
    a.fill(static_cast<Pos>(first), static_cast<Index>(count), x);
    b.fill(static_cast<Pos>(first), static_cast<Index>(count), y);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double gap = distance(x[i], y[i], relative);
      if (gap > out.largest) out.largest = gap, out.where = place(a, first * size + i, q);
      if (gap > tolerance && !out.first) out.first = place(a, first * size + i, q);
    }
  }
  return out;
}

}  // namespace

std::vector<ArrayDifference> differences(const Encoding& a, const Encoding& b, const Request& request, double tolerance) {
  const auto groups_a = arrays(a, request), groups_b = arrays(b, request);
  const auto first = listed(groups_a), second = listed(groups_b);
  const auto named = [](const std::vector<Array>& list, const Array& x) {
    return std::find_if(list.begin(), list.end(), [&](const Array& y) { return y.variable().name == x.variable().name; });
  };
  std::vector<ArrayDifference> out;
  for (const Array& x : first) {
    const auto y = named(second, x);
    if (y != second.end())
      out.push_back(compare(x, *y, request, tolerance));
    else
      out.push_back({x.variable().name, 0, {}, {}, "only in the first"});
  }
  for (const Array& y : second)
    if (named(first, y) == first.end()) out.push_back({y.variable().name, 0, {}, {}, "only in the second"});
  return out;
}

}  // namespace posenc::model
