#pragma once
// schemes: positions drawn without replacement, as randomized positional encodings use them.
#include "model/encoding.hpp"

#include <vector>

namespace posenc::schemes {

/// `count` distinct integers of low .. high - 1 in ascending order, every set equally likely; count <= high - low. `number` tells
/// draws of one stream apart.
std::vector<model::Pos> drawn_positions(std::uint64_t seed, const char* stream, model::Pos number, model::Pos count,
                                        model::Pos low, model::Pos high);

/// Where token p stands: positions[p]; before the first and behind the last, where no token is, one by one.
model::Pos position_of(const std::vector<model::Pos>& positions, model::Pos p);

}  // namespace posenc::schemes
