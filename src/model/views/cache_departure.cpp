#include "model/views/cache_departure.hpp"

#include "core/sink.hpp"
#include "math/parallel.hpp"
#include "model/views/cache_made.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace posenc::model {
namespace {

constexpr Index block = 512;          // rows a thread takes at once
constexpr Index later_block = 16384;  // rows in memory at once, of those that were not

/// What float32 can lose at an angle, besides the storage.
double lost_by_float32(double angle) { return std::min(0.02, 0x1p-22 + 2e-6 * std::abs(angle)); }

struct Block {
  double residual = 0;
  Index row = 0, column = 0;
  std::array<std::array<Index, 2>, 2> first{{{-1, 0}, {-1, 0}}};  // strict, by bound
  std::array<Index, 2> agreeing{};
  bool to_the_bit = true;

  void add(const Block& b) {
    if (b.residual > residual) residual = b.residual, row = b.row, column = b.column;
    to_the_bit = to_the_bit && b.to_the_bit;
    for (std::size_t k = 0; k < 2; ++k) {
      agreeing[k] += b.agreeing[k];
      if (first[k][0] < 0) first[k] = b.first[k];
    }
  }
};

class Comparison {
 public:
  Comparison(const Cached& c, const CacheFit& f, const std::vector<Pos>& exempt)
      : c_(c), used_(f.used), exempt_(exempt), made_(f.used, *f.recipe, c.amplitude, c.stored) {
    const double binade = std::ldexp(1.0, std::ilogb(c.amplitude));
    const int few = !c.stored.format && c.stored.decimals < 0 ? 16 : c.stored.format == &math::f32_format ? 4 : 2;
    strict_ = few * c.stored.spacing(binade) * (c.stored.decimals < 0 ? 0.5 : 1);
  }
  /// Rows of which the first is row `offset` of the array.
  Block rows(const Matrix& values, Index offset) const {
    throw_if_stop_requested();
    std::vector<Block> blocks(static_cast<std::size_t>((values.rows() + block - 1) / block));
    math::parallel_blocks(values.rows(), block, [&](std::int64_t first, std::int64_t count) {
      std::vector<double> cosine(used_.size()), sine(used_.size());
      for (Index i = first; i < first + count; ++i) row(values, i, offset, cosine, sine, blocks[std::size_t(first / block)]);
    });
    Block all;
    for (const Block& b : blocks) all.add(b);
    return all;
  }

 private:
  void row(const Matrix& values, Index i, Index offset, std::vector<double>& cosine, std::vector<double>& sine, Block& b) const {
    const Observed& o = *c_.reading;
    const Pos position = o.position(offset + i);
    const bool zero = std::find(exempt_.begin(), exempt_.end(), position) != exempt_.end();
    if (!zero) made_.row(position, cosine, sine);
    std::array<bool, 2> agrees{true, true};
    const auto look = [&](Index column, double due, double angle) {
      const double gap = std::abs(due - values(i, column));
      if (gap != 0) b.to_the_bit = false;
      if (gap > b.residual) b.residual = gap, b.row = offset + i, b.column = column;
      const std::array<double, 2> tolerance{strict_, strict_ + c_.amplitude * lost_by_float32(angle)};
      for (std::size_t k = 0; k < 2; ++k) {
        if (gap <= tolerance[k]) continue;
        agrees[k] = false;
        if (auto& at = b.first[k]; at[0] < 0 || (at[0] == offset + i && column < at[1])) at = {offset + i, column};
      }
    };
    for (std::size_t j = 0; j < used_.size(); ++j) {
      const double angle = static_cast<double>(position) * used_[j].theta;
      const double c = zero ? 0 : made_.stored(cosine[j]), s = zero ? 0 : made_.stored(sine[j]);
      look(o.cosine[j], c, angle), look(o.sine[j], s, angle);
      if (o.again) look(o.cosine[j] + o.again, c, angle), look(o.sine[j] + o.again, s, angle);
    }
    for (std::size_t k = 0; k < 2; ++k) b.agreeing[k] += agrees[k];
  }

  const Cached& c_;
  const std::vector<Frequency>& used_;
  const std::vector<Pos>& exempt_;
  Made made_;
  double strict_ = 0;
};

}  // namespace

Departure departure(const Cached& c, const CacheFit& f, const std::vector<Pos>& exempt, const LaterRows& later) {
  const Comparison comparison(c, f, exempt);
  Block all = comparison.rows(*c.rows, 0);
  for (Index first = 0; first < later.count; first += later_block)
    all.add(comparison.rows(later.read(first, std::min(later_block, later.count - first)), c.rows->rows() + first));
  const Index count = c.rows->rows() + later.count, most = std::max<Index>(2, count / 50);
  const Index off = count - all.agreeing[0], more = all.agreeing[1] - all.agreeing[0];
  const bool by_bound = off > most && 2 * more >= off;
  const auto& first = all.first[by_bound ? 1 : 0];
  Departure out;
  out.residual = all.residual, out.row = all.row, out.column = all.column;
  out.departs = first[0] >= 0, out.first_row = std::max<Index>(0, first[0]), out.first_column = first[1];
  out.rows_agreeing = all.agreeing[by_bound ? 1 : 0];
  out.to_the_bit = all.to_the_bit, out.by_bound = by_bound, out.few = off > 0 && off <= most;
  return out;
}

}  // namespace posenc::model
