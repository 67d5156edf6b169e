#pragma once
// model: what relative vectors and rotations add to the terms of a score. For source files of views.
#include "model/views/terms.hpp"

namespace posenc::model {

using Mapped = std::array<Pos, 2>;
inline Mapped mapped(const Encoding& e, Pos m, Pos n) { return e.pair_map ? e.pair_map(m, n) : Mapped{m, n}; }

template <class Body>
void each_pair(const Encoding& e, const Tokens& t, const Body& body) {
  for (std::size_t i = 0; i < t.query.size(); ++i)
    for (std::size_t j = 0; j < t.key.size(); ++j) {
      const auto [m, n] = mapped(e, t.query[i], t.key[j]);
      body(static_cast<Index>(i), static_cast<Index>(j), m, n);
    }
}

/// body(first, count) for each run of consecutive positions.
template <class Body>
void each_run(const std::vector<Pos>& positions, const Body& body) {
  for (std::size_t first = 0, end = 0; first < positions.size(); first = end) {
    end = first + 1;
    while (end < positions.size() && positions[end] == positions[end - 1] + 1) ++end;
    body(static_cast<Index>(first), static_cast<Index>(end - first));
  }
}

/// Adds cp, pc and pp of vectors met by queries q and keys k, [query][d] and [key][d].
void add_relative(const Encoding& e, const RelativeVectors& r, Index head, const Tokens& c, const Matrix& q, const Matrix& k,
                  Terms& t);

/// q.(R - I)k of every query and key.
Matrix rotation_term(const Encoding& e, const Rotary& r, Index head, const Tokens& c, const Matrix& q, const Matrix& k);

}  // namespace posenc::model
