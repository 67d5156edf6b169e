#pragma once
// math: the widest vector of doubles that the compiler was told to use, with SLEEF's functions of it. Include it in source
// files only. sin and cos of AVX2 and AVX-512 are the same bits; those of the other sets differ in last bits.
#include "math/instruction_set.hpp"

#include <sleef.h>

#include <cmath>
#include <cstdint>
#include <string_view>

namespace posenc::math::simd {

// reverse: the last lane first. zip_low, zip_high: a0 b0 a1 b1 ..., of the lower and the upper halves.
#if defined(__AVX512F__) && defined(__AVX512DQ__)
inline constexpr std::string_view set_name = "AVX-512";
using Vec = __m512d;
#define POSENC_SLEEF(name, suffix) Sleef_##name##d8_##suffix##avx512f
inline Vec fma(Vec a, Vec b, Vec c) { return _mm512_fmadd_pd(a, b, c); }
inline Vec sqrt(Vec a) { return _mm512_sqrt_pd(a); }
inline Vec reverse(Vec a) { return _mm512_permutexvar_pd(_mm512_set_epi64(0, 1, 2, 3, 4, 5, 6, 7), a); }
inline Vec zip_low(Vec a, Vec b) { return _mm512_permutex2var_pd(a, _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0), b); }
inline Vec zip_high(Vec a, Vec b) { return _mm512_permutex2var_pd(a, _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4), b); }
#elif defined(__AVX2__) && defined(__FMA__)
inline constexpr std::string_view set_name = "AVX2";
using Vec = __m256d;
#define POSENC_SLEEF(name, suffix) Sleef_##name##d4_##suffix##avx2
inline Vec fma(Vec a, Vec b, Vec c) { return _mm256_fmadd_pd(a, b, c); }
inline Vec sqrt(Vec a) { return _mm256_sqrt_pd(a); }
inline Vec reverse(Vec a) { return _mm256_permute4x64_pd(a, 0x1b); }
inline Vec zip_low(Vec a, Vec b) { return _mm256_permute2f128_pd(_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b), 0x20); }
inline Vec zip_high(Vec a, Vec b) { return _mm256_permute2f128_pd(_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b), 0x31); }
#elif defined(__aarch64__)
inline constexpr std::string_view set_name = "NEON";
using Vec = float64x2_t;
#define POSENC_SLEEF(name, suffix) Sleef_##name##d2_##suffix##advsimd
inline Vec fma(Vec a, Vec b, Vec c) { return vfmaq_f64(c, a, b); }
inline Vec sqrt(Vec a) { return vsqrtq_f64(a); }
inline Vec reverse(Vec a) { return vextq_f64(a, a, 1); }
inline Vec zip_low(Vec a, Vec b) { return vzip1q_f64(a, b); }
inline Vec zip_high(Vec a, Vec b) { return vzip2q_f64(a, b); }
#elif defined(__SSE2__)
inline constexpr std::string_view set_name = "SSE2";
using Vec = __m128d;
#define POSENC_SLEEF(name, suffix) Sleef_##name##d2_##suffix##sse2
inline Vec fma(Vec a, Vec b, Vec c) { return a * b + c; }  // two roundings: there is no fused one
inline Vec sqrt(Vec a) { return _mm_sqrt_pd(a); }
inline Vec reverse(Vec a) { return _mm_shuffle_pd(a, a, 1); }
inline Vec zip_low(Vec a, Vec b) { return _mm_unpacklo_pd(a, b); }
inline Vec zip_high(Vec a, Vec b) { return _mm_unpackhi_pd(a, b); }
#else
inline constexpr std::string_view set_name = "portable";
using Vec = double __attribute__((vector_size(16)));
inline Vec fma(Vec a, Vec b, Vec c) { return a * b + c; }
inline Vec sqrt(Vec a) { return Vec{std::sqrt(a[0]), std::sqrt(a[1])}; }
inline Vec reverse(Vec a) { return Vec{a[1], a[0]}; }
inline Vec zip_low(Vec a, Vec b) { return Vec{a[0], b[0]}; }
inline Vec zip_high(Vec a, Vec b) { return Vec{a[1], b[1]}; }
#endif

using Bits = std::uint64_t __attribute__((vector_size(sizeof(Vec))));
using Whole = std::int64_t __attribute__((vector_size(sizeof(Vec))));
inline constexpr int lanes = sizeof(Vec) / sizeof(double);
inline constexpr std::size_t align = 64;

inline Vec load(const double* p) {
  Vec v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
inline void store(double* p, Vec v) { __builtin_memcpy(p, &v, sizeof v); }
inline Vec all(double x) { return x - Vec{}; }

struct SinCos {
  Vec sin, cos;
};
// sincospi (of pi x), sinpi, exp, expm1 and log within 0.506, 0.506, 1, 1 and 1 units in the last place.
#ifdef POSENC_SLEEF
inline SinCos sincospi(Vec x) {
  const auto r = POSENC_SLEEF(sincospi, u05)(x);
  return {r.x, r.y};
}
inline Vec sinpi(Vec x) { return POSENC_SLEEF(sinpi, u05)(x); }
inline Vec exp(Vec x) { return POSENC_SLEEF(exp, u10)(x); }
inline Vec expm1(Vec x) { return POSENC_SLEEF(expm1, u10)(x); }
inline Vec log(Vec x) { return POSENC_SLEEF(log, u10)(x); }
#undef POSENC_SLEEF
#else
inline SinCos sincospi(Vec x) {
  const Sleef_double2 a = Sleef_sincospi_u05(x[0]), b = Sleef_sincospi_u05(x[1]);
  return {Vec{a.x, b.x}, Vec{a.y, b.y}};
}
inline Vec sinpi(Vec x) { return Vec{Sleef_sinpi_u05(x[0]), Sleef_sinpi_u05(x[1])}; }
inline Vec exp(Vec x) { return Vec{Sleef_exp_u10(x[0]), Sleef_exp_u10(x[1])}; }
inline Vec expm1(Vec x) { return Vec{Sleef_expm1_u10(x[0]), Sleef_expm1_u10(x[1])}; }
inline Vec log(Vec x) { return Vec{Sleef_log_u10(x[0]), Sleef_log_u10(x[1])}; }
#endif

/// Sum of the lanes, from the first to the last.
inline double sum(Vec v) {
  double lane[lanes], total = 0;
  store(lane, v);
  for (const double x : lane) total += x;
  return total;
}

inline constexpr std::int64_t padded(std::int64_t n) { return (n + lanes - 1) / lanes * lanes; }

}  // namespace posenc::math::simd
