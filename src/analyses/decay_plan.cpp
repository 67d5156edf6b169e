#include "analyses/decay_plan.hpp"

#include "model/views/spectrum.hpp"

#include <cmath>

namespace posenc::analyses {
namespace {

using namespace model;

std::string no_bound(const DecayPlan& p) {
  if (p.traits.kind != Kind::rotary) return "the bound is of rotary scores";
  if (p.traits.damped) return "damped pairs change their size with the lag, which the summation by parts leaves out";
  if (p.encoding.point) return "positions in a grid have no lag";
  if (!spectrum(p.encoding, 0)) return "the rotation is not one angle a pair and lag";
  return {};
}

std::string no_receptive_field(const DecayPlan& p) {
  if (p.traits.kind != Kind::bias) return "defined for biases alone";
  if (!p.traits.by_lag) return "the bias depends on the query position: there is no series over lags";
  return {};
}

void curves(Schema& out, const DecayPlan& p) {
  const bool logits = p.traits.kind == Kind::bias || p.traits.kind == Kind::untied || p.traits.kind == Kind::relative;
  const std::string unit = logits ? "logit" : "1";
  const auto dims = [&](std::vector<std::string> rest) {
    if (p.traits.has_heads) rest.insert(rest.begin(), "head");
    return rest;
  };
  const auto add = [&](const std::string& reason, const char* name, std::vector<std::string> rest, const std::string& of,
                       const char* about, std::vector<Attribute> attributes = {}) {
    if (!p.no_score.empty() || !reason.empty())
      out.skip(name, p.no_score.empty() ? reason : p.no_score);
    else
      out.add({name, Type::f64, dims(std::move(rest)), of, about, std::move(attributes)});
  };
  add("", "score", {"lag"}, unit, "position score: rotary kernel, normalised products of table rows, bias");
  add(p.no_spread, "score_spread", {"lag"}, unit,
      p.traits.kind == Kind::relative ? "standard deviation over content of the terms in which relative vectors meet it"
                                      : "standard deviation of the score over query positions");
  add(p.no_future, "score_future", {"lag"}, unit, "score of the key that many positions after the query");
  add(p.no_spread_future, "score_spread_future", {"lag"}, unit, "score_spread of the key that many positions after the query");
  const std::string bounds =
      "|sum_j h_j e^(i s t_j)| / max_j |h_(j+1) - h_j| up to the factor P, the number of pairs; h_j the product of query and key "
      "in pair j; not a bound of score";
  add(p.no_bound, "upper_bound", {"lag"}, "1", "mean modulus of the partial sums of e^(i s t_j), pairs by decreasing frequency",
      {{"bounds", bounds}, {"source", std::string("RoFormer (arXiv 2104.09864) sec. 3.4.3")}});
  add(p.no_bound, "upper_bound_pi", {"lag"}, "1", "the sum of the moduli over the head's width, half of upper_bound",
      {{"bounds", bounds}, {"source", std::string("position interpolation (arXiv 2306.15595) eq. 8, B(s)/d")}});
  const std::string content =
      p.traits.kind == Kind::table
          ? "x_m ~ N(0, I), x_n = rho x_m + sqrt(1 - rho^2) e, q = x_m + p_m, k = x_n + p_n, scale 1/sqrt D"
          : "q ~ N(0, I), k = rho q + sqrt(1 - rho^2) e, e ~ N(0, I)";
  add(p.no_logits, "logit_mean", {"rho", "lag"}, "logit", "mean logit under Gaussian content, closed form",
      {{"content", content}});
  add(p.no_logits, "logit_std", {"rho", "lag"}, "logit", "standard deviation of the logit under Gaussian content, closed form",
      {{"content", content}});
  add(p.no_logits, "logit_quantile", {"rho", "quantile", "sample_lag"}, "logit",
      "quantile of the sampled logits: the order statistic of rank ceil(quantile samples)",
      {{"content", content}, {"samples", std::int64_t{p.samples}}, {"sample_seed", p.sample_seed}});
  add(p.no_attention, "attention", {"lag"}, "1", "softmax over the lags of the logit where every key matches the query alike");
  add(p.no_attention, "window", {"mass"}, "position", "smallest number of nearest keys that hold the mass");
  add(p.no_attention, "entropy", {}, "nat", "entropy of attention");
  add("", "first_increase", {}, "position", "first lag whose score exceeds that of the lag before; NaN if none");
  add("", "first_negative", {}, "position", "first lag with a negative score; NaN if none");
  add("", "log_slope", {}, unit, "least-squares slope of score on the logarithm of the lag, lags from 1; NaN below two of them");
  add("", "total_variation", {}, unit, "sum of |score(s) - score(s-1)|");
  add("", "upward_variation", {}, unit, "sum of the increases of score");
  const std::string inversions = "Du 2026 (arXiv 2605.15514)";
  add(p.no_inversion, "inversion_probability", {}, "1",
      "share of the pairs of a lag in the nearer and one in the farther half of the length whose farther score is larger; NaN "
      "for one lag",
      {{"source", inversions}});
  add(p.no_drawn, "inversion_probability_drawn", {}, "1",
      "the same share among `samples` drawn pairs of lags and contents: pair j of query and key has the product h_j with a "
      "half-normal size and a phase of von Mises's law, concentration 1",
      {{"source", inversions}, {"samples", std::int64_t{p.samples}}, {"sample_seed", p.sample_seed}});
  const std::string judged = "the largest bias of each octave falls faster than -ln s between lags 2^30 and 2^51";
  add(p.no_receptive_field, "trf", {"eps"}, "position",
      "fewest nearest lags whose e^bias sum to 1 - eps of bias_sum; NaN if it diverges",
      {{"source", std::string("Qin 2024, exploring transformer extrapolation (arXiv 2307.10156)")}});
  add(p.no_receptive_field, "bias_sum", {}, "1", "sum over all lags from 0 on, without end, of e^bias; infinite if it diverges",
      {{"converges_if", judged}});
  add(p.no_receptive_field, "converges", {}, "1", "1 if the sum of e^bias over all lags converges, else 0",
      {{"converges_if", judged}});
}

}  // namespace

std::vector<Pos> sample_lags(Pos length) {
  std::vector<Pos> out;
  for (Pos s = 0; s < std::min<Pos>(length, 256); ++s) out.push_back(s);
  for (int j = 0;; ++j) {
    const auto s = static_cast<Pos>(std::llround(std::exp2(8 + j / 32.0)));
    if (s >= length) return out;
    out.push_back(s);
  }
}

DecayPlan decay_plan(const Subject& s, Pos samples) {
  DecayPlan p;
  p.encoding = s.in_use();
  p.traits = traits(p.encoding);
  p.positions = {s.request.start, s.request.length};
  p.samples = samples;
  p.sample_seed = s.request.sample_seed;
  p.sample_lags = sample_lags(s.request.length);
  const Kind kind = p.traits.kind;
  const bool two_sided = kind == Kind::bias || kind == Kind::untied || kind == Kind::relative;
  p.no_score = no_lag_statistics(p.encoding, p.positions);
  if (kind == Kind::rotary || kind == Kind::bias || kind == Kind::none) p.no_spread = "the score is one number a lag";
  if (!two_sided) p.no_future = "the score does not tell keys before the query from keys after it";
  if (p.encoding.causal) p.no_future = "keys after the query are masked";
  p.no_spread_future = p.no_future.empty() ? p.no_spread : p.no_future;
  p.no_bound = no_bound(p);
  if (p.encoding.linear) p.no_logits = "linear attention has no logits: its weights are ratios of feature maps";
  if (p.encoding.linear)
    p.no_attention = "linear attention has no softmax";
  else if (!has_content_free_score(p.encoding))
    p.no_attention = "the relative vectors have no term without content";
  p.no_receptive_field = no_receptive_field(p);
  if (p.encoding.cosine)
    p.no_logits = "queries and keys enter as unit vectors: logits of Gaussian content have no closed moments";
  if (p.positions.count > DecayPlan::most_sorted) p.no_inversion = "sorts the scores of all lags: up to 2^26 of them";
  if (kind != Kind::rotary)
    p.no_drawn = "drawn products are of rotated pairs";
  else if (p.encoding.point || p.encoding.pair_map || !spectrum(p.encoding, 0))
    p.no_drawn = "the rotation is not one angle a pair and lag";
  return p;
}

Schema decay_schema(const DecayPlan& p) {
  Schema out;
  const auto size = [](const auto& list) { return static_cast<std::uint64_t>(list.size()); };
  if (p.no_score.empty()) {
    out.axis({"lag", p.lags()}, Type::i64, "position", "query position minus key position");
    if (p.traits.has_heads) out.axis({"head", static_cast<std::uint64_t>(p.heads())}, Type::i64, "1", "attention head");
    if (p.no_logits.empty()) {
      out.axis({"rho", size(p.rho)}, Type::f64, "1", "correlation of key and query content");
      out.axis({"quantile", size(p.quantile)}, Type::f64, "1", "share of the samples at or below");
      out.axis({"sample_lag", size(p.sample_lags)}, Type::i64, "position", "lag at which logits are sampled");
    }
    if (p.no_attention.empty()) out.axis({"mass", size(p.mass)}, Type::f64, "1", "share of the attention");
    if (p.no_receptive_field.empty()) out.axis({"eps", size(p.eps)}, Type::f64, "1", "share of the sum left out");
    if (!p.traits.by_lag) out.attributes.push_back({"query_position", std::int64_t{p.positions.last()}});
  }
  curves(out, p);
  return out;
}

}  // namespace posenc::analyses
