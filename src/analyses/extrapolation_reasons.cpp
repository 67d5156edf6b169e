#include "analyses/extrapolation_reasons.hpp"

#include "analyses/attention_rows.hpp"
#include "analyses/extrapolation_fit.hpp"
#include "model/views/lag_statistics.hpp"

#include <algorithm>

namespace posenc::analyses {
namespace {

std::string fit_reason(const ExtrapolationSetting& s) {
  if (std::string why = no_features(s.trained); !why.empty()) return why;
  for (const Encoding& used : s.used) {
    if (std::string why = no_features(used); !why.empty()) return "as used: " + why;
    if (!same_space(features(s.trained, 0), features(used, 0))) return "trained and used features are of different spaces";
  }
  return {};
}

bool is_class(const Encoding& e) { return std::holds_alternative<ClassFeatures>(features(e, 0).form); }

std::string attention_reason(const ExtrapolationSetting& s) {
  if (s.traits.kind == Kind::relative && !form<RelativeVectors>(s.trained)->v)
    return "the relative vectors have no term without content";
  if (s.traits.kind == Kind::table && is_class(s.trained))
    if (std::string why = untrained_rows(s); !why.empty()) return why;
  if (s.traits.kind == Kind::untied) return "rows beyond the training length were never trained";
  if (s.trained.linear) return "linear attention has no softmax";
  if (std::string why = no_lag_statistics(s.trained, {0, s.length}); !why.empty()) return why;
  for (std::size_t f = 0; f < s.used.size(); ++f)
    if (std::string why = no_lag_statistics(s.used[f], {0, s.sequence[f]}); !why.empty()) return why;
  return {};
}

}  // namespace

ExtrapolationReasons::ExtrapolationReasons(const ExtrapolationSetting& s) : fit(fit_reason(s)), attention(attention_reason(s)) {
  const Kind kind = s.traits.kind;
  bool reaches = false;
  for (std::size_t f = 0; f < s.used.size(); ++f) reaches = reaches || s.reaches_beyond(f);
  const std::string masked = reaches ? "" : "every key beyond the training length is masked";
  beyond = !fit.empty() ? fit : masked;

  const bool spectral =
      fit.empty() && feature_spectrum(s.trained, 0) &&
      std::all_of(s.used.begin(), s.used.end(), [](const Encoding& e) { return feature_spectrum(e, 0).has_value(); });
  const bool classes = fit.empty() && is_class(s.trained), none = kind == Kind::none, bias = kind == Kind::bias;
  if (!fit.empty() && !bias)
    phases = unseen_fraction = resolution = distinct = fit;
  else if (!spectral)
    phases = "the features are not cosines and sines of the lag";
  if (phases.empty()) phases = masked;

  if (unseen_fraction.empty()) {
    if (spectral)
      unseen_fraction = "phases are met pair by pair: unseen_phase";
    else if (none)
      unseen_fraction = "no position enters the score";
    else if (bias && !classes)
      unseen_fraction = attention;
    else if (!classes)
      unseen_fraction = "the features are neither classes nor a bias";
    else
      unseen_fraction = masked;
  }
  if (resolution.empty() && !spectral && !none && kind != Kind::table)
    resolution = "distance(1) is defined for rotary encodings and tables";
  if (const auto* r = form<Rotary>(s.trained); distinct.empty() && r && r->hyperbolic)
    distinct = "every lag has hyperbolic angles of its own";
  if (distinct.empty() && !spectral && !none && !classes && !bias)
    distinct = "codes are not numbered: the score depends on both positions";
  if (kind != Kind::table && kind != Kind::untied) tables = "the encoding has no table of positions";
}

}  // namespace posenc::analyses
