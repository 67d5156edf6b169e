#pragma once
// model: the cosines and sines that rotate queries and keys, by blocks of positions.
#include "model/encoding.hpp"

namespace posenc::model {

/// cosine(i, j), sine(i, j) of pair j at position first + i, attention factor included, damping not: a channel pair (a, b)
/// becomes (a c - b s, b c + a s). Both matrices are [count][pairs]. Error 4e-16 (attention factor 1) at any position. The turn
/// of a head's queries is left out. Throws std::logic_error for hyperbolic pairs, whose factors leave the range of doubles.
void rotary_rows(const Encoding& e, const Rotary& r, Index head, Pos first, Matrix& cosine, Matrix& sine);

/// Cosine and sine of the turn that a head's queries have beside their position's, (1, 0) without one; exact at quarter turns.
std::array<double, 2> query_turn(const Rotary& r, Index head);

/// Rotates the rows of x [positions][head_dim] in place, row i at position start + i; damping e^{+z} on queries, e^{-z} on keys;
/// the turn of queries included.
enum class Side { query, key };
void rotate(const Encoding& e, const Rotary& r, Index head, Side side, Pos start, Matrix& x);

}  // namespace posenc::model
