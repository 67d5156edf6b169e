#include "model/views/cache_match.hpp"

#include "model/views/rotary_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace posenc::model {
namespace {

constexpr Index block = 1024;  // rows at a time

/// What a column holds: the cosine or sine of a pair, of its first or second channel where the pair has two of the kind.
struct Column {
  bool sine;
  Index pair;
  int channel = 0;
};
struct Reading {
  const char* words;
  bool wide;   // as many columns as channels, not as pairs
  bool twice;  // every pair twice: the columns stand as the channels do
  Column (*at)(Index column, Index pairs);
};

Column cosine(Index c, Index) { return {false, c}; }
Column sine(Index c, Index) { return {true, c}; }
Column cosine_halves(Index c, Index p) { return {false, c % p, c >= p}; }
Column cosine_side(Index c, Index) { return {false, c / 2, c % 2 == 1}; }
Column sine_halves(Index c, Index p) { return {true, c % p, c >= p}; }
Column sine_side(Index c, Index) { return {true, c / 2, c % 2 == 1}; }
Column cosine_first(Index c, Index p) { return {c >= p, c % p}; }
Column sine_first(Index c, Index p) { return {c < p, c % p}; }
Column cosine_even(Index c, Index) { return {c % 2 == 1, c / 2}; }
Column sine_even(Index c, Index) { return {c % 2 == 0, c / 2}; }

constexpr Reading readings[] = {
    {"cosines, one column a pair", false, false, cosine},
    {"sines, one column a pair", false, false, sine},
    {"cosines, every pair twice in halves", true, true, cosine_halves},
    {"cosines, every pair twice side by side", true, true, cosine_side},
    {"sines, every pair twice in halves", true, true, sine_halves},
    {"sines, every pair twice side by side", true, true, sine_side},
    {"cosines before sines", true, false, cosine_first},
    {"sines before cosines", true, false, sine_first},
    {"cosines and sines alternating", true, false, cosine_even},
    {"sines and cosines alternating", true, false, sine_even},
};
using Readings = std::vector<const Reading*>;

using Channels = std::vector<std::array<Index, 2>>;
/// The columns of each pair of a reading that has every pair twice.
Channels channels_of(const Reading& reading, Index pairs) {
  Channels out(static_cast<std::size_t>(pairs));
  for (Index c = 0; c < 2 * pairs; ++c) {
    const Column at = reading.at(c, pairs);
    out[static_cast<std::size_t>(at.pair)][static_cast<std::size_t>(at.channel)] = c;
  }
  return out;
}

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

/// Those of least cost; all of equal cost stay.
template <class Cost>
void keep_least(Readings& list, const Cost& cost) {
  std::vector<double> costs;
  for (const Reading* r : list) costs.push_back(cost(*r));
  const double least = *std::min_element(costs.begin(), costs.end());
  std::size_t i = 0;
  std::erase_if(list, [&](const Reading*) { return costs[i++] > least; });
}

/// By the row of position 0, where cosines are the attention factor and sines 0. False, with the list as it was, where the row
/// looks like no reading at all.
bool choose_by_origin(Readings& list, const AbsoluteTable& table, double rotation_factor, Index pairs) {
  if (const auto count = table.rows->count(); count && table.row(0) >= *count) return false;
  Matrix row(1, table.rows->channels());
  table.rows->block(table.row(0), row);
  // A cache may have another attention factor than the rotation; one of sines has a row of zeros.
  const double factor = std::max(row.cwiseAbs().maxCoeff(), 0.5 * rotation_factor);
  const auto apart = [&](const Reading& r) {
    double sum = 0;
    for (Index c = 0; c < row.cols(); ++c) sum += std::abs(row(0, c) - (r.at(c, pairs).sine ? 0 : factor));
    return sum;
  };
  Readings nearest = list;
  keep_least(nearest, apart);
  // Cosines read as sines are off by the factor in every column.
  if (apart(*nearest[0]) > 0.1 * factor * static_cast<double>(row.cols())) return false;
  list = std::move(nearest);
  return true;
}

/// By whether the two columns of a pair hold the same numbers, at the first rows.
void choose_by_twins(Readings& list, const AbsoluteTable& table, Index pairs) {
  constexpr Pos tried = 256;
  const Pos count = std::min(tried, table.rows->count().value_or(tried) - table.row(0));
  Matrix row(1, table.rows->channels());
  std::vector<double> apart(list.size(), 0);
  for (Pos p = 0; p < count; ++p) {
    table.rows->block(table.row(p), row);
    for (std::size_t k = 0; k < list.size(); ++k)
      for (const auto& [i, j] : channels_of(*list[k], pairs)) apart[k] += std::abs(row(0, i) - row(0, j));
  }
  keep_least(list, [&](const Reading& r) {
    return apart[static_cast<std::size_t>(std::find(list.begin(), list.end(), &r) - list.begin())];
  });
}

/// By the mean distance from the rotation, over all rows.
void choose_by_rotation(Readings& list, SideBySide& both, const Request& q, Pos rows, Index pairs) {
  std::vector<double> apart(list.size(), 0);
  for (Pos first = 0; first < rows; first += block) {
    const auto count = static_cast<Index>(std::min<Pos>(block, rows - first));
    both.fill(q.start + first, count);
    for (std::size_t k = 0; k < list.size(); ++k)
      for (Index i = 0; i < count; ++i)
        for (Index c = 0; c < both.columns(); ++c) apart[k] += both.gap(list[k]->at(c, pairs), i, c);
  }
  keep_least(list, [&](const Reading& r) {
    return apart[static_cast<std::size_t>(std::find(list.begin(), list.end(), &r) - list.begin())];
  });
}

}  // namespace

std::optional<CacheMatch> match_cache(const AbsoluteTable& table, const Encoding& e, const Rotary& r, const Request& q,
                                      double tolerance) {
  const Index columns = table.rows->channels(), pairs = r.pairs();
  Pos rows = q.length;
  if (const auto count = table.rows->count()) rows = std::min(rows, *count - table.row(q.start));
  if (r.per_head || r.hyperbolic || pairs == 0 || rows < 1 || (columns != pairs && columns != 2 * pairs)) return {};
  SideBySide both(table, e, r);
  Readings list;
  for (const Reading& reading : readings)
    if (reading.wide == (columns == 2 * pairs)) list.push_back(&reading);
  const bool known = choose_by_origin(list, table, r.attention_factor, pairs);
  if (known && list[0]->twice) choose_by_twins(list, table, pairs);
  if (!known) choose_by_rotation(list, both, q, rows, pairs);
  // Pairs that all turn alike stand in any layout.
  const auto as_rotation = [&](const Reading* x) { return x->twice && channels_of(*x, pairs) == r.channel; };
  const auto found_layout = std::find_if(list.begin(), list.end(), as_rotation);
  const Reading* best = found_layout == list.end() ? list[0] : *found_layout;

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
  CacheMatch out{best->words, rows, {}, {}};
  if (best->twice && pairs > 1) out.channels = channels_of(*best, pairs);
  for (std::size_t k = 0; k < 2; ++k)
    if (held[k]) out.arrays.push_back(std::move(found[k]));
  return out;
}

}  // namespace posenc::model
