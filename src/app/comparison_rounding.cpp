#include "app/comparison_rounding.hpp"

#include "model/views/traits.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::app {

using namespace model;

namespace {

/// a with the frequencies and the attention factor of b where the two are that near, relative.
Encoding settled(Encoding a, const Encoding& b, double stored) {
  const auto near = [&](double x, double y) { return std::abs(x - y) <= stored * std::max(std::abs(x), std::abs(y)); };
  const auto* s = form<Rotary>(b);
  for (Term& term : a.terms) {
    auto* r = std::get_if<Rotary>(&term);
    if (!r || !s || r->frequency.size() != s->frequency.size()) continue;
    for (std::size_t i = 0; i < r->frequency.size(); ++i)
      if (near(r->frequency[i].theta, s->frequency[i].theta)) r->frequency[i] = s->frequency[i];
    if (near(r->attention_factor, s->attention_factor)) r->attention_factor = s->attention_factor;
  }
  return a;
}

}  // namespace

void look_beyond_rounding(const Encoding& a, const Encoding& b, const Request& q, double tolerance, Comparison& out) {
  const auto apart = [](const ArrayDifference& d) { return d.first.has_value(); };
  if (out.stored <= 0 || std::none_of(out.arrays.begin(), out.arrays.end(), apart)) return;
  for (const ArrayDifference& d : differences(settled(a, b, out.stored), b, q, tolerance))
    for (ArrayDifference& shown : out.arrays)
      if (shown.variable == d.variable) shown.first = d.first;
}

}  // namespace posenc::app
