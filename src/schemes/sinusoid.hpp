#pragma once
// schemes: rows of sines and cosines, shared by the schemes built on them.
#include "model/encoding.hpp"

namespace posenc::schemes {

/// Where sines and cosines stand in a row, and how frequencies run: base^(-2i/channels), or tensor2tensor's
/// base^(-i / max(J - 1, 1)) over J = floor(channels / 2) frequencies.
enum class Columns : int { interleaved, concat };
enum class Exponent : int { paper, t2t };

/// The last channel of an odd width.
enum class Odd : int { sine, zero };

/// Row p = sin(p w_i), cos(p w_i), defined at every p; each value within math::phase_table_error. An odd width ends in one more
/// sine (interleaved, paper, Odd::sine) or in a zero column (all else), and has no spectrum.
std::shared_ptr<const model::Rows> sinusoid(model::Index channels, double base, Columns columns, Exponent exponent,
                                            Odd odd = Odd::sine);
/// The same with one given frequency for each pair of channels.
std::shared_ptr<const model::Rows> sinusoid(std::vector<model::Frequency> frequencies, Columns columns);

}  // namespace posenc::schemes
