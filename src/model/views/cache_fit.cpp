#include "model/views/cache_fit.hpp"

#include "math/parallel.hpp"
#include "math/phase_table.hpp"
#include "math/real.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posenc::model {
namespace {

using math::Real;

constexpr Index rows_looked_at = 256, rows_of_quick_fit = 64;
constexpr double hopeless = 8;  // ratio of scores that moving frequencies by units does not make up for
constexpr double clip = 0.05;
constexpr int neighbours = 5;  // units in the last place that float32 chains of powers and quotients are off at most

double spacing(const math::BinaryFormat& f, double x) {
  return std::ldexp(1.0, std::max(std::ilogb(x), f.min_exponent) - f.digits + 1);
}

Frequency frequency_of(double theta) { return {math::turn_from(Real(theta) / math::two_pi()), theta}; }

/// Cosines and sines of frequencies under a recipe, before they are stored.
class Made {
 public:
  Made(const std::vector<Frequency>& frequency, const CacheRecipe& recipe, double amplitude, const Stored& stored)
      : amplitude_(amplitude), stored_(stored), working_(stored.format ? recipe.stages.angle : nullptr) {
    std::vector<double> theta, ones(frequency.size(), 1.0);
    for (const Frequency& f : frequency) turn_.push_back(f.turn), theta.push_back(f.theta);
    if (!recipe.is_exact()) phases_.emplace(turn_, theta, ones, recipe.stages);
    if (working_ && working_->digits == 53) working_ = nullptr;
  }
  void row(Pos position, std::span<double> cosine, std::span<double> sine) const {
    if (phases_) {
      phases_->row(position, cosine, sine);
      return;
    }
    std::vector<math::Turn> at;
    for (const math::Turn t : turn_) at.push_back(math::times(position, t));
    math::sincos_turns(at, cosine.data(), sine.data());
  }
  double stored(double x) const {
    if (working_ && amplitude_ != 1) {
      const auto round = [&](double y) { return math::round_to(*working_, y); };
      return stored_.round(round(round(x) * round(amplitude_)));
    }
    return stored_.round(x * amplitude_);
  }

 private:
  std::vector<math::Turn> turn_;
  double amplitude_;
  const Stored& stored_;
  const math::BinaryFormat* working_;
  std::optional<math::RoundedPhases> phases_;
};

std::vector<Index> sample(Index rows, Index most) {
  std::vector<Index> out;
  const Index count = std::min(rows, most), ends = count / 4;
  for (Index i = 0; i < count; ++i)
    out.push_back(i < ends            ? i
                  : i >= count - ends ? rows - (count - i)
                                      : ends + (i - ends) * (rows - 2 * ends) / (count - 2 * ends));
  return out;
}

/// The frequencies of the recipe's format around each exact one, pair by pair, nearest first.
std::vector<std::vector<Frequency>> tried(const std::vector<Frequency>& exact, const CacheRecipe& recipe, bool moved) {
  std::vector<std::vector<Frequency>> out;
  const math::BinaryFormat* f = recipe.stages.frequency;
  for (const Frequency& e : exact) {
    if (!f || e.theta == 0 || !moved) {
      out.push_back({e});
      continue;
    }
    const double nearest = f->digits == 53 ? e.theta : math::round_to(*f, e.theta);
    std::vector<Frequency> some;
    const int reach = f->digits >= 24 ? neighbours : 1;
    for (int k = 0; k <= reach; ++k)
      for (const int sign : {1, -1})
        if (k > 0 || sign > 0) some.push_back(frequency_of(nearest + sign * k * spacing(*f, nearest)));
    out.push_back(std::move(some));
  }
  return out;
}

CacheFit fit(const Cached& c, const CacheRecipe& recipe, const std::vector<Index>& rows, bool moved) {
  const auto choices = tried(c.frequency, recipe, moved);
  std::vector<Frequency> flat;
  for (const auto& some : choices) flat.insert(flat.end(), some.begin(), some.end());
  const Made made(flat, recipe, c.amplitude, c.stored);
  const Observed& o = *c.reading;
  Matrix off(static_cast<Index>(rows.size()), static_cast<Index>(flat.size()));
  std::vector<double> cosine(flat.size()), sine(flat.size());
  const double limit = clip * c.amplitude;
  for (Index r = 0; r < off.rows(); ++r) {
    const Index row = rows[static_cast<std::size_t>(r)];
    made.row(o.position(row), cosine, sine);
    std::size_t i = 0;
    for (std::size_t j = 0; j < choices.size(); ++j)
      for (std::size_t k = 0; k < choices[j].size(); ++k, ++i)
        off(r, static_cast<Index>(i)) = std::min(limit, std::abs(made.stored(cosine[i]) - (*c.rows)(row, o.cosine[j]))) +
                                        std::min(limit, std::abs(made.stored(sine[i]) - (*c.rows)(row, o.sine[j])));
  }
  CacheFit out;
  out.recipe = &recipe;
  Vector by_row = Vector::Zero(off.rows());
  Index at = 0;
  for (const auto& some : choices) {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < some.size(); ++k)
      if (const double sum = off.col(at + static_cast<Index>(k)).sum(); sum < least) least = sum, best = k;
    by_row += off.col(at + static_cast<Index>(best));
    out.used.push_back(some[best]);
    out.units = std::max(out.units, static_cast<int>(best + 1) / 2);
    at += std::ssize(some);
  }
  std::sort(by_row.begin(), by_row.end());
  const Index kept = by_row.size() - (by_row.size() >= 8 ? std::max<Index>(1, by_row.size() / 16) : 0);
  out.score = by_row.head(kept).sum() / (static_cast<double>(2 * kept * std::ssize(choices)) * c.amplitude);
  return out;
}

