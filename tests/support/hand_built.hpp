#pragma once
// tests: small matrices and rotary forms built by hand, for the views.
#include "math/real.hpp"
#include "model/encoding.hpp"

#include <random>

namespace posenc::test {

/// Standard normal numbers.
inline model::Matrix noise(model::Index rows, model::Index columns, unsigned seed) {
  std::mt19937 g(seed);
  std::normal_distribution<double> z;
  model::Matrix m(rows, columns);
  for (model::Index i = 0; i < m.size(); ++i) m.data()[i] = z(g);
  return m;
}

inline model::Frequency frequency(double theta) { return {math::turn_from(math::Real(theta) / math::two_pi()), theta}; }

/// Interleaved pairs j of theta = 1/(1 + 3j) in a head of 8 channels.
inline model::Rotary rotary(model::Index pairs) {
  model::Rotary r;
  r.head_dim = 8;
  for (model::Index j = 0; j < pairs; ++j) {
    r.frequency.push_back(frequency(1.0 / static_cast<double>(1 + 3 * j)));
    r.channel.push_back({2 * j, 2 * j + 1});
  }
  return r;
}

/// That term alone, in a head and a model of 8 channels.
inline model::Encoding with(model::Term term) {
  model::Encoding e;
  e.terms.push_back(std::move(term));
  e.head_dim = e.width = 8;
  return e;
}

}  // namespace posenc::test
