#include "analyses/extrapolation_fit.hpp"
#include "analyses/extrapolation_measures.hpp"
#include "analyses/extrapolation_tables.hpp"

#include <numeric>

namespace posenc::analyses {
namespace {

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
    return {{"noise-variance", "1", "variance s2 of the observations against unit prior variance", &noise_variance_, above(0)}};
  }

  Schema schema(const Subject& subject) const override;
  void run(const Subject& subject, Sink& sink) const override;

 private:
  double noise_variance_ = 0.01;
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
  promise(why.unseen_fraction, "unseen_fraction",
          s.traits.kind == Kind::bias && why.phases != why.unseen_fraction
              ? "classes: share of lags beyond the training length whose class was never met; else attention on biases outside "
                "the interval seen"
              : "share of lags beyond the training length whose class or row was never met");
  promise(why.attention, "leak", "attention of the aligned model on lags beyond the training length");
  promise(why.attention, "entropy_drift",
          "change of the attention's entropy over the logarithm of the factor: 1 is uniform dilution");
  promise(why.attention, "window_ratio", "window holding 0.99 of the attention, over that at the training length");
  promise(why.attention, "total_variation_distance", "between the attention at the training length and as used");
  promise(why.resolution, "resolution", "distance(1) as used, between neighbouring positions");
  promise.shared(why.distinct, "distinct_fraction",
                 "different codes over the length in use, all heads together, over that length");
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
  } else {
    out.skip("reconstruction_error", why.tables);
    out.skip("reconstruction_error_tail", why.tables);
  }
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
  if (why.tables.empty()) measure_tables(s, noise_variance_, sink);
}

}  // namespace

std::unique_ptr<Analysis> make_extrapolation() { return std::make_unique<Extrapolation>(); }

}  // namespace posenc::analyses
