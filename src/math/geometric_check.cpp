#include "math/geometric_check.hpp"

#include "math/two_product.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace posenc::math {
namespace {

using simd::Vec;

constexpr std::int64_t lanes = simd::lanes;
constexpr int rows = 3;                            // blocks a register tile
constexpr int columns = simd::lanes >= 8 ? 4 : 2;  // vectors of lags a register tile
constexpr std::int64_t panel = columns * lanes;
constexpr std::int64_t blocks_a_start = 30;  // blocks between centres that are computed anew
constexpr std::size_t remembered = 12;
constexpr double doubt = 1e-11;  // of a sum from blocks, a pair: those below are computed anew
static_assert(blocks_a_start % rows == 0);

simd::SinCos sincos_turns_of(Vec turns) { return simd::sincospi(turns + turns); }

simd::SinCos turned(simd::SinCos a, simd::SinCos b) {
  return {.sin = simd::fma(a.cos, b.sin, a.sin * b.cos), .cos = simd::fma(-a.sin, b.sin, a.cos * b.cos)};
}

/// Lags on either side of a block's centre: a longer block turns more pairs, a shorter one has more centres.
std::int64_t half_block(std::int64_t lags) {
  std::int64_t half = 256;
  while (half > 32 && half * 512 > lags) half /= 2;
  return half;
}

}  // namespace

GeometricCheck::GeometricCheck(std::int64_t pairs, std::int64_t lags)
    : pairs_(pairs),
      lags_(lags),
      padded_(simd::padded(pairs)),
      half_(half_block(lags)),
      stride_(padded_ + orders),
      whole_(padded_),
      turns_(padded_),
      theta_(padded_),
      weight_(padded_),
      offset_cos_(half_ * stride_),
      offset_sin_(half_ * stride_),
      even_(orders * padded_),
      odd_(orders * padded_),
      cos_(padded_),
      sin_(padded_),
      step_cos_(padded_),
      step_sin_(padded_),
      centre_cos_(rows * stride_),
      centre_sin_(rows * stride_) {
  for (std::int64_t i = 0; i < pairs; ++i) *(whole_ + i) = static_cast<double>(i), *(weight_ + i) = 1;
  for (std::int64_t r = 0; r < half_; ++r) {
    const double x = (static_cast<double>(r) + 0.5) / static_cast<double>(half_);
    double power = 1;
    for (int k = 0; k < orders; ++k) {
      const std::int64_t to = ((r / panel) * stride_ + k) * panel + r % panel;
      *(offset_cos_ + to) = power, *(offset_sin_ + to) = power * x;
      power *= x * x;
    }
  }
}

void GeometricCheck::set(double base) {
  if (base == base_) return;
  base_ = base;
  const Vec step = simd::all(-std::log(base) / static_cast<double>(pairs_));
  for (std::int64_t i = 0; i < padded_; i += lanes) {
    const Vec theta = simd::exp(step * simd::load(whole_ + i));
    simd::store(theta_ + i, theta);
    simd::store(turns_ + i, theta * (0.5 / std::numbers::pi));
  }
}

double GeometricCheck::at(std::int64_t lag) const {
  const Vec m = simd::all(static_cast<double>(lag));
  Vec total{};
  for (std::int64_t i = 0; i < padded_; i += lanes)
    total = simd::fma(simd::load(weight_ + i), sincos_turns_of(turns_of(m, simd::load(turns_ + i), Vec{})).cos, total);
  return simd::sum(total);
}

double GeometricCheck::sum(double base, std::int64_t lag) {
  set(base);
  return at(lag);
}

std::optional<std::int64_t> GeometricCheck::recall() {
  for (std::size_t k = 0; k < failed_.size(); ++k) {
    const std::int64_t lag = failed_[k];
    for (const std::int64_t near : {lag, lag + 1, lag - 1}) {
      if (near < 1 || near >= lags_ || !(at(near) < 0)) continue;
      std::rotate(failed_.begin(), failed_.begin() + static_cast<std::ptrdiff_t>(k),
                  failed_.begin() + static_cast<std::ptrdiff_t>(k + 1));
      return failed_.front() = near;
    }
  }
  return {};
}

void GeometricCheck::prepare_offsets() {
  fast_ = 0;
  while (fast_<pairs_&&*(theta_ + fast_) * static_cast<double>(half_)> slow) ++fast_;
  alignas(simd::align) std::array<double, lanes> first;
  for (std::size_t k = 0; k < lanes; ++k) first[k] = static_cast<double>(k) + 0.5;
  for (std::int64_t j = 0; j < fast_; ++j) {
    const Vec f = simd::all(*(turns_ + j));
    simd::SinCos z = sincos_turns_of(turns_of(simd::load(first.data()), f, Vec{}));
    const simd::SinCos step = sincos_turns_of(turns_of(simd::all(static_cast<double>(lanes)), f, Vec{}));
    for (std::int64_t r = 0; r < half_; r += lanes) {
      const std::int64_t to = ((r / panel) * stride_ + orders + j) * panel + r % panel;
      simd::store(offset_cos_ + to, z.cos), simd::store(offset_sin_ + to, z.sin);
      z = turned(z, step);
    }
  }
}

