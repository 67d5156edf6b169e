#include "analyses/decompose_plan.hpp"

#include <fmt/format.h>

namespace posenc::analyses {
namespace {

using namespace model;

constexpr Pos most_sequences = 64;  // each with weights of its own
constexpr Index longest_sequence = 512, longest_drawn_lag = 256;
constexpr Pos most_pairs = Pos{1} << 21;  // of queries and keys over all heads: a fraction of a second

std::string why_drawn(const Encoding& e, const Traits& t, const GivenContent& given) {
  if (given.any()) return "content is given";
  if (t.kind == Kind::contextual) return "the score depends on content: " + t.contextual_needs;
  if (e.cosine) return "queries and keys enter as unit vectors";
  const auto forms = std::count_if(e.terms.begin(), e.terms.end(), [](const Term& x) { return !std::holds_alternative<Bias>(x); });
  return forms > 1 ? "positions enter in several forms" : "";
}

std::vector<Pos> evenly(Pos first, Pos end, Pos count) {
  std::vector<Pos> out;
  for (Pos i = 0; i < count; ++i) out.push_back(end - 1 - i * (end - first) / count);
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace

std::vector<std::string> DecomposePlan::term_names() const {
  std::vector<std::string> out;
  for (const std::size_t t : terms) out.emplace_back(Terms::names[t]);
  return out;
}

DecomposePlan decompose_plan(const Subject& s, const GivenContent& given, const DecomposeOptions& options) {
  DecomposePlan p{s.in_use(), {}, given, {s.request.start, s.request.length}, {0, 1, 2, 3}, s.request.sample_seed, {}, {}, 0, 0, 0, {}};
  const Encoding& e = p.encoding;
  p.traits = traits(e);
  if (form<Rotary>(e)) p.terms.push_back(4);
  if (p.traits.kind == Kind::contextual) p.terms.push_back(5);
  if (e.linear) {
    p.no_terms = "linear attention has no logits that terms could add up to";
    return p;
  }
  if (const auto* a = form<AbsoluteTable>(e))
    if (const auto* added = std::get_if<Added>(&a->entry); added && added->embedding_scale == 0) {
      p.no_terms = "the table is the embedding itself: there is no content that it is added to";
      return p;
    }
  p.no_closed_form = why_drawn(e, p.traits, given);
  const HeadContent content(e, given, p.sample_seed);
  if (const auto count = content.positions()) p.positions = {s.request.start, std::min(p.positions.count, *count)};
  if (p.traits.kind == Kind::contextual) p.positions.count = std::min<Pos>(p.positions.count, longest_sequence);
  if (p.traits.kind != Kind::contextual) p.no_terms = no_lag_statistics(e, p.positions);
  p.lags = p.positions.count;
  if (!p.no_closed_form.empty()) {
    p.sequence_length = static_cast<Index>(given.inputs.size() ? p.positions.count : std::min<Pos>(p.lags, longest_sequence));
    if (!given.inputs.size()) p.lags = std::min<Pos>(p.lags, longest_drawn_lag);
    const Pos wanted = (options.samples + p.sequence_length - 1) / p.sequence_length;
    p.sequences = given.inputs.size() ? 1 : std::min(wanted, most_sequences);
  }
  const Pos half = p.positions.count / 2, rows = p.positions.count - half;
  const Pos affordable = std::max<Pos>(1, most_pairs / (p.positions.count * p.heads()));
  p.query_rows = evenly(half, p.positions.count, std::min<Pos>(rows, options.rows ? *options.rows : affordable));
  for (Pos& m : p.query_rows) m += p.positions.first;
  return p;
}

Schema decompose_schema(const DecomposePlan& p) {
  Schema out;
  constexpr std::array names{"share", "mean", "share_total", "position_share", "drop_effect_mean", "drop_effect_max"};
  if (!p.no_terms.empty()) {
    for (const char* name : names) out.skip(name, p.no_terms);
    return out;
  }
  const auto heads = static_cast<std::uint64_t>(p.heads());
  std::vector<std::string> by_term, by_lag;
  if (p.traits.has_heads) {
    out.axis({"head", heads}, Type::i64, "1", "head");
    by_term.push_back("head");
  }
  out.axis({"term", p.terms.size()}, Type::text, "1",
           "term of the score: content-content, content-position, position-content, position-position; rotation = q.(R - I)k; "
           "context = what a score made from content has beyond q.k");
  by_term.push_back("term");
  by_lag = by_term;
  by_lag.push_back("lag");
  out.axis({"lag", static_cast<std::uint64_t>(p.lags)}, Type::i64, "position", "query position minus key position");
  const std::string how = p.no_closed_form.empty()
                              ? "closed form over Gaussian inputs and weights"
                              : fmt::format("from {} sequences of {} positions, since {}", p.sequences, p.sequence_length, p.no_closed_form);
  const std::vector<Attribute> method{{"method", how}};
  out.add({"share", Type::f64, by_lag, "1", "mean square of the term divided by the sum over terms", method});
  out.add({"mean", Type::f64, by_lag, "1", "mean of the term in logits", method});
  out.add({"share_total", Type::f64, by_term, "1", "the same of mean squares summed over the lags", method});
  out.add({"position_share", Type::f64, {by_term.begin(), by_term.end() - 1}, "1", "1 minus share_total of cc", method});
  std::vector<double> rows(p.query_rows.begin(), p.query_rows.end());
  const std::string which = fmt::format("{} of the last {} queries", rows.size(), p.positions.count - p.positions.count / 2);
  for (const char* name : {"drop_effect_mean", "drop_effect_max"})
    out.add({name, Type::f64, by_term, "1",
             name[12] == 'm' && name[13] == 'e'
                 ? "mean over query rows of the total variation between the attention with and without the term, one draw"
                 : "largest total variation between the attention with and without the term, same rows and draw",
             {{"query_rows", which}}});
  return out;
}

}  // namespace posenc::analyses
