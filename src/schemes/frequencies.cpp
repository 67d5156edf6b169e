#include "schemes/frequencies.hpp"

namespace posenc::schemes {

using math::Real;

Thetas geometric(const Real& base, model::Index width) {
  const Real step = -2 * log(base) / width;
  Thetas out;
  for (model::Index i = 0; i < width / 2; ++i) out.push_back(exp(i * step));
  return out;
}

Real ntk_base(const Real& base, const Real& factor, model::Index width) { return base * exp(log(factor) * width / (width - 2)); }

model::Frequency frequency(const Real& theta) { return {math::turn_from(theta / math::two_pi()), theta.convert_to<double>()}; }

std::vector<model::Frequency> frequencies(const Thetas& thetas) {
  std::vector<model::Frequency> out;
  for (const Real& theta : thetas) out.push_back(frequency(theta));
  return out;
}

}  // namespace posenc::schemes
