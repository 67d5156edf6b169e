#include "model/views/cache_match.hpp"

#include "model/views/rotary_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace posenc::model {
namespace {

/// What a column holds.
struct Column {
  bool sine;
  Index pair;
};
struct Reading {
  const char* words;
  bool twice;  // as many columns as channels, not as pairs
  Column (*at)(Index column, Index pairs);
};

constexpr Reading readings[] = {
    {"cosines, one column a pair", false,
     [](Index c, Index) {
       return Column{false, c};
     }},
    {"sines, one column a pair", false,
     [](Index c, Index) {
       return Column{true, c};
     }},
    {"cosines, every pair twice in halves", true,
     [](Index c, Index p) {
       return Column{false, c % p};
     }},
    {"cosines, every pair twice side by side", true,
     [](Index c, Index) {
       return Column{false, c / 2};
     }},
    {"sines, every pair twice in halves", true,
     [](Index c, Index p) {
       return Column{true, c % p};
     }},
    {"sines, every pair twice side by side", true,
     [](Index c, Index) {
       return Column{true, c / 2};
     }},
    {"cosines before sines", true,
     [](Index c, Index p) {
       return Column{c >= p, c % p};
     }},
    {"sines before cosines", true,
     [](Index c, Index p) {
       return Column{c < p, c % p};
     }},
    {"cosines and sines alternating", true,
     [](Index c, Index) {
       return Column{c % 2 == 1, c / 2};
     }},
    {"sines and cosines alternating", true,
     [](Index c, Index) {
       return Column{c % 2 == 0, c / 2};
     }},
};

/// The table and the rotation at the same positions, in blocks.
class SideBySide {
 public:
  SideBySide(const AbsoluteTable& table, const Encoding& e, const Rotary& r) : table_(table), encoding_(e), rotary_(r) {}
  void fill(Pos first, Index count) {
    given_.resize(count, table_.rows->channels());
    Matrix one(1, given_.cols());
    for (Index i = 0; i < count; ++i) table_.rows->block(table_.row(first + i), one), given_.row(i) = one;
    cosine_.resize(count, rotary_.pairs()), sine_.resize(count, rotary_.pairs());
    rotary_rows(encoding_, rotary_, 0, first, cosine_, sine_);
  }
  double gap(const Column& at, Index row, Index column) const {
    return std::abs(given_(row, column) - (at.sine ? sine_ : cosine_)(row, at.pair));
  }
  Index columns() const { return given_.cols(); }

 private:
  const AbsoluteTable& table_;
  const Encoding& encoding_;
  const Rotary& rotary_;
  Matrix given_, cosine_, sine_;
};

}  // namespace

std::optional<CacheMatch> match_cache(const AbsoluteTable& table, const Encoding& e, const Rotary& r, const Request& q,
                                      double tolerance) {
  constexpr Index tried = 64, block = 1024;
  const Index columns = table.rows->channels(), pairs = r.pairs();
  Pos rows = q.length;
  if (const auto count = table.rows->count()) rows = std::min(rows, *count - table.row(q.start));
  if (r.per_head || r.hyperbolic || pairs == 0 || rows < 1 || (columns != pairs && columns != 2 * pairs)) return {};
  SideBySide both(table, e, r);
  const auto start = static_cast<Index>(std::min<Pos>(rows, tried));
  both.fill(q.start, start);
  const Reading* best = nullptr;
  double nearest = 0;
  for (const Reading& reading : readings) {
    if (reading.twice != (columns == 2 * pairs)) continue;
    double largest = 0;
    for (Index i = 0; i < start; ++i)
      for (Index c = 0; c < columns; ++c) largest = std::max(largest, both.gap(reading.at(c, pairs), i, c));
    if (!best || largest < nearest) best = &reading, nearest = largest;
  }
  std::array<ArrayDifference, 2> found{ArrayDifference{"cos"}, ArrayDifference{"sin"}};
  std::array<bool, 2> held{};
  for (Pos first = 0; first < rows; first += block) {
    const auto count = static_cast<Index>(std::min<Pos>(block, rows - first));
    both.fill(q.start + first, count);
    for (Index i = 0; i < count; ++i)
      for (Index c = 0; c < columns; ++c) {
        const Column at = best->at(c, pairs);
        ArrayDifference& d = found[at.sine];
        held[at.sine] = true;
        const double gap = both.gap(at, i, c);
        const auto place = [&] { return Place{{"position", q.start + first + i}, {"pair", at.pair}, {"column", c}}; };
        if (gap > d.largest) d.largest = gap, d.where = place();
        if (gap > tolerance && !d.first) d.first = place();
      }
  }
  CacheMatch out{best->words, rows, {}};
  for (std::size_t k = 0; k < 2; ++k)
    if (held[k]) out.arrays.push_back(std::move(found[k]));
  return out;
}

}  // namespace posenc::model
