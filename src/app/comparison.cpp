#include "app/comparison.hpp"

#include "model/views/traits.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace posenc::app {
namespace {

using namespace model;

/// Facts of the score as a whole that differ, one line each.
void compare_facts(const Encoding& a, const Encoding& b, const Request& q, double tolerance, Comparison& out) {
  const auto differ = [&](const char* what, double x, double y) {
    if (std::abs(x - y) <= tolerance * std::max(std::abs(x), std::abs(y))) return;
    out.agreement = Agreement::different;
    out.notes.push_back(fmt::format("{}: {} against {}", what, number_text(x), number_text(y)));
  };
  differ("logit scale", a.logit_scale, b.logit_scale);
  differ("channels of a head", static_cast<double>(a.head_dim), static_cast<double>(b.head_dim));
  differ("causal", a.causal, b.causal);
  const Pos m = q.start + q.length - 1;
  Pos seen_a = 0, seen_b = 0;
  for (Pos s = 0; s < q.length; ++s) {
    seen_a += !a.visible || a.visible(m, m - s);
    seen_b += !b.visible || b.visible(m, m - s);
  }
  differ("keys that the last query sees", static_cast<double>(seen_a), static_cast<double>(seen_b));
  for (const Encoding* e : {&a, &b})
    if (traits(*e).kind == Kind::contextual)
      out.notes.push_back(fmt::format("{}: the score depends on content: {}", e == &a ? out.first : out.second, traits(*e).contextual_needs));
}

/// Channel order from matched pairs; pass-through channels keep their order.
std::vector<Index> order_of(const PairMatch& m, Index channels) {
  std::vector<Index> out(static_cast<std::size_t>(channels), -1);
  std::vector<bool> taken(out.size());
  for (std::size_t i = 0; i < m.channels_a.size(); ++i)
    for (std::size_t k = 0; k < 2; ++k) {
      out[static_cast<std::size_t>(m.channels_a[i][k])] = m.channels_b[i][k];
      taken[static_cast<std::size_t>(m.channels_b[i][k])] = true;
    }
  std::size_t free = 0;
  for (Index& x : out) {
    if (x >= 0) continue;
    while (taken[free]) ++free;
    taken[free] = true;
    x = static_cast<Index>(free);
  }
  return out;
}

/// Whether every row of b is that of a with its columns in that order.
bool agree(const AbsoluteTable& a, const AbsoluteTable& b, const std::vector<Index>& order, Pos first, Pos rows, double tolerance) {
  Matrix p(1, a.rows->channels()), q(1, p.cols());
  for (Pos i = first; i < first + rows; ++i) {
    a.rows->block(a.row(i), p), b.rows->block(b.row(i), q);
    for (std::size_t c = 0; c < order.size(); ++c)
      if (std::abs(p(0, static_cast<Index>(c)) - q(0, order[c])) > tolerance) return false;
  }
  return true;
}

/// Arrays that only say in which channels a rotation or table stands.
bool of_layout(const ArrayDifference& d) {
  for (const char* name : {"frequency", "wavelength", "channel_first", "channel_second", "cos", "sin", "damping", "table"})
    if (d.variable == name) return true;
  return false;
}

/// Sets out.layout where one is the other with its channels in another order.
void compare_layout(const Encoding& a, const Encoding& b, const Request& q, double tolerance, Comparison& out) {
  const auto *r = form<Rotary>(a), *s = form<Rotary>(b);
  if (r && s && a.terms.size() == b.terms.size() && (r->per_head ? r->heads : 1) == (s->per_head ? s->heads : 1)) {
    for (Index head = 0; head < (r->per_head ? r->heads : 1); ++head) {
      const auto match = match_pairs(*r, *s, head, q.start + q.length - 1, tolerance);
      if (!match || (head > 0 && order_of(*match, r->head_dim) != out.order)) return void(out.order.clear());
      out.order = order_of(*match, r->head_dim);
      out.layout = fmt::format("{} against {}", layout_word(match->channels_a), layout_word(match->channels_b));
    }
    return;
  }
  const auto *t = form<AbsoluteTable>(a), *u = form<AbsoluteTable>(b);
  if (!t || !u || a.terms.size() != 1 || b.terms.size() != 1 || t->entry.index() != u->entry.index()) return;
  Pos rows = q.length;
  for (const auto* x : {t, u})
    if (const auto count = x->rows->count()) rows = std::min(rows, *count - x->first_row - q.start);
  if (rows < 2) return;
  const auto order = match_columns(*t, *u, q.start, static_cast<Index>(std::min<Pos>(rows, 256)), tolerance);
  if (!order || !agree(*t, *u, *order, q.start, rows, tolerance)) return;
  out.order = *order, out.layout = "channels in another order";
}

/// Whether queries rotate otherwise when the sequence has grown, while cached keys do not.
void compare_lengths(const Entry& entry, const Request& q, double tolerance, Comparison& out) {
  const auto at = [&](Pos n) { return entry.scheme->lower(n); };
  const Pos now = q.in_use();
  const Encoding before = at(entry.scheme->train_length()), used = at(now);
  const auto *r = form<Rotary>(before), *s = form<Rotary>(used);
  if (!r || !s || r->frequency.size() != s->frequency.size() || now <= entry.scheme->train_length()) return;
  double largest = 0;
  for (std::size_t j = 0; j < r->frequency.size(); ++j) {
    const math::Turn gap = math::times(entry.scheme->train_length(), r->frequency[j].turn) + math::times(-entry.scheme->train_length(), s->frequency[j].turn);
    largest = std::max(largest, std::abs(math::signed_turns(gap)));
  }
  if (largest > tolerance)
    out.notes.push_back(
        fmt::format("{}: frequencies at {} tokens are not those at {}: a key cached at position {} is off by up to {:.3g} of a "
                    "turn, so scores do not stay relative while a sequence grows",
                    entry.spec.label, now, entry.scheme->train_length(), entry.scheme->train_length(), largest));
}

}  // namespace

Comparison compare(const Entry& a, const Entry& b, const Request& request, double tolerance) {
  Comparison out{a.spec.label, b.spec.label, Agreement::same, {}, {}, {}, request.start, request.start + request.length - 1, request.in_use(), {}};
  const Encoding x = a.scheme->lower(request.in_use()), y = b.scheme->lower(request.in_use());
  compare_facts(x, y, request, tolerance, out);
  out.arrays = differences(x, y, request, tolerance);
  const bool apart = std::any_of(out.arrays.begin(), out.arrays.end(), [](const ArrayDifference& d) { return d.first || !d.mismatch.empty(); });
  if (apart) {
    const bool elsewhere = std::any_of(out.arrays.begin(), out.arrays.end(), [](const ArrayDifference& d) {
      return (d.first || !d.mismatch.empty()) && !of_layout(d);
    });
    if (!elsewhere) compare_layout(x, y, request, tolerance, out);
    if (out.layout.empty())
      out.agreement = Agreement::different;
    else if (out.agreement == Agreement::same)
      out.agreement = Agreement::layout;
  }
  compare_lengths(a, request, tolerance, out);
  compare_lengths(b, request, tolerance, out);
  return out;
}

}  // namespace posenc::app
