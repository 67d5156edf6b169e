#include "model/views/cache_fit.hpp"

#include "math/parallel.hpp"
#include "math/real.hpp"
#include "model/views/cache_made.hpp"

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

}  // namespace posenc::model
