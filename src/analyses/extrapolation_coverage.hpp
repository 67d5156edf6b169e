#pragma once
// analyses: which phases and codes of the lengths in use training has met, and how finely positions are told apart.
#include "analyses/extrapolation_setting.hpp"
#include "model/views/features.hpp"

#include <span>

namespace posenc::analyses {

/// Lags that the frequencies are given at the last query of the f-th length in use, at 0 .. N - 1; masked ones are left out of
/// `beyond`, which starts at L. Empty vectors stand for 0 .. N - 1 and L .. N - 1 themselves.
struct LagsInUse {
  LagsInUse(const ExtrapolationSetting& setting, std::size_t f);
  Pos length, sequence;
  std::vector<Pos> all, beyond;
  Pos largest() const;
  Pos count_beyond() const { return all.empty() ? sequence - length : static_cast<Pos>(beyond.size()); }
  Pos beyond_at(Pos i) const { return all.empty() ? length + i : beyond[static_cast<std::size_t>(i)]; }
};

/// Training shows pair i the phases 0 .. A_i = min(2 pi, L |t_i|). Share of pairs whose phase at the largest lag in use is
/// beyond A_i < 2 pi, by a relative 1e-13 (the complement of Liu 2023, arXiv 2310.05209, eq. 7).
double unseen_pairs(const Spectrum& trained, const Spectrum& used, const LagsInUse& lags);
/// Mean over lags beyond L and over pairs of 1[phase mod 2 pi > A_i]; phases within 1e-9 rad of A_i, or below 2 pi, are seen.
double unseen_phase(const Spectrum& trained, const Spectrum& used, const LagsInUse& lags);

/// Share of the lags beyond L whose class training never met.
double unseen_classes(const ExtrapolationSetting& setting, std::size_t f, const ClassFeatures& trained,
                      const ClassFeatures& used);

/// Number of different codes of all heads together at lags 0 .. N - 1, over N. Frequencies: codes repeat when every phase
/// returns to 0 within the rounding of the frequencies (2^-100 turns a position), never with damping.
double distinct_fraction(const std::vector<Spectrum>& heads, const LagsInUse& lags);
double distinct_fraction(const ExtrapolationSetting& setting, std::size_t f, const ClassFeatures& used);
/// Values of each head at each lag, fill(head, [sequence]); values closer than 1e-14 to their neighbour are one.
double distinct_fraction(Index heads, Pos sequence, const std::function<void(Index head, std::span<double>)>& fill);

}  // namespace posenc::analyses
