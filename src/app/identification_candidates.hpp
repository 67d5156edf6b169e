#pragma once
// app: what the schemes propose for numbers that were read, each made into frequencies.
#include "app/identification.hpp"

namespace posenc::app {

struct Candidate {
  model::Proposal proposal;
  const model::Observed* reading = nullptr;  // none of a vector
  std::vector<model::Frequency> frequency;   // one a pair of the observation
  double amplitude = 1;                      // the encoding's own
  std::shared_ptr<const model::Rows> table;  // of schemes that add one
  std::size_t order = 0;                     // of the scheme in the list of schemes
  double distance = 0;                       // of the frequencies, schemes/estimates.hpp
  std::vector<std::string> also{};
};

/// Every proposal of every scheme for `seen` that has as many pairs, nearest and simplest first, those with the same frequencies
/// and amplitude merged into the simplest.
std::vector<Candidate> candidates(const model::Observation& seen, const model::Observed* reading);

/// Digits of its parameters beyond round numbers, the layout that is usual, then their number: what makes one of two equal
/// explanations the simpler.
bool simpler(const Candidate& a, const Candidate& b);

/// Leaves the first explanation of each scheme under each choice of words (exponent, form, ...), numbers apart; the second where
/// that leaves but one.
void keep_one_a_kind(std::vector<Explanation>& ranked);

/// The encoding in words.
std::string encoding_word(const model::Proposal& p);

}  // namespace posenc::app
