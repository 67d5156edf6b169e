#include "app/comparison.hpp"

#include "app/comparison_rounding.hpp"
#include "app/comparison_vector.hpp"
#include "model/views/cache_match.hpp"
#include "model/views/layout_match.hpp"
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
  for (Pos s = 0; (a.visible || b.visible) && s < q.length; ++s) {
    seen_a += !a.visible || a.visible(m, m - s);
    seen_b += !b.visible || b.visible(m, m - s);
  }
  differ("keys that the last query sees", static_cast<double>(seen_a), static_cast<double>(seen_b));
  for (const Encoding* e : {&a, &b})
    if (traits(*e).kind == Kind::contextual)
      out.notes.push_back(
          fmt::format("{}: the score depends on content: {}", e == &a ? out.first : out.second, traits(*e).contextual_needs));
}

/// Whether every row of b is that of a with its columns in that order.
bool agree(const AbsoluteTable& a, const AbsoluteTable& b, const std::vector<Index>& order, Pos first, Pos rows,
           double tolerance) {
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

/// "half_split against interleaved"; of two in halves how far the partners are.
std::string layout_words(const PairMatch& match) {
  const std::string a = layout_word(match.channels_a), b = layout_word(match.channels_b);
  if (a != b || a != "half_split") return fmt::format("{} against {}", a, b);
  const auto partner = [](const auto& channels) { return channels[0][1] - channels[0][0]; };
  return fmt::format("half_split with partners {} channels on against {}", partner(match.channels_a), partner(match.channels_b));
}

/// Of every head of two rotations the same pairs, exactly or to the rounding of a file. Sets layout, order and rounded; false
/// where they are not the same kernel.
bool match_rotations(const Rotary& r, const Rotary& s, const Request& q, double tolerance, double stored, Comparison& out) {
  const Index heads = r.per_head ? r.heads : 1;
  if (heads != (s.per_head ? s.heads : 1)) return false;
  const Pos last = q.start + q.length - 1;
  bool same = true;
  std::vector<Index> order;
  for (Index head = 0; head < heads; ++head) {
    auto match = match_pairs(r, s, head, {last, tolerance, 0});
    if (!match && stored > 0) {
      match = match_pairs(r, s, head, {last, tolerance, stored});
      if (match)
        out.rounded = std::max(
            {out.rounded.value_or(0), match->largest, std::abs(r.attention_factor - s.attention_factor) / r.attention_factor});
    }
    if (!match || (head > 0 && channel_order(*match, r.head_dim) != order)) return false;
    order = channel_order(*match, r.head_dim);
    same = same && match->same();
    if (!match->same()) out.layout = layout_words(*match);
  }
  if (!same) out.order = std::move(order);
  return !same || out.rounded;
}

bool match_tables(const Encoding& a, const Encoding& b, const Request& q, double tolerance, Comparison& out) {
  const auto *t = form<AbsoluteTable>(a), *u = form<AbsoluteTable>(b);
  if (!t || !u || a.terms.size() != 1 || b.terms.size() != 1 || t->entry.index() != u->entry.index()) return false;
  Pos rows = q.length;
  for (const auto* x : {t, u})
    if (const auto count = x->rows->count()) rows = std::min(rows, *count - x->first_row - q.start);
  if (rows < 2) return false;
  const auto order = match_columns(*t, *u, q.start, static_cast<Index>(std::min<Pos>(rows, 256)), tolerance);
  if (!order || !agree(*t, *u, *order, q.start, rows, tolerance)) return false;
  out.order = *order, out.layout = "columns of a table in another order";
  return true;
}

/// What arrays that are apart mean.
void judge(const Encoding& a, const Encoding& b, const Request& q, double tolerance, const Allowance& allowance,
           Comparison& out) {
  const auto apart = [](const ArrayDifference& d) { return d.apart(); };
  if (std::none_of(out.arrays.begin(), out.arrays.end(), apart)) return;
  const bool elsewhere =
      std::any_of(out.arrays.begin(), out.arrays.end(), [](const ArrayDifference& d) { return d.apart() && !of_layout(d); });
  const auto *r = form<Rotary>(a), *s = form<Rotary>(b);
  const bool matched =
      !elsewhere && (r && s && a.terms.size() == b.terms.size() ? match_rotations(*r, *s, q, tolerance, allowance.stored, out)
                                                                : match_tables(a, b, q, tolerance, out));
  if (!matched)
    out.agreement = Agreement::different, out.layout.clear(), out.order.clear(), out.rounded.reset();
  else if (out.agreement == Agreement::same && !out.layout.empty())
    out.agreement = Agreement::layout;
}

/// Whether queries rotate otherwise when the sequence has grown, while cached keys do not.
void compare_lengths(const Entry& entry, const Request& q, double tolerance, Comparison& out) {
  const Pos trained = entry.scheme->train_length(), now = q.in_use();
  if (now <= trained) return;
  const Encoding before = entry.scheme->lower(trained), used = entry.scheme->lower(now);
  const auto *r = form<Rotary>(before), *s = form<Rotary>(used);
  if (!r || !s || r->frequency.size() != s->frequency.size()) return;
  double largest = 0;
  for (std::size_t j = 0; j < r->frequency.size(); ++j) {
    const math::Turn gap = math::times(trained, r->frequency[j].turn) - math::times(trained, s->frequency[j].turn);
    largest = std::max(largest, std::abs(math::signed_turns(gap)));
  }
  if (largest > tolerance) out.growth.push_back({entry.spec.label, trained, now, largest});
}

/// Positions that rotate plainly before others that do not: no score across the border is relative.
void note_early(const Encoding& e, const std::string& label, Comparison& out) {
  if (const auto* r = form<Rotary>(e); r && r->early_until > 0)
    out.notes.push_back(fmt::format(
        "{}: positions below {} rotate by frequencies of their own: scores across it are not relative", label, r->early_until));
}

/// A learned array that a side's file does not hold has a shape and no values.
void forget_values(Comparison& out) {
  std::erase_if(out.arrays, [&](const ArrayDifference& d) {
    const bool learned = d.variable == "table" || d.variable == "bias" || d.variable == "bias_future";
    if (learned && d.mismatch.empty())
      out.notes.push_back(fmt::format("{}: the values are in one of the two files alone: the shape was compared", d.variable));
    return learned && d.mismatch.empty();
  });
}

/// A table's file against a rotation: the table as its cosines and sines. False where the one is no table or the other no
/// rotation.
bool compare_cache(const Encoding& a, const Encoding& b, const Request& q, double tolerance, Comparison& out) {
  const auto *t = form<AbsoluteTable>(a), *u = form<AbsoluteTable>(b);
  const auto *r = form<Rotary>(a), *s = form<Rotary>(b);
  if (a.terms.size() != 1 || b.terms.size() != 1 || !((t && s) || (u && r))) return false;
  auto match = match_cache(t ? *t : *u, t ? b : a, t ? *s : *r, q, tolerance);
  if (!match) return false;
  out.columns = std::move(match->columns), out.arrays = std::move(match->arrays);
  out.last_position = q.start + match->rows - 1, out.table_ends = match->rows < q.length;
  if (std::any_of(out.arrays.begin(), out.arrays.end(), [](const ArrayDifference& d) { return d.apart(); }))
    out.agreement = Agreement::different;
  const Rotary& rotation = t ? *s : *r;
  if (match->channels.empty())
    out.notes.emplace_back("one column a pair: the table fixes no layout of channels");
  else if (match->channels != rotation.channel && out.agreement == Agreement::same) {
    const PairMatch pairs = t ? PairMatch{match->channels, rotation.channel} : PairMatch{rotation.channel, match->channels};
    out.agreement = Agreement::layout;
    out.layout = layout_words(pairs), out.order = channel_order(pairs, rotation.head_dim);
  }
  return true;
}

/// What a file of frequencies does not say is taken from the other side. Whether whole scores can be compared: false where the
/// other side has no place for these frequencies.
bool complete_vector(Encoding& x, Encoding& y, const Allowance& allowance, Comparison& out) {
  if (allowance.vector_first == allowance.vector_second) return true;
  Encoding& vector = allowance.vector_first ? x : y;
  const Encoding& other = allowance.vector_first ? y : x;
  auto completed = complete(vector, other);
  if (!completed) return !form<Rotary>(other);
  vector = std::move(completed->encoding);
  if (!completed->unsaid.empty())
    out.notes.push_back(fmt::format("{} states frequencies alone; taken from {}: {}",
                                    allowance.vector_first ? out.first : out.second,
                                    allowance.vector_first ? out.second : out.first, completed->unsaid));
  return true;
}

}  // namespace