void GeometricCheck::prepare_moments() {
  const double step = static_cast<double>(2 * half_);
  for (std::int64_t i = 0; i < padded_; i += lanes) {
    const simd::SinCos back = sincos_turns_of(turns_of(simd::all(-step), simd::load(turns_ + i), Vec{}));
    simd::store(step_cos_ + i, back.cos), simd::store(step_sin_ + i, back.sin);
  }
  for (std::int64_t i = fast_ / lanes * lanes; i < padded_; i += lanes) {
    const Vec angle = simd::load(theta_ + i) * static_cast<double>(half_);
    Vec power = simd::load(weight_ + i);
    for (std::int64_t k = i; k < fast_; ++k) power[static_cast<int>(k - i)] = 0;
    for (int k = 0; k < orders; ++k) {
      simd::store(even_ + k * padded_ + i, power);
      power *= angle * (1.0 / (2 * k + 1));
      simd::store(odd_ + k * padded_ + i, power);
      power *= angle * (-1.0 / (2 * k + 2));
    }
  }
}

void GeometricCheck::centre(double x, bool anew, std::int64_t row) {
  double* c = centre_cos_ + row * stride_;
  double* s = centre_sin_ + row * stride_;
  Vec even[orders] = {}, odd[orders] = {};
  for (std::int64_t i = 0; i < padded_; i += lanes) {
    const simd::SinCos z = anew ? sincos_turns_of(turns_of(simd::all(x), simd::load(turns_ + i), Vec{}))
                                : turned({.sin = simd::load(sin_ + i), .cos = simd::load(cos_ + i)},
                                         {.sin = simd::load(step_sin_ + i), .cos = simd::load(step_cos_ + i)});
    simd::store(cos_ + i, z.cos), simd::store(sin_ + i, z.sin);
    if (i < fast_) simd::store(c + orders + i, z.cos), simd::store(s + orders + i, z.sin);
    if (i + lanes <= fast_) continue;
    for (int k = 0; k < orders; ++k) {
      const std::int64_t from = k * padded_ + i;
      even[k] = simd::fma(z.cos, simd::load(even_ + from), even[k]);
      odd[k] = simd::fma(z.sin, simd::load(odd_ + from), odd[k]);
    }
  }
  for (int k = 0; k < orders; ++k) c[k] = simd::sum(even[k]), s[k] = simd::sum(odd[k]);
}

std::optional<std::int64_t> GeometricCheck::scan() {
  // Blocks from the longest lags down, where the sum is least for bases above the length; the last reaches below 0, where the
  // sum is that of the positive lag.
  prepare_offsets();
  prepare_moments();
  const std::int64_t blocks = (lags_ + 2 * half_ - 1) / (2 * half_);
  const auto top = static_cast<double>(lags_ - half_) - 0.5;
  const std::int64_t terms = orders + fast_;
  const double least = doubt * static_cast<double>(pairs_);
  for (std::int64_t block = 0; block < blocks; block += rows) {
    for (std::int64_t r = 0; r < rows; ++r) {
      const double x = top - static_cast<double>((block + r) * 2 * half_);
      centre(x, (block + r) % blocks_a_start == 0, r);
    }
    const std::int64_t used = std::min<std::int64_t>(rows, blocks - block);
    for (std::int64_t p = 0; p < half_ / panel; ++p) {
      const double* oc = offset_cos_ + p * stride_ * panel;
      const double* os = offset_sin_ + p * stride_ * panel;
      Vec even[rows][columns] = {}, odd[rows][columns] = {};
      for (std::int64_t j = 0; j < terms; ++j, oc += panel, os += panel) {
#pragma GCC unroll 8
        for (int r = 0; r < rows; ++r) {
          const Vec c = simd::all(*(centre_cos_ + r * stride_ + j)), s = simd::all(*(centre_sin_ + r * stride_ + j));
#pragma GCC unroll 8
          for (int k = 0; k < columns; ++k) {
            even[r][k] = simd::fma(c, simd::load(oc + k * lanes), even[r][k]);
            odd[r][k] = simd::fma(s, simd::load(os + k * lanes), odd[r][k]);
          }
        }
      }
      for (std::int64_t r = 0; r < used; ++r)
        for (int k = 0; k < columns; ++k) {
          const Vec behind = even[r][k] + odd[r][k], ahead = even[r][k] - odd[r][k];
          const simd::Whole low = (behind < least) | (ahead < least);
          std::int64_t any = 0;
          for (int l = 0; l < lanes; ++l) any |= low[l];
          if (any == 0) continue;
          for (int l = 0; l < lanes; ++l) {
            const double x = top - static_cast<double>((block + r) * 2 * half_);
            const double offset = static_cast<double>(p * panel + k * lanes + l) + 0.5;
            for (const auto& [value, lag] : {std::pair(ahead[l], x + offset), std::pair(behind[l], x - offset)}) {
              const auto whole = static_cast<std::int64_t>(std::abs(lag));
              if (value < least && whole < lags_ && at(whole) < 0) return whole;
            }
          }
        }
    }
  }
  return {};
}

std::optional<std::int64_t> GeometricCheck::negative_lag(double base) {
  set(base);
  if (const auto lag = recall()) return lag;
  const auto lag = scan();
  if (!lag) return {};
  if (failed_.size() == remembered) failed_.pop_back();
  failed_.insert(failed_.begin(), *lag);
  return lag;
}

}  // namespace posenc::math
