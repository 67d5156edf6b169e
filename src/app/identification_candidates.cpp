#include "app/identification_candidates.hpp"

#include "app/subjects.hpp"
#include "app/tables.hpp"
#include "core/sink.hpp"
#include "math/real.hpp"
#include "model/views/traits.hpp"
#include "schemes/estimates.hpp"
#include "schemes/registry.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace posenc::app {
namespace {

using namespace model;

constexpr double same_frequency = 1e-13;  // relative: what rounding of a parameter's text moves
constexpr std::size_t other_words = 4;

/// Decimal digits of a number beyond two; none of a power of two or a word.
std::size_t odd_digits(const std::string& value) {
  if (value.find_first_of("0123456789") != 0 || value.find('/') != std::string::npos) return 0;
  int exponent = 0;
  if (const double x = parse_number("value", value); x >= 2 && std::frexp(x, &exponent) == 0.5) return 0;
  std::string digits;
  for (const char c : value.substr(0, value.find_first_of("eE")))
    if (c >= '0' && c <= '9' && (c != '0' || !digits.empty())) digits += c;
  digits.erase(digits.find_last_not_of('0') + 1);
  return digits.size() > 2 ? digits.size() - 2 : 0;
}

/// Frequencies of a sinusoidal table that keeps them to itself (odd widths), from its phases at powers of two; to 2^-95 rad.
std::vector<Frequency> frequencies_in(const Rows& rows, const Observed& o) {
  using math::Real;
  std::vector<Real> theta(o.cosine.size());
  Matrix row(1, rows.channels());
  for (Pos p = 1; p <= Pos{1} << 46; p *= 2) {
    rows.block(p, row);
    for (std::size_t j = 0; j < theta.size(); ++j) {
      const Real off = std::atan2(row(0, o.sine[j]), row(0, o.cosine[j])) - p * theta[j];
      theta[j] += (off - math::two_pi() * round(off / math::two_pi())) / p;
    }
  }
  std::vector<Frequency> out;
  for (const Real& t : theta) out.push_back({math::turn_from(t / math::two_pi()), t.convert_to<double>()});
  return out;
}

/// Takes what is compared out of the encoding; false where there is nothing of the kind.
bool take(const Encoding& e, Index pairs, Candidate& c) {
  if (const auto* r = form<Rotary>(e)) {
    for (Index j = 0; j < r->pairs(); ++j) c.frequency.push_back(r->at(0, 0, j));
    c.frequency.resize(std::max(c.frequency.size(), static_cast<std::size_t>(pairs)));  // channels behind rotary-dim rest
    c.amplitude = r->attention_factor;
  }
  if (const auto* a = form<AbsoluteTable>(e)) {
    c.table = a->rows;
    if (const auto* spectrum = a->rows->spectrum())
      c.frequency = *spectrum;
    else if (c.reading && c.reading->sine_first && a->rows->channels() == c.reading->numbers.channels)
      c.frequency = frequencies_in(*a->rows, *c.reading);
  }
  return std::ssize(c.frequency) == pairs &&
         std::all_of(c.frequency.begin(), c.frequency.end(), [](const Frequency& f) { return std::isfinite(f.theta); });
}

std::vector<double> thetas(const Candidate& c) {
  std::vector<double> out;
  for (const Frequency& f : c.frequency) out.push_back(f.theta);
  return out;
}

bool same(const Candidate& a, const Candidate& b) {
  if (std::abs(a.amplitude - b.amplitude) > 1e-12 * a.amplitude) return false;
  for (std::size_t j = 0; j < a.frequency.size(); ++j) {
    const double x = a.frequency[j].theta, y = b.frequency[j].theta;
    if (std::abs(x - y) > same_frequency * std::max(std::abs(x), std::abs(y))) return false;
  }
  return true;
}

/// Characters of values that are neither words nor round numbers.
std::size_t digits(const EncodingSpec& spec) {
  std::size_t out = 0;
  for (const auto& [key, value] : spec.values)
    out += value.size() > 8 && value.find_first_of("0123456789") == 0 ? value.size() : 0;
  return out;
}

/// Decimal digits of its parameters beyond two each, powers of two and words apart: 10000 has none, 9960 one.
std::size_t odd_digits(const EncodingSpec& spec) {
  std::size_t out = 0;
  for (const auto& [key, value] : spec.values)
    if (key != "dim") out += odd_digits(value);
  return out;
}

/// Whether it scales by nearly nothing from a base that is not round: roundings of plain frequencies taken for a law.
bool is_rounding(const EncodingSpec& spec) {
  double factor = 0;
  std::size_t odd = 0;
  for (const auto& [key, value] : spec.values) {
    if (key == "factor") factor = parse_number(key, value);
    if (key == "base") odd = odd_digits(value);
  }
  return odd > 0 && std::abs(factor - 1) < 0.02 && factor != 1;
}

/// Words of an encoding without its numbers.
std::string kind(const EncodingSpec& spec) {
  std::string out = spec.scheme;
  for (const auto& [key, value] : spec.values)
    if (value.find_first_of("0123456789") != 0) out += " " + value;
  return out;
}

/// Whether a simpler one of the same kind gives the same frequencies as far as rounding lets them be seen.
bool covered(const Candidate& c, const Candidate& simple, const Observation& seen) {
  if (seen.frequency.empty() || kind(c.proposal.spec) != kind(simple.proposal.spec) || c.amplitude != simple.amplitude)
    return false;
  for (std::size_t j = 0; j < c.frequency.size(); ++j)
    if (std::abs(c.frequency[j].theta - simple.frequency[j].theta) > seen.uncertainty[j]) return false;
  return digits(simple.proposal.spec) < digits(c.proposal.spec);
}

/// Whether the twin's other words lack this one: of another scheme its simplest, of the same one only round values.
bool adds(const Candidate& twin, const Candidate& c) {
  if (twin.also.size() >= other_words) return false;
  if (c.proposal.spec.scheme == twin.proposal.spec.scheme)
    return digits(c.proposal.spec) == 0 && encoding_word(c.proposal) != encoding_word(twin.proposal);
  return std::none_of(twin.also.begin(), twin.also.end(),
                      [&](const std::string& word) { return word.substr(0, word.find(':')) == c.proposal.spec.scheme; });
}

}  // namespace

