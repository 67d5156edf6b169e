#include "math/cosine_sum.hpp"

#include "math/cosine_blocks.hpp"
#include "math/parallel.hpp"
#include "math/sincos.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace posenc::math {
namespace {

constexpr std::int64_t lags_a_task = 512;
// Share of the sum of |weight| from which on total - sum has a relative error below 1e-13.
constexpr double difference_from = 0.1;

using Chunk = std::array<double, sincos_chunk>;

/// Damping exponents and weights of up to sincos_chunk frequencies, zero behind the last.
struct Part {
  alignas(simd::align) Chunk weight{}, exponent{};
  Part(std::span<const double> weights, std::span<const double> log_damping, std::size_t first, std::size_t count,
       std::int64_t s) {
    for (std::size_t j = 0; j < count; ++j) {
      weight[j] = weights[first + j];
      if (!log_damping.empty()) exponent[j] = log_damping[first + j] * static_cast<double>(s);
    }
  }
};

double cosine_at(std::span<const Turn> frequency, std::span<const double> weight, std::span<const double> log_damping,
                 std::int64_t s) {
  simd::Vec total{};
  for (std::size_t first = 0; first < frequency.size(); first += sincos_chunk) {
    const std::size_t count = std::min<std::size_t>(sincos_chunk, frequency.size() - first);
    const Part part(weight, log_damping, first, count, s);
    std::array<Turn, sincos_chunk> turns;
    for (std::size_t j = 0; j < count; ++j) turns[j] = times(s, frequency[first + j]);
    alignas(simd::align) Chunk c, unused;
    sincos_of({turns.data(), count}, c.data(), unused.data());
    for (std::size_t j = 0; j < count; j += simd::lanes) {
      const simd::Vec w = simd::load(part.weight.data() + j) * simd::exp(simd::load(part.exponent.data() + j));
      total = simd::fma(w, simd::load(c.data() + j), total);
    }
  }
  return simd::sum(total);
}

double deficit_at(std::span<const Turn> frequency, std::span<const double> weight, std::span<const double> log_damping,
                  std::int64_t s) {
  simd::Vec total{};
  for (std::size_t first = 0; first < frequency.size(); first += sincos_chunk) {
    const std::size_t count = std::min<std::size_t>(sincos_chunk, frequency.size() - first);
    const Part part(weight, log_damping, first, count, s);
    alignas(simd::align) Chunk half{};
    for (std::size_t j = 0; j < count; ++j) half[j] = signed_turns(times(s, frequency[first + j]));
    for (std::size_t j = 0; j < count; j += simd::lanes) {
      const simd::Vec z = simd::load(part.exponent.data() + j);
      const simd::Vec sine = simd::sinpi(simd::load(half.data() + j));
      const simd::Vec term = 2.0 * simd::exp(z) * (sine * sine) - simd::expm1(z);
      total = simd::fma(simd::load(part.weight.data() + j), term, total);
    }
  }
  return simd::sum(total);
}

template <class At>
void at_each(std::span<const std::int64_t> lags, std::span<double> out, At at) {
  parallel_blocks(static_cast<std::int64_t>(lags.size()), lags_a_task, [&](std::int64_t first, std::int64_t count) {
    for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(first + count); ++i) out[i] = at(lags[i]);
  });
}

}  // namespace

void cosine_sum_at(std::span<const Turn> frequency, std::span<const double> weight, std::span<const double> log_damping,
                   std::span<const std::int64_t> lags, std::span<double> out) {
  at_each(lags, out, [&](std::int64_t s) { return cosine_at(frequency, weight, log_damping, s); });
}
void cosine_deficit_at(std::span<const Turn> frequency, std::span<const double> weight, std::span<const double> log_damping,
                       std::span<const std::int64_t> lags, std::span<double> out) {
  at_each(lags, out, [&](std::int64_t s) { return deficit_at(frequency, weight, log_damping, s); });
}
void cosine_sum(std::span<const Turn> frequency, std::span<const double> weight, std::span<const double> log_damping,
                std::int64_t first, std::span<double> out) {
  cosine_blocks(frequency, weight, log_damping, first, out);
}

void cosine_deficit(std::span<const Turn> frequency, std::span<const double> weight, std::span<const double> log_damping,
                    std::int64_t first, std::span<double> out) {
  double total = 0, magnitude = 0;
  for (const double w : weight) total += w, magnitude += std::abs(w);
  cosine_blocks(frequency, weight, log_damping, first, out);
  // Where the difference keeps its digits it is the deficit; elsewhere, and where damping grows, the terms are summed one by one.
  parallel_blocks(static_cast<std::int64_t>(out.size()), lags_a_task, [&](std::int64_t begin, std::int64_t count) {
    for (std::int64_t i = begin; i < begin + count; ++i) {
      double& value = out[static_cast<std::size_t>(i)];
      const std::int64_t s = first + i;
      value = total - value;
      if (!(value >= difference_from * magnitude) || (s < 0 && !log_damping.empty()))
        value = deficit_at(frequency, weight, log_damping, s);
    }
  });
}

}  // namespace posenc::math
