#pragma once
// model: cosines and sines of a table as a recipe makes them.
#include "math/rounded_phase.hpp"
#include "model/encoding.hpp"
#include "model/views/cache_recipes.hpp"
#include "model/views/stored.hpp"

namespace posenc::model {

/// Cosines and sines of frequencies under a recipe, before they are stored. `stored` must outlive it.
class Made {
 public:
  Made(const std::vector<Frequency>& frequency, const CacheRecipe& recipe, double amplitude, const Stored& stored);
  /// Of amplitude 1, one a frequency.
  void row(Pos position, std::span<double> cosine, std::span<double> sine) const;
  /// A cosine or sine of row() times the amplitude, as the array keeps it.
  double stored(double x) const;

 private:
  std::vector<math::Turn> turn_;
  double amplitude_;
  const Stored& stored_;
  const math::BinaryFormat* working_;
  std::optional<math::RoundedPhases> phases_;
};

}  // namespace posenc::model
