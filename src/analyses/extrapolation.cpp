#include "analyses/attention_error.hpp"
#include "analyses/attention_targets.hpp"
#include "analyses/extrapolation_fit.hpp"
#include "analyses/extrapolation_measures.hpp"
#include "analyses/extrapolation_noise_fit.hpp"
#include "analyses/extrapolation_tables.hpp"

#include <fmt/format.h>
#include <array>
#include <numeric>

namespace posenc::analyses {
namespace {

enum class Wanted : int { automatic, yes, no };
constexpr std::array<std::string_view, 3> wanted_words{"auto", "yes", "no"};
/// Operations that `auto` spends on the attention error of one encoding: about a second of one core.
constexpr double cheap = 2e10;

class Extrapolation : public Analysis {
 public:
  AnalysisInfo info() const override {
    return {
        "extrapolation", "what the training length leaves undetermined beyond it",
        "Geometry, not model quality: the share of the score's prior variance that training on [0, L) leaves undetermined at "
        "each lag (ridge or Gaussian-process posterior of the encoding's own features; the regularised form of Chen 2023, "
        "arXiv 2306.15595, Fig. 2), the noise gain of that fit, phases and classes never met (Liu 2023, arXiv 2310.05209), the "
        "change of the aligned model's attention, resolution as a guard (an encoding can look perfect by forgetting "
        "position), and how policies extend a table. Trained encodings hold for lags below L, used ones beyond."};
  }
  Fields fields() override {
    Fields out{
        {"noise-variance", "1", "variance s2 of the observations against unit prior variance", &noise_variance_, above(0)},
        {"attention-error", "1", "window_error and retrieval_error: computed where that takes about a second, always, or never",
         choice(attention_error_, wanted_words)}};
    for (Field& f : noise_fit_fields(noise_fit_)) out.push_back(std::move(f));
    return out;
  }

  Schema schema(const Subject& subject) const override;
  void run(const Subject& subject, Sink& sink) const override;

 private:
  std::string no_attention_error(const ExtrapolationSetting& s) const {
    if (attention_error_ == Wanted::no) return "attention-error = no";
    const AttentionErrorPlan plan = plan_attention_error(s);
    if (!plan.reason.empty() || attention_error_ == Wanted::yes || plan.operations <= cheap) return plan.reason;
    return fmt::format("takes about {:.0e} operations: ask with attention-error = yes", plan.operations);
  }

  double noise_variance_ = 0.01;
  Wanted attention_error_ = Wanted::automatic;
  NoiseFitOptions noise_fit_;
};

void write_coordinates(const ExtrapolationSetting& s, const Schema& schema, Sink& sink) {
  sink.write("factor", 0, s.factor);
  for (const char* name : {"head", "lag"}) {
    const Dimension* d = schema.dimension(name);
    constexpr std::uint64_t step = 1 << 16;
    for (std::uint64_t first = 0; d && first < d->size; first += step) {
      std::vector<double> values(std::min(step, d->size - first));
      std::iota(values.begin(), values.end(), static_cast<double>(first));
      sink.write(name, first, values);
    }
  }
}

/// Adds a scalar measure, or the reason for its absence.
class Promise {
 public:
  Promise(Schema& schema, const ExtrapolationSetting& s) : schema_(schema) {
    if (s.traits.has_heads) {
      schema.axis({"head", static_cast<std::uint64_t>(s.heads)}, Type::i64, "1", "attention head");
      by_head.push_back("head");
    }
    schema.axis({"factor", s.factor.size()}, Type::f64, "1", "length in use over the training length");
    by_head.push_back("factor");
  }
  void operator()(const std::string& why, const char* name, const char* about) { add(why, name, about, by_head); }
  void shared(const std::string& why, const char* name, const char* about) { add(why, name, about, {"factor"}); }
  std::vector<std::string> by_head;

