#include "limits.hpp"

#include "math/parallel.hpp"
#include "math/simd.hpp"

#include <algorithm>

namespace posenc::bench {
namespace {

namespace simd = math::simd;

constexpr int chains = 12;  // independent, enough to cover the latency of two units
constexpr std::int64_t slices = 64;

/// step(x) `steps` times on each of 12 vectors; what they hold at the end, so that the loop is not dropped.
template <class Step>
double chained(std::int64_t steps, Step step) {
  simd::Vec x[chains];
#pragma GCC unroll 12
  for (int k = 0; k < chains; ++k) x[k] = simd::all(1.5 + 0.01 * k);
  for (std::int64_t i = 0; i < steps; ++i) {
#pragma GCC unroll 12
    for (int k = 0; k < chains; ++k) x[k] = step(x[k]);
  }
  simd::Vec sum{};
#pragma GCC unroll 12
  for (int k = 0; k < chains; ++k) sum += x[k];
  return simd::sum(sum);
}

template <class Step>
void everywhere(double count, Step step) {
  const auto steps = static_cast<std::int64_t>(count / (slices * chains * simd::lanes));
  double kept[slices];
  math::parallel_for(slices, [&](std::int64_t i) { kept[i] = chained(steps, step); });
  volatile double all = 0;
  for (const double x : kept) all = all + x;
}

}  // namespace

namespace {
/// Past the caches, where the instruction set has such a store.
void put(double* to, simd::Vec x) {
#if defined(__AVX512F__)
  _mm512_stream_pd(to, x);
#elif defined(__AVX2__)
  _mm256_stream_pd(to, x);
#elif defined(__SSE2__)
  _mm_stream_pd(to, x);
#else
  simd::store(to, x);
#endif
}
}  // namespace

void store(double* to, std::int64_t count) {
  constexpr std::int64_t block = 1 << 15;
  math::parallel_blocks(count, block, [&](std::int64_t first, std::int64_t size) {
    const simd::Vec x = simd::all(static_cast<double>(first));
    for (std::int64_t i = first; i + simd::lanes <= first + size; i += simd::lanes) put(to + i, x);
  });
}

void multiply_add(double count) {
  const simd::Vec a = simd::all(0.999), b = simd::all(0.001);
  everywhere(count, [=](simd::Vec x) { return simd::fma(x, a, b); });
}

void square_root(double count) {
  everywhere(count, [](simd::Vec x) { return simd::sqrt(x); });
}

}  // namespace posenc::bench