Comparison compare(const Entry& a, const Entry& b, const Request& request, double tolerance, const Allowance& allowance) {
  Comparison out;
  out.first = a.spec.label, out.second = b.spec.label;
  out.first_position = request.start, out.last_position = request.start + request.length - 1, out.in_use = request.in_use();
  Encoding x = a.scheme->lower(request.in_use()), y = b.scheme->lower(request.in_use());
  if (allowance.cache && compare_cache(x, y, request, tolerance, out)) return out;
  const bool whole = complete_vector(x, y, allowance, out);
  if (whole) compare_facts(x, y, request, std::max(tolerance, allowance.stored), out);
  out.arrays = differences(x, y, request, tolerance);
  if (!whole) std::erase_if(out.arrays, [](const ArrayDifference& d) { return d.variable != "frequency"; });
  if (allowance.values_unknown) forget_values(out);
  judge(x, y, request, tolerance, allowance, out);
  out.stored = allowance.stored;
  look_beyond_rounding(x, y, request, tolerance, out);
  compare_lengths(a, request, tolerance, out);
  compare_lengths(b, request, tolerance, out);
  note_early(x, out.first, out), note_early(y, out.second, out);
  return out;
}

bool changes(const Entry& entry, const Request& request, Pos one, Pos other) {
  const Encoding x = entry.scheme->lower(one), y = entry.scheme->lower(other);
  if (x.logit_scale != y.logit_scale) return true;
  Request probe = request;
  probe.length = std::min<Pos>(256, std::max(one, other));
  for (const Pos start : {Pos{0}, std::max(one, other) - probe.length}) {
    probe.start = start;
    for (const ArrayDifference& d : differences(x, y, probe, 0))
      if (d.apart()) return true;
  }
  return false;
}

}  // namespace posenc::app
