#pragma once
// sources: a tensor of divisors of the frequencies, and the rule that made it.
#include "sources/gguf_subject.hpp"

namespace posenc::sources {

/// The numbers of a tensor of `pairs` positive ones; empty, with an error in the ledger, where it is anything else. Throws
/// BadData where it cannot be read.
std::vector<double> factor_list(const GgufSubject& s, const GgufTensor& tensor, model::Pos pairs);

struct Llama3Rule {
  double factor = 1, low = 1, high = 4;
  model::Pos original = 8192;
};
/// The Llama 3.1 rule that gives these divisors for that base to within 1e-6, the rounding of the float32 that they are stored in
/// included; the files do not hold its parameters. Nothing where none of the published ones does.
std::optional<Llama3Rule> llama3_rule(const std::vector<double>& factors, double base);

/// Gemma 4's list: 1 for the pairs that turn, then 1e30 for those that stand still; the number of the former.
std::optional<model::Pos> turning_pairs(const std::vector<double>& factors);

}  // namespace posenc::sources
