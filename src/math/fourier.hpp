#pragma once
// math: discrete Fourier transforms of any length, one or several signals at a time in the lanes of V. For source files of math.
#include "math/phase_table.hpp"
#include "math/simd.hpp"

#include <bit>
#include <utility>
#include <vector>

namespace posenc::math {

/// e^{-2 pi i numerator[k] / denominator}, each from the exact fraction of a turn. 0 <= numerator < denominator.
struct UnitRoots {
  std::vector<double> re, im;
  UnitRoots(const std::vector<std::uint64_t>& numerator, std::uint64_t denominator) : re(numerator.size()), im(numerator.size()) {
    __extension__ using U = unsigned __int128;
    std::vector<Turn> turns(numerator.size());
    for (std::size_t k = 0; k < turns.size(); ++k) {
      const U high = (static_cast<U>(numerator[k]) << 64) / denominator,
              rest = (static_cast<U>(numerator[k]) << 64) % denominator;
      turns[k] = -Turn{static_cast<std::uint64_t>(high), static_cast<std::uint64_t>((rest << 64) / denominator)};
    }
    sincos_turns(turns, re.data(), im.data());
  }
};

/// Several complex signals, real and imaginary parts apart.
template <class V>
struct Signals {
  std::vector<V> re, im;
  explicit Signals(std::size_t n = 0) : re(n), im(n) {}
};

/// X_k = sum_m x_m e^{-2 pi i k m / n}, n a power of two: Stockham's self-sorting form by fours, a last step by two
/// (Van Loan, Computational Frameworks for the Fast Fourier Transform, 1992, section 1.7).
class PowerOfTwoTransform {
 public:
  explicit PowerOfTwoTransform(std::size_t n) : size_(n), roots_(all_below(n), n) {}
  std::size_t size() const { return size_; }

  template <class V>
  void run(Signals<V>& x, Signals<V>& scratch) const {
    std::size_t length = size_, stride = 1;
    for (; length >= 4; length /= 4, stride *= 4) by_four(length / 4, stride, x, scratch), std::swap(x, scratch);
    if (length == 2) {
      for (std::size_t q = 0; q < stride; ++q) {
        const V ar = x.re[q], ai = x.im[q], br = x.re[q + stride], bi = x.im[q + stride];
        x.re[q] = ar + br, x.im[q] = ai + bi, x.re[q + stride] = ar - br, x.im[q + stride] = ai - bi;
      }
    }
  }

 private:
  static std::vector<std::uint64_t> all_below(std::size_t n) {
    std::vector<std::uint64_t> k(n);
    for (std::size_t i = 0; i < n; ++i) k[i] = i;
    return k;
  }

  template <class V>
  void by_four(std::size_t quarter, std::size_t stride, const Signals<V>& x, Signals<V>& y) const {
    for (std::size_t p = 0; p < quarter; ++p) {
      const std::size_t w1 = p * stride, w2 = 2 * w1, w3 = 3 * w1;
      for (std::size_t q = 0; q < stride; ++q) {
        const std::size_t a = q + stride * p, b = a + stride * quarter, c = b + stride * quarter, d = c + stride * quarter;
        const V sr = x.re[a] + x.re[c], si = x.im[a] + x.im[c], dr = x.re[a] - x.re[c], di = x.im[a] - x.im[c];
        const V tr = x.re[b] + x.re[d], ti = x.im[b] + x.im[d];
        const V er = x.im[b] - x.im[d], ei = x.re[d] - x.re[b];  // -i (b - d)
        const std::size_t out = q + stride * 4 * p;
        y.re[out] = sr + tr, y.im[out] = si + ti;
        turned(w1, dr + er, di + ei, y, out + stride);
        turned(w2, sr - tr, si - ti, y, out + 2 * stride);
        turned(w3, dr - er, di - ei, y, out + 3 * stride);
      }
    }
  }
  template <class V>
  void turned(std::size_t w, V re, V im, Signals<V>& y, std::size_t at) const {
    y.re[at] = roots_.re[w] * re - roots_.im[w] * im;
    y.im[at] = roots_.re[w] * im + roots_.im[w] * re;
  }

  std::size_t size_;
  UnitRoots roots_;
};

/// The same for any length, by Bluestein's chirp: k m = (k^2 + m^2 - (k - m)^2) / 2 makes the sum a convolution, done at the
/// power of two from 2 n - 1 on (Bluestein 1970). A power of two is done directly.
class Transform {
 public:
  explicit Transform(std::size_t n)
      : size_(n), inner_(std::has_single_bit(n) ? n : std::bit_ceil(2 * n - 1)), chirp_(squares(n), 2 * n), filter_(0) {
    if (direct()) return;
    filter_ = Signals<double>(inner_.size());
    Signals<double> scratch(inner_.size());
    for (std::size_t m = 0; m < n; ++m)
      for (const std::size_t at : {m, (inner_.size() - m) % inner_.size()})
        filter_.re[at] = chirp_.re[m], filter_.im[at] = -chirp_.im[m];
    inner_.run(filter_, scratch);
  }
  /// Number of elements that the arrays of run() have.
  std::size_t room() const { return inner_.size(); }

  /// x holds the n values, zeros behind; on return x[0..n-1] is the transform and the rest undefined.
  template <class V>
  void run(Signals<V>& x, Signals<V>& scratch) const {
    if (direct()) return inner_.run(x, scratch);
    for (std::size_t m = 0; m < size_; ++m) multiply(x, m, chirp_.re[m], chirp_.im[m]);
    inner_.run(x, scratch);
    for (std::size_t k = 0; k < inner_.size(); ++k) multiply(x, k, filter_.re[k], filter_.im[k]);
    std::swap(x.re, x.im), std::swap(scratch.re, scratch.im);  // the inverse transform, up to 1 / length
    inner_.run(x, scratch);
    std::swap(x.re, x.im), std::swap(scratch.re, scratch.im);
    const double scale = 1.0 / static_cast<double>(inner_.size());
    for (std::size_t k = 0; k < size_; ++k) multiply(x, k, scale * chirp_.re[k], scale * chirp_.im[k]);
  }

 private:
  bool direct() const { return inner_.size() == size_; }
  static std::vector<std::uint64_t> squares(std::size_t n) {  // m^2 mod 2 n
    std::vector<std::uint64_t> k(n);
    for (std::uint64_t m = 0, square = 0; m < n; square = (square + 2 * m + 1) % (2 * n), ++m) k[m] = square;
    return k;
  }
  template <class V>
  static void multiply(Signals<V>& x, std::size_t k, double re, double im) {
    const V a = x.re[k], b = x.im[k];
    x.re[k] = re * a - im * b;
    x.im[k] = re * b + im * a;
  }

  std::size_t size_;
  PowerOfTwoTransform inner_;
  UnitRoots chirp_;
  Signals<double> filter_;
};

}  // namespace posenc::math
