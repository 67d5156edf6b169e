#include "model/views/difference.hpp"

#include "model/views/traits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cmath>
#include <limits>

namespace posenc::model {
namespace {

constexpr std::uint64_t block_elements = std::uint64_t{1} << 19;
/// Arrays that the turns of a rotation decide.
constexpr std::string_view by_turns[] = {"cos", "sin", "damping", "cosh", "sinh"};

/// One variable of a group, with the place it is filled at.
struct Array {
  const ArrayGroup* group;
  std::size_t slot;
  const Variable& variable() const { return group->variables[slot]; }
  bool counts() const { return group->dims.size() == 1 && variable().name == group->dims[0].name; }
};

/// Rows of the leading dimension, or elements of a group that is filled by element.
std::uint64_t rows_of(const ArrayGroup& g) {
  std::uint64_t n = g.dims[0].size;
  for (std::size_t i = 1; g.by_element && i < g.dims.size(); ++i) n *= g.dims[i].size;
  return n;
}
std::uint64_t row_size(const ArrayGroup& g) {
  std::uint64_t n = 1;
  for (std::size_t i = 1; !g.by_element && i < g.dims.size(); ++i) n *= g.dims[i].size;
  return n;
}

/// "" where the shapes agree; the dimensions that differ by name, or both shapes where they have no dimensions in common.
std::string shape_mismatch(const ArrayGroup& a, const ArrayGroup& b) {
  const auto shape = [](const ArrayGroup& g) {
    std::vector<std::uint64_t> sizes;
    for (const Dimension& d : g.dims) sizes.push_back(d.size);
    return fmt::format("{}", fmt::join(sizes, " x "));
  };
  if (a.dims.size() != b.dims.size()) return fmt::format("{} against {}", shape(a), shape(b));
  std::string out;
  for (std::size_t i = 0; i < a.dims.size(); ++i)
    if (a.dims[i].size != b.dims[i].size)
      out += fmt::format("{}{}: {} against {}", out.empty() ? "" : ", ", a.dims[i].name, a.dims[i].size, b.dims[i].size);
  return out;
}

std::vector<Array> listed(const std::vector<ArrayGroup>& groups) {
  std::vector<Array> out;
  for (const ArrayGroup& g : groups)
    for (std::size_t i = 0; i < g.variables.size(); ++i)
      if (Array a{&g, i}; !a.counts() && std::none_of(out.begin(), out.end(),
                                                      [&](const Array& x) { return x.variable().name == a.variable().name; }))
        out.push_back(a);
  return out;
}

Place place(const ArrayGroup& g, std::uint64_t element, const Request& q) {
  Place out;
  for (std::size_t i = g.dims.size(); i-- > 0;) {
    const Dimension& d = g.dims[i];
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

/// Variables of one group of the first that lie in one group of the second: filled and compared together.
struct Bundle {
  const ArrayGroup *a, *b;
  struct Slot {
    std::size_t a, b, difference;
  };
  std::vector<Slot> slots{};
};

struct Block {
  std::uint64_t first, count;
};
/// Blocks of rows to compare, in rising order; `looked` says which where they are not all.
std::vector<Block> blocks(const ArrayGroup& g, std::uint64_t elements, std::string& looked) {
  const std::uint64_t rows = rows_of(g), size = std::max<std::uint64_t>(1, row_size(g));
  const std::uint64_t block = std::max<std::uint64_t>(1, block_elements / size);
  const std::uint64_t most = std::max(elements / size, 2 * block);
  std::vector<Block> out;
  const auto run = [&](std::uint64_t end) {
    for (std::uint64_t first = 0; first < end; first += block) out.push_back({first, std::min(block, end - first)});
  };
  if (rows <= most) return run(rows), out;
  const std::uint64_t head = std::max(block, most / 2 / block * block), more = std::max<std::uint64_t>(1, most / 2 / block);
  run(head);
  // Starts head + k (rows - block - head) / more, k = 1 .. more: the last block ends with the rows.
  for (std::uint64_t k = 1; k <= more; ++k)
    out.push_back({head + static_cast<std::uint64_t>(static_cast<double>(rows - block - head) *
                                                     (static_cast<double>(k) / static_cast<double>(more))),
                   block});
  looked = fmt::format("the first {} of {} {}s, then {} blocks of {} at equal distances", head, rows,
                       g.by_element ? "element" : g.dims[0].name, more, block);
  return out;
}

void fill(const ArrayGroup& g, const Block& block, std::vector<std::vector<double>>& out) {
  out.resize(g.variables.size());
  std::vector<double*> to;
  for (auto& x : out) {
    x.resize(block.count * row_size(g));
    to.push_back(x.data());
  }
  g.fill(static_cast<Pos>(block.first), static_cast<Index>(block.count), to);
}

void compare(const Bundle& bundle, const Request& q, double tolerance, std::uint64_t most, std::vector<ArrayDifference>& out) {
  std::string looked;
  std::vector<std::vector<double>> x, y;
  for (const Block& block : blocks(*bundle.a, most, looked)) {
    fill(*bundle.a, block, x), fill(*bundle.b, block, y);
    for (const Bundle::Slot& slot : bundle.slots) {
      ArrayDifference& d = out[slot.difference];
      const std::vector<double>&p = x[slot.a], &r = y[slot.b];
      const bool relative = d.variable == "frequency" || d.variable == "wavelength";
      // Below it nothing is new; NaN is never below.
      double bar = relative ? -1 : d.first ? d.largest : std::min(d.largest, tolerance);
      for (std::size_t i = 0; i < p.size(); ++i) {
        if (std::abs(p[i] - r[i]) <= bar) continue;
        const double gap = distance(p[i], r[i], relative);
        const std::uint64_t element = block.first * row_size(*bundle.a) + i;
        if (gap > d.largest) d.largest = gap, d.where = place(*bundle.a, element, q);
        if (gap > tolerance && !d.first) d.first = place(*bundle.a, element, q);
        if (!relative) bar = d.first ? d.largest : std::min(d.largest, tolerance);
      }
    }
  }
  for (const Bundle::Slot& slot : bundle.slots) out[slot.difference].looked = looked;
}

bool equal(const std::vector<Frequency>& a, const std::vector<Frequency>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Frequency& x, const Frequency& y) { return x.turn == y.turn && x.theta == y.theta; });
}

/// Whether every angle, amplitude and damping is the same number, whatever the channels.
bool turn_alike(const Encoding& a, const Encoding& b) {
  const auto rotations = [](const Encoding& e) {
    return std::count_if(e.terms.begin(), e.terms.end(), [](const Term& t) { return std::holds_alternative<Rotary>(t); });
  };
  if (rotations(a) != 1 || rotations(b) != 1 || a.point || b.point) return false;
  const Rotary &r = *form<Rotary>(a), &s = *form<Rotary>(b);
  return r.axes == s.axes && r.per_head == s.per_head && r.heads == s.heads && r.pairs() == s.pairs() &&
         equal(r.frequency, s.frequency) && r.log_damping == s.log_damping && r.damping_centre == s.damping_centre &&
         r.attention_factor == s.attention_factor && r.mix_cosine.empty() && s.mix_cosine.empty() &&
         r.early_until == s.early_until && equal(r.early, s.early) && r.hyperbolic == s.hyperbolic;
}

}  // namespace

std::vector<ArrayDifference> differences(const Encoding& a, const Encoding& b, const Request& request, double tolerance,
                                         std::uint64_t most) {
  const auto groups_a = arrays(a, request), groups_b = arrays(b, request);
  const auto first = listed(groups_a), second = listed(groups_b);
  const auto named = [](const std::vector<Array>& list, const Array& x) {
    return std::find_if(list.begin(), list.end(), [&](const Array& y) { return y.variable().name == x.variable().name; });
  };
  const bool alike = turn_alike(a, b);
  std::vector<ArrayDifference> out;
  std::vector<Bundle> bundles;
  for (const Array& x : first) {
    const auto y = named(second, x);
    ArrayDifference& d = out.emplace_back(ArrayDifference{x.variable().name});
    d.mismatch = y == second.end() ? "only in the first" : shape_mismatch(*x.group, *y->group);
    const bool known = alike && std::find(std::begin(by_turns), std::end(by_turns), d.variable) != std::end(by_turns);
    if (!d.mismatch.empty() || known) continue;
    auto bundle =
        std::find_if(bundles.begin(), bundles.end(), [&](const Bundle& o) { return o.a == x.group && o.b == y->group; });
    if (bundle == bundles.end()) bundle = bundles.insert(bundles.end(), Bundle{x.group, y->group});
    bundle->slots.push_back({x.slot, y->slot, out.size() - 1});
  }
  for (const Array& y : second)
    if (named(first, y) == first.end()) out.push_back({.variable = y.variable().name, .mismatch = "only in the second"});
  for (const Bundle& bundle : bundles) compare(bundle, request, tolerance, most, out);
  return out;
}

}  // namespace posenc::model