bool nearer(const CacheFit& a, const CacheFit& b) { return a.score < b.score; }

std::vector<CacheFit> fits(const Cached& c, std::span<const CacheRecipe> recipes, Index most, bool moved) {
  const std::vector<Index> rows = sample(c.rows->rows(), most);
  std::vector<CacheFit> out(recipes.size());
  math::parallel_for(std::ssize(recipes), [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    out[at] = fit(c, recipes[at], rows, moved);
  });
  return out;
}

/// What float32 can lose at an angle, besides the storage.
double lost_by_float32(double angle) { return std::min(0.02, 0x1p-22 + 2e-6 * std::abs(angle)); }

struct Block {
  double residual = 0;
  Index row = 0, column = 0;
  std::vector<std::array<Index, 2>> first{{-1, 0}, {-1, 0}};  // strict, by bound
  std::array<Index, 2> agreeing{};
  bool to_the_bit = true;
};

}  // namespace

CacheFit exact_fit(const Cached& c) { return fit(c, cache_recipes().front(), sample(c.rows->rows(), rows_looked_at), false); }

CacheFit quick_fit(const Cached& c) {
  const auto all = fits(c, cache_recipes(), rows_of_quick_fit, false);
  return *std::min_element(all.begin(), all.end(), nearer);
}

CacheFit fit(const Cached& c) {
  const auto rough = fits(c, cache_recipes(), rows_looked_at, false);
  const double least = std::min_element(rough.begin(), rough.end(), nearer)->score;
  std::vector<CacheRecipe> worth;
  std::vector<const CacheRecipe*> origin;
  for (const CacheFit& f : rough)
    if (f.score <= hopeless * least + 1e-17) worth.push_back(*f.recipe), origin.push_back(f.recipe);
  auto all = fits(c, worth, rows_looked_at, true);
  for (std::size_t i = 0; i < all.size(); ++i) all[i].recipe = origin[i];
  const double best = std::min_element(all.begin(), all.end(), nearer)->score;
  return *std::find_if(all.begin(), all.end(), [&](const CacheFit& f) { return f.score <= 1.02 * best; });
}

