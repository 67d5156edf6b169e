#include "analyses/decay_plan.hpp"

#include "math/parallel.hpp"
#include "math/quantile.hpp"
#include "model/views/lag_draws.hpp"

#include <cmath>

namespace posenc::analyses {
namespace {

using namespace model;

void write_moments(const DecayHead& h) {
  const DecayPlan& p = h.plan;
  std::vector<double> mean, deviation;
  for (std::size_t r = 0; r < p.rho.size(); ++r)
    h.blocks([&](Pos first, Pos count) {
      LogitMoments moments(static_cast<std::size_t>(count));
      h.statistics.moments(first, moments);
      mean.resize(static_cast<std::size_t>(count)), deviation.resize(mean.size());
      for (std::size_t i = 0; i < mean.size(); ++i) {
        mean[i] = moments.mean(i, p.rho[r]);
        deviation[i] = moments.deviation(i, p.rho[r]);
      }
      h.curve("logit_mean", first, mean, r, p.rho.size());
      h.curve("logit_std", first, deviation, r, p.rho.size());
    });
}

/// Quantiles of every lag at one rho: out[lag][quantile].
void quantiles(const LogitParts& parts, double rho, std::vector<double>& out) {
  const Matrix logit = rho * parts.x + std::sqrt(1 - rho * rho) * parts.y + parts.z;
  out.resize(static_cast<std::size_t>(logit.rows()) * DecayPlan::quantile.size());
  math::quantiles(logit.data(), logit.rows(), logit.cols(), DecayPlan::quantile, out.data());
}

void write_quantiles(const DecayHead& h) {
  const DecayPlan& p = h.plan;
  const auto draws =
      logit_draws(p.encoding, h.head, p.positions, static_cast<Index>(p.samples), static_cast<std::uint64_t>(p.sample_seed));
  const std::size_t lags = p.sample_lags.size(), Q = p.quantile.size();
  std::vector<double> all(p.rho.size() * Q * lags), some;
  const auto keep = [&](std::size_t r, std::size_t lag, std::size_t from, double shift) {
    for (std::size_t q = 0; q < Q; ++q) all[(r * Q + q) * lags + lag] = some[from * Q + q] + shift;
  };
  if (draws->shifts_only()) {
    std::vector<double> bias(lags);
    for (std::size_t i = 0; i < lags; ++i) h.statistics.score(p.sample_lags[i], {&bias[i], 1});
    LogitParts parts = draws->parts(std::span(p.sample_lags).first(1));
    parts.z.setZero();
    for (std::size_t r = 0; r < p.rho.size(); ++r) {
      quantiles(parts, p.rho[r], some);
      for (std::size_t i = 0; i < lags; ++i) keep(r, i, 0, bias[i]);
    }
  } else {
    constexpr std::size_t block = 64;  // lags whose draws are held at a time
    for (std::size_t first = 0; first < lags; first += block) {
      const LogitParts parts = draws->parts(std::span(p.sample_lags).subspan(first, std::min(block, lags - first)));
      for (std::size_t r = 0; r < p.rho.size(); ++r) {
        quantiles(parts, p.rho[r], some);
        for (std::size_t i = 0; i < static_cast<std::size_t>(parts.x.rows()); ++i) keep(r, first + i, i, 0);
      }
    }
  }
  h.row("logit_quantile", all);
}

}  // namespace

void write_decay_logits(const DecayHead& h) {
  if (!h.plan.no_logits.empty()) return;
  write_moments(h);
  write_quantiles(h);
}

}  // namespace posenc::analyses
