#pragma once
// schemes: parameters of rotary and sinusoidal schemes estimated from their frequencies.
#include "model/recogniser.hpp"

namespace posenc::schemes {

using Values = std::vector<std::pair<std::string, std::string>>;

/// scale base^(-2j/d) over d/2 pairs.
struct Geometric {
  double scale = 1, base = 0;
  double scale_off = 0, base_off = 0;  // relative, as the uncertainties and the scatter have it
};
/// The nearest to the pairs first .. last, weighted by their uncertainties; `from_one`: scale 1. Empty for fewer pairs than
/// unknowns, a frequency that is not positive, and a base that is not above 1.
std::optional<Geometric> geometric_fit(const model::Observation& seen, std::size_t first, std::size_t last, bool from_one);

/// Numbers near x, each as text: of one to four digits, whole, and x itself; the round ones within max(1e-3, 4 off) of x, those
/// of one or two digits and usual bases
/// within 8 off and 0.006 where off is that of half precision.
std::vector<std::string> near(double x, double off);
/// Those above 1.
std::vector<std::string> near_base(double x, double off);
/// Whole or half numbers within max(1e-3, 4 off) of x, and x itself.
std::vector<std::string> near_factor(double x, double off);
/// A whole number up to 1024, or a half up to 16, within max(1e-9, 4 off) of x and no other within the same: what x must be.
std::optional<double> whole_factor(double x, double off);

/// Text of a number, whole ones without exponent.
std::string plain_text(double x);

/// Bases that models have.
const std::vector<double>& usual_bases();
/// Training lengths that models have: powers of two and their neighbours in use, 256 to 1M.
const std::vector<double>& usual_lengths();

/// Usual bases B, and whole factors f, of which B f^(d/(d-2)) is the base of all pairs; none where that base is round itself.
std::vector<std::pair<double, double>> stretched_bases(const model::Observation& seen);

/// Mean over the pairs of the relative distance beyond the uncertainty, of at most 0.1 each.
double distance(const model::Observation& seen, const std::vector<double>& thetas);
/// base^(-2j/d) over all pairs.
std::vector<double> plain(const model::Observation& seen, double base);
/// Leading pairs whose frequency is above 0, where all behind them are 0; no value where one behind them is not.
std::optional<std::size_t> turning_pairs(const model::Observation& seen);
/// That many pairs at the front.
model::Observation leading(const model::Observation& seen, std::size_t pairs);

/// The share part/whole with as few digits as leave floor(share whole) = part.
std::string share_word(std::size_t part, std::size_t whole);

Values join_values(Values front, const Values& back);
/// NAME with dim = twice the pairs and the values given.
model::Proposal rotary_proposal(const char* scheme, const model::Observation& seen, Values values, std::string note = {});
/// The scheme in its plainest form, for an array in which nothing was read.
model::Proposal plainest(const char* scheme, const model::Observation& seen, Values values = {});

/// What a base tells beside itself: that it is a round base under another exponent, i/d or 2i/(d-2) for 2i/d; empty otherwise.
std::string exponent_note(const Geometric& g, std::size_t pairs);

/// The attention factor as a value where it was seen and is not `expected`; empty otherwise.
Values attention_factor_value(const model::Observation& seen, double expected);

}  // namespace posenc::schemes