Overlap overlap(const Cached& c) {
  const Made made(c.frequency, cache_recipes().front(), 1, c.stored);
  const Observed& o = *c.reading;
  Overlap out;
  std::vector<double> cosine(c.frequency.size()), sine(c.frequency.size());
  for (Index i = 0; i < c.rows->rows(); ++i) {
    made.row(o.position(i), cosine, sine);
    for (std::size_t j = 0; j < cosine.size(); ++j)
      for (const auto& [x, y] : {std::pair(cosine[j], (*c.rows)(i, o.cosine[j])), std::pair(sine[j], (*c.rows)(i, o.sine[j]))})
        out.product += x * y, out.square += x * x, out.all += y * y;
  }
  return out;
}

Departure departure(const Cached& c, const CacheFit& f, const std::vector<Pos>& exempt) {
  const Observed& o = *c.reading;
  const Matrix& rows = *c.rows;
  const Made made(f.used, *f.recipe, c.amplitude, c.stored);
  const double binade = std::ldexp(1.0, std::ilogb(c.amplitude));
  const int few = !c.stored.format && c.stored.decimals < 0 ? 16 : c.stored.format == &math::f32_format ? 4 : 2;
  const double strict = few * c.stored.spacing(binade) * (c.stored.decimals < 0 ? 0.5 : 1);
  constexpr Index block = 512;
  std::vector<Block> blocks(static_cast<std::size_t>((rows.rows() + block - 1) / block));
  math::parallel_blocks(rows.rows(), block, [&](std::int64_t first, std::int64_t count) {
    Block& b = blocks[static_cast<std::size_t>(first / block)];
    std::vector<double> cosine(f.used.size()), sine(f.used.size());
    for (Index i = first; i < first + count; ++i) {
      const Pos position = o.position(i);
      const bool zero = std::find(exempt.begin(), exempt.end(), position) != exempt.end();
      if (!zero) made.row(position, cosine, sine);
      std::array<bool, 2> agrees{true, true};
      const auto look = [&](Index column, double due, double angle) {
        const double gap = std::abs(due - rows(i, column));
        if (gap != 0) b.to_the_bit = false;
        if (gap > b.residual) b.residual = gap, b.row = i, b.column = column;
        const std::array<double, 2> tolerance{strict, strict + c.amplitude * lost_by_float32(angle)};
        for (std::size_t k = 0; k < 2; ++k) {
          if (gap <= tolerance[k]) continue;
          agrees[k] = false;
          if (auto& at = b.first[k]; at[0] < 0 || (at[0] == i && column < at[1])) at = {i, column};
        }
      };
      for (std::size_t j = 0; j < f.used.size(); ++j) {
        const double angle = static_cast<double>(position) * f.used[j].theta;
        look(o.cosine[j], zero ? 0 : made.stored(cosine[j]), angle);
        look(o.sine[j], zero ? 0 : made.stored(sine[j]), angle);
      }
      for (std::size_t k = 0; k < 2; ++k) b.agreeing[k] += agrees[k];
    }
  });
  Block all;
  for (const Block& b : blocks) {
    if (b.residual > all.residual) all.residual = b.residual, all.row = b.row, all.column = b.column;
    all.to_the_bit = all.to_the_bit && b.to_the_bit;
    for (std::size_t k = 0; k < 2; ++k) {
      all.agreeing[k] += b.agreeing[k];
      if (all.first[k][0] < 0) all.first[k] = b.first[k];
    }
  }
  const Index off = rows.rows() - all.agreeing[0], more = all.agreeing[1] - all.agreeing[0];
  const bool by_bound = off > std::max<Index>(2, rows.rows() / 50) && 2 * more >= off;
  const std::size_t k = by_bound ? 1 : 0;
  return {all.residual,    all.row,        all.column, all.first[k][0] >= 0, std::max<Index>(0, all.first[k][0]), all.first[k][1],
          all.agreeing[k], all.to_the_bit, by_bound};
}

}  // namespace posenc::model
