#include "model/views/cache_made.hpp"

#include "math/phase_table.hpp"

namespace posenc::model {

Made::Made(const std::vector<Frequency>& frequency, const CacheRecipe& recipe, double amplitude, const Stored& stored)
    : amplitude_(amplitude), stored_(stored), working_(stored.format ? recipe.stages.angle : nullptr) {
  std::vector<double> theta, ones(frequency.size(), 1.0);
  for (const Frequency& f : frequency) turn_.push_back(f.turn), theta.push_back(f.theta);
  if (!recipe.is_exact()) phases_.emplace(turn_, theta, ones, recipe.stages);
  if (working_ && working_->digits == 53) working_ = nullptr;
}

void Made::row(Pos position, std::span<double> cosine, std::span<double> sine) const {
  if (phases_) {
    phases_->row(position, cosine, sine);
    return;
  }
  std::vector<math::Turn> at;
  for (const math::Turn t : turn_) at.push_back(math::times(position, t));
  math::sincos_turns(at, cosine.data(), sine.data());
}

double Made::stored(double x) const {
  if (working_ && amplitude_ != 1) {
    const auto round = [&](double y) { return math::round_to(*working_, y); };
    return stored_.round(round(round(x) * round(amplitude_)));
  }
  return stored_.round(x * amplitude_);
}

}  // namespace posenc::model
