#include "analyses/extrapolation_curves.hpp"

#include "analyses/extrapolation_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posenc::analyses {
namespace {

constexpr Pos chunk = Pos{1} << 16;         // lags computed and written at a time
constexpr Pos longest_kept = Pos{1} << 22;  // lags that a curve keeps for lengths and heads with the same features

/// Values at lags L, L + 1, ... of one set of features; kept as far as memory allows and computed beyond.
class Curve {
 public:
  Curve(const ExtrapolationSetting& setting, const ScoreFit& fit, const Encoding& e, const Features& phi, Pos sequence)
      : fit_(fit), encoding_(e), phi_(phi), first_(setting.length), query_(sequence - 1) {}

  void values(Pos lag, Pos count, std::vector<double>& undetermined, std::vector<double>& gain) {
    const auto at = static_cast<std::size_t>(lag - first_), size = static_cast<std::size_t>(count);
    undetermined.resize(size), gain.resize(size);
    const std::size_t kept = at < u_.size() ? std::min(size, u_.size() - at) : 0;
    std::copy_n(u_.begin() + static_cast<std::ptrdiff_t>(std::min(at, u_.size())), kept, undetermined.begin());
    std::copy_n(g_.begin() + static_cast<std::ptrdiff_t>(std::min(at, g_.size())), kept, gain.begin());
    if (kept == size) return;
    const auto missing = static_cast<Pos>(size - kept), start = lag + static_cast<Pos>(kept);
    fit_.evaluate(encoding_, phi_, {std::max(query_, start + missing - 1), start, missing}, undetermined.data() + kept,
                  gain.data() + kept);
    if (at + kept != u_.size() || lag - first_ + count > longest_kept) return;
    u_.insert(u_.end(), undetermined.begin() + static_cast<std::ptrdiff_t>(kept), undetermined.end());
    g_.insert(g_.end(), gain.begin() + static_cast<std::ptrdiff_t>(kept), gain.end());
  }

 private:
  const ScoreFit& fit_;
  const Encoding& encoding_;
  Features phi_;
  Pos first_, query_;
  std::vector<double> u_, g_;
};

struct Summary {
  double sum = 0, most = 0, gain_squares = 0, gain_most = 0;
  Pos count = 0;
  void add(double u, double g) {
    if (std::isnan(u)) return;
    sum += u, most = std::max(most, u), gain_squares += g * g, gain_most = std::max(gain_most, g), ++count;
  }
};

}  // namespace

void measure_curves(const ExtrapolationSetting& setting, double noise_variance, Sink& sink, ByHeadAndFactor& results) {
  const Pos L = setting.length, longest = setting.longest();
  std::unique_ptr<ScoreFit> fit;
  std::map<std::vector<std::uint64_t>, Curve> curves;
  std::vector<double> undetermined, gain;
  const std::vector<double> padding(static_cast<std::size_t>(std::min(chunk, longest)), std::numeric_limits<double>::quiet_NaN());
  std::uint64_t element = 0;
  const auto write = [&](std::span<const double> values) {
    sink.write_elements("undetermined_variance", element, values);
    element += values.size();
  };
  for (Index head = 0; head < setting.heads; ++head) {
    const Features trained = features(setting.trained, head);
    if (!fit || !trained.shared_by_heads) {
      curves.clear();
      fit = std::make_unique<ScoreFit>(setting, trained, noise_variance);
    }
    for (std::size_t f = 0; f < setting.factor.size(); ++f) {
      const Features used = features(setting.used[f], head);
      // Features that depend on the query, masks and those without a key are their own curve at each length.
      const bool alone = used.key.empty() || used.by_query || setting.used[f].visible;
      const auto key = alone ? std::vector<std::uint64_t>{~std::uint64_t{0}, f} : used.key;
      Curve& curve = curves.try_emplace(key, setting, *fit, setting.used[f], used, setting.sequence[f]).first->second;
      write(fit->within());
      Summary s;
      for (Pos lag = L; lag < setting.sequence[f]; lag += chunk) {
        curve.values(lag, std::min(chunk, setting.sequence[f] - lag), undetermined, gain);
        for (std::size_t i = 0; i < undetermined.size(); ++i) s.add(undetermined[i], gain[i]);
        write(undetermined);
      }
      for (Pos lag = setting.sequence[f]; lag < longest; lag += chunk)
        write({padding.data(), static_cast<std::size_t>(std::min(chunk, longest - lag))});
      const double count = static_cast<double>(s.count), none = std::numeric_limits<double>::quiet_NaN();
      results["undetermined_variance_mean"].push_back(s.sum / count);
      results["undetermined_variance_max"].push_back(s.count > 0 ? s.most : none);
      results["undetermined_variance_in"].push_back(fit->mean_within());
      results["fit_blowup_max"].push_back(s.count > 0 ? s.gain_most / fit->gain_rms_within() : none);
      results["fit_blowup_rms"].push_back(std::sqrt(s.gain_squares / count) / fit->gain_rms_within());
    }
  }
}

}  // namespace posenc::analyses