 private:
  void add(const std::string& why, const char* name, const char* about, const std::vector<std::string>& dims) {
    if (why.empty())
      schema_.add({name, Type::f64, dims, "1", about, {}});
    else
      schema_.skip(name, why);
  }
  Schema& schema_;
};

Schema Extrapolation::schema(const Subject& subject) const {
  const ExtrapolationSetting s(subject);
  const ExtrapolationReasons why(s);
  Schema out;
  out.attributes = {{"train_length", static_cast<std::int64_t>(s.length)}, {"noise_variance", noise_variance_}};
  Promise promise(out, s);
  if (why.fit.empty()) {
    out.axis({"lag", static_cast<std::uint64_t>(s.longest())}, Type::i64, "position",
             s.traits.kind == Kind::table ? "position of the key, the query fixed" : "query position minus key position");
    std::vector<std::string> dims = promise.by_head;
    dims.push_back("lag");
    out.add({"undetermined_variance",
             Type::f64,
             dims,
             "1",
             "share of the score's prior variance that training leaves: as trained below the training length, as used from there "
             "on; NaN beyond the factor's length and where the key is masked",
             {}});
  } else {
    out.skip("undetermined_variance", why.fit);
  }
  promise(why.beyond, "undetermined_variance_mean", "mean of undetermined_variance beyond the training length");
  promise(why.beyond, "undetermined_variance_max", "largest undetermined_variance beyond the training length");
  promise(why.fit, "undetermined_variance_in", "mean of undetermined_variance over the training pairs, as trained");
  promise(why.beyond, "fit_blowup_max",
          "largest deviation of the fit to unit white noise beyond the training length, over its rms within");
  promise(why.beyond, "fit_blowup_rms",
          "rms deviation of the fit to unit white noise beyond the training length, over its rms within");
  promise(why.phases, "unseen_pairs", "share of pairs that reach a phase beyond those of training");
  promise(why.phases, "unseen_phase", "share of pairs and lags beyond the training length at a phase beyond those of training");
  promise(
      why.unseen_fraction, "unseen_fraction",
      "classes and learned tables: share of lags beyond the training length whose class or row was never met; biases: attention "
      "on values outside the interval seen");
  promise(why.attention, "leak", "attention of the aligned model on lags beyond the training length");
  promise(why.attention, "entropy_drift",
          "change of the attention's entropy over the logarithm of the factor: 1 is uniform dilution");
  promise(why.attention, "window_ratio", "window holding 0.99 of the attention, over that at the training length");
  promise(why.attention, "total_variation_distance", "between the attention at the training length and as used");
  promise(why.resolution, "resolution", "distance(1) as used, between neighbouring positions");
  promise.shared(why.distinct, "distinct_fraction",
                 "different codes over the length in use, all heads together, over that length");
  const std::string no_error = why.fit.empty() ? no_attention_error(s) : why.fit;
  promise.shared(
      no_error, "window_error",
      "model of heads: mean total variation between wanted and given attention over windows 1, 2, 4, ... <= L at the last "
      "quarter of the length in use, for heads fitted within the training length; minus window_error_in");
  promise.shared(
      no_error, "retrieval_error",
      "model of heads: attention that a matching key at any lag loses to the others at the last quarter of the length in "
      "use, minus that at the training length");
  if (no_error.empty()) {
    const std::vector<Attribute> model{
        {"observations", 1 / noise_variance_}, {"prior_variance", 1.0}, {"test_queries", std::int64_t{16}}};
    out.vars[out.vars.size() - 2].attributes = model;
    out.vars[out.vars.size() - 2].attributes.push_back({"windows", window_widths(s.length)});
    out.vars.back().attributes = model;
    out.add({"window_error_in", Type::f64, {}, "1", "the same distance at the training length, as trained", {}});
  } else {
    out.skip("window_error_in", no_error);
  }
  if (why.tables.empty()) {
    out.axis({"policy", table_policies.size()}, Type::text, "1", "how a table is extended");
    out.add({"reconstruction_error",
             Type::f64,
             {"policy"},
             "1",
             "relative error of the odd rows predicted from the even ones; NaN where the policy says nothing about them",
             {}});
    out.add({"reconstruction_error_tail",
             Type::f64,
             {"policy"},
             "1",
             "relative error of the last tenth of the rows predicted from the rest",
             {}});
    out.add(
        {"reconstruction_error_white",
         Type::f64,
         {"policy"},
         "1",
         "reconstruction_error expected of independent rows, sqrt(1 + sum of squared weights): an error below it is evidence of "
         "smoothness; NaN where the policy is no weighted mean",
         {}});
  } else {
    out.skip("reconstruction_error", why.tables);
    out.skip("reconstruction_error_white", why.tables);
    out.skip("reconstruction_error_tail", why.tables);
  }
  declare_noise_fit(s, noise_fit_, out);
  return out;
}

void Extrapolation::run(const Subject& subject, Sink& sink) const {
  const ExtrapolationSetting s(subject);
  const ExtrapolationReasons why(s);
  const Schema promised = schema(subject);
  write_coordinates(s, promised, sink);
  ByHeadAndFactor results;
  if (why.fit.empty()) measure_curves(s, noise_variance_, sink, results);
  const bool classes = why.fit.empty() && std::holds_alternative<ClassFeatures>(features(s.trained, 0).form);
  measure_codes(s, why, classes, results);
  if (why.attention.empty()) measure_attention(s, s.traits.kind == Kind::bias && !classes, results);
  for (const auto& [name, values] : results)
    if (promised.variable(name)) sink.write(name, 0, values);
  if (promised.variable("window_error")) {
    const AttentionErrors errors = attention_errors(s, 1 / noise_variance_);
    sink.write("window_error", 0, errors.window);
    sink.write("retrieval_error", 0, errors.retrieval);
    sink.scalar("window_error_in", errors.window_in);
    for (const char* name : {"window_error", "window_error_in"})
      sink.attribute(name, {"training_queries", std::int64_t{errors.training_queries}});
  }
  if (why.tables.empty()) measure_tables(s, noise_variance_, sink);
  write_noise_fit(s, noise_fit_, subject.request.sample_seed, sink);
}

}  // namespace

std::unique_ptr<Analysis> make_extrapolation() { return std::make_unique<Extrapolation>(); }

}  // namespace posenc::analyses
