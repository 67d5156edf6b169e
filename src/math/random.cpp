#include "math/random.hpp"

#include "math/parallel.hpp"
#include "math/simd.hpp"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <numbers>

namespace posenc::math {
namespace {

constexpr std::int64_t draws_a_task = 4096;

std::uint64_t fnv1a(const char* text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (; *text; ++text) hash = (hash ^ static_cast<unsigned char>(*text)) * 0x100000001b3;
  return hash;
}

std::array<std::uint32_t, 4> words(const Stream& s, std::uint64_t i) {
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
  return philox({low(i), high(i), low(s.stream), high(s.stream)}, {low(s.seed), high(s.seed)});
}

/// 53 bits in (0, 1): a multiple of 2^-53, and 2^-54 in the place of 0.
double open_unit(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t k = (static_cast<std::uint64_t>(high) << 32 | low) >> 11;
  return k == 0 ? 0x1p-54 : static_cast<double>(k) * 0x1p-53;
}

template <class Fill>
void in_blocks(std::uint64_t first, std::span<double> out, Fill fill) {
  parallel_blocks(static_cast<std::int64_t>(out.size()), draws_a_task, [&](std::int64_t begin, std::int64_t count) {
    fill(first + static_cast<std::uint64_t>(begin),
         out.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count)));
  });
}

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

Stream::Stream(std::uint64_t seed, const char* name) : seed(seed), stream(fnv1a(name)) {}

void uniform(const Stream& stream, std::uint64_t first, std::span<double> out) {
  in_blocks(first, out, [&](std::uint64_t i, std::span<double> part) {
    for (double& x : part) {
      const auto w = words(stream, i++);
      x = open_unit(w[0], w[1]);
    }
  });
}

void normal(const Stream& stream, std::uint64_t first, std::span<double> out) {
  in_blocks(first, out, [&](std::uint64_t i, std::span<double> part) {
    for (std::size_t begin = 0; begin < part.size(); begin += simd::lanes) {
      alignas(simd::align) std::array<double, simd::lanes> radius, half_turns;
      for (std::size_t k = 0; k < simd::lanes; ++k) {
        const auto w = words(stream, i++);
        radius[k] = open_unit(w[0], w[1]);
        half_turns[k] = 2 * open_unit(w[2], w[3]);
      }
      const simd::Vec r = simd::sqrt(-2.0 * simd::log(simd::load(radius.data())));
      simd::store(radius.data(), r * simd::sincospi(simd::load(half_turns.data())).cos);
      std::copy_n(radius.data(), std::min<std::size_t>(simd::lanes, part.size() - begin), part.data() + begin);
    }
  });
}

void truncated_normal(const Stream& stream, std::uint64_t first, std::span<double> out) {
  static const double mass = boost::math::erf(std::numbers::sqrt2);  // of |z| <= 2
  in_blocks(first, out, [&](std::uint64_t i, std::span<double> part) {
    for (double& x : part) {
      const auto w = words(stream, i++);
      const double centred = 2 * open_unit(w[0], w[1]) - 1;  // exact
      x = std::numbers::sqrt2 * boost::math::erf_inv(centred * mass);
    }
  });
}

}  // namespace posenc::math