void keep_one_a_kind(std::vector<Explanation>& ranked) {
  std::vector<Explanation> out;
  std::vector<std::string> kinds;
  for (const Explanation& e : ranked)
    if (std::find(kinds.begin(), kinds.end(), kind(e.spec)) == kinds.end()) out.push_back(e), kinds.push_back(kind(e.spec));
  if (out.size() == 1 && ranked.size() > 1) out.push_back(ranked[1]);
  ranked = std::move(out);
}

std::string encoding_word(const Proposal& p) {
  std::string out = p.spec.scheme;
  for (const auto& [key, value] : p.spec.values) out += fmt::format("{}{}={}", out == p.spec.scheme ? ":" : ",", key, value);
  return p.in_use ? fmt::format("{} at {} tokens", out, p.in_use) : out;
}

bool simpler(const Candidate& a, const Candidate& b) {
  const auto key = [](const Candidate& c) {
    const bool expected =
        c.reading && c.reading->sine_first == (c.table != nullptr);  // tables begin with sines, caches with cosines
    return std::tuple(digits(c.proposal.spec), c.reading && !expected, odd_digits(c.proposal.spec), c.proposal.spec.values.size(),
                      c.order);
  };
  return key(a) < key(b);
}

std::vector<Candidate> candidates(const Observation& seen, const Observed* reading) {
  std::vector<Candidate> all;
  std::size_t order = 0;
  for (const auto name : schemes::registry().names()) {
    ++order;
    const auto scheme = schemes::registry().make(name);
    const auto* recogniser = dynamic_cast<const Recogniser*>(scheme.get());
    if (!recogniser) continue;
    throw_if_stop_requested();
    for (Proposal& p : recogniser->explain(seen)) {
      if (is_rounding(p.spec)) continue;
      const auto made = resolve(p.spec, Request{}, Tables()).scheme;
      Candidate c{std::move(p), reading, {}, 1, {}, order};
      if (!take(made->lower(c.proposal.in_use ? c.proposal.in_use : made->train_length()), seen.pairs, c)) continue;
      c.distance = seen.frequency.empty() ? 0 : schemes::distance(seen, thetas(c));
      all.push_back(std::move(c));
    }
  }
  std::stable_sort(all.begin(), all.end(), simpler);
  std::vector<Candidate> out;
  for (Candidate& c : all) {
    if (std::any_of(out.begin(), out.end(), [&](const Candidate& x) { return !same(x, c) && covered(c, x, seen); })) continue;
    const auto twin = std::find_if(out.begin(), out.end(), [&](const Candidate& x) { return same(x, c); });
    if (twin == out.end())
      out.push_back(std::move(c));
    else if (adds(*twin, c))
      twin->also.push_back(encoding_word(c.proposal));
  }
  std::stable_sort(out.begin(), out.end(), [](const Candidate& a, const Candidate& b) { return a.distance < b.distance; });
  return out;
}

}  // namespace posenc::app
