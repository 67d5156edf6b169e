#pragma once
// schemes: parameters of rotary schemes estimated from their frequencies.
#include "model/recogniser.hpp"

namespace posenc::schemes {

/// Bases that give the frequencies base^(-2i/width) at the pairs first .. last, each as text: the estimate, and the round number
/// near it where there is one.
std::vector<std::string> bases(const model::Observation& seen, std::size_t first, std::size_t last);

/// Whole or half factors near 1 / x, and 1 / x itself.
std::vector<std::string> factors(double x);

/// Training lengths that models have: powers of two and their neighbours in use, 256 to 1M.
const std::vector<std::string>& usual_lengths();

/// NAME with dim = rotary-dim of the observation and the values given.
model::EncodingSpec rotary_spec(const char* scheme, const model::Observation& seen,
                                std::vector<std::pair<std::string, std::string>> values);

/// Schemes that keep the first pairs and divide the last by their factor (llama3, yarn): base, factor and training length.
std::vector<model::EncodingSpec> banded_specs(const char* scheme, const model::Observation& seen);

}  // namespace posenc::schemes
