#include "analyses/extrapolation_tables.hpp"

#include "math/parallel.hpp"
#include "math/phase_table.hpp"
#include "math/real.hpp"
#include "math/ridge.hpp"

#include <cmath>
#include <limits>

namespace posenc::analyses {
namespace {

using model::Matrix;
constexpr Index block = 256;

/// Kept rows r_k = stride k, k = 0 .. kept - 1, and held-out rows h_i = first + stride i, i = 0 .. held - 1.
struct Split {
  Pos stride, kept, first, held;
};
Split odd_rows(Pos rows) { return {2, (rows + 1) / 2, 1, rows / 2}; }
Split tail_rows(Pos rows) {
  const Pos held = (rows + 9) / 10;
  return {1, rows - held, rows - held, held};
}

/// A held-out row as a weighted sum of kept rows from .. from + count - 1; count 0: the policy says nothing.
struct Stencil {
  Pos from = 0;
  int count = 0;
  std::array<double, 4> weight{};
};

Stencil convolution(TablePolicy policy, Pos left, double t, Pos kept) {
  if (policy == TablePolicy::linear) return left + 1 < kept ? Stencil{left, 2, {1 - t, t}} : Stencil{};
  if (left < 1 || left + 2 >= kept) return {};
  const double a = policy == TablePolicy::cubic ? -0.5 : -0.75;
  const auto near = [a](double x) { return ((a + 2) * x - (a + 3)) * x * x + 1; };       // |x| <= 1
  const auto far = [a](double x) { return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a; };  // 1 <= |x| <= 2
  return {left - 1, 4, {far(1 + t), near(t), near(1 - t), far(2 - t)}};
}

Stencil stencil(TablePolicy policy, const Split& split, bool tail, Pos held) {
  const Pos row = split.first + split.stride * held;
  switch (policy) {
    case TablePolicy::clamp:
      return tail ? Stencil{split.kept - 1, 1, {1}} : Stencil{};
    case TablePolicy::modulo:
      return tail ? Stencil{row % split.kept, 1, {1}} : Stencil{};
    case TablePolicy::linear:
    case TablePolicy::cubic:
    case TablePolicy::cubic_torch: {
      if (!tail) return convolution(policy, held, 0.5, split.kept);
      const double x =
          static_cast<double>(row) * static_cast<double>(split.kept - 1) / static_cast<double>(split.kept + split.held - 1);
      const Pos left = std::max<Pos>(0, std::min<Pos>(static_cast<Pos>(x), split.kept - 2));
      return convolution(policy, left, x - static_cast<double>(left), split.kept);
    }
    default:
      return {};
  }
}

struct Squares {
  double error = 0, norm = 0;
  double ratio() const { return norm > 0 ? std::sqrt(error / norm) : std::numeric_limits<double>::quiet_NaN(); }
};

/// Compares predictions [count][channels] of held-out rows with the table, block by block.
template <class Predict>
double compare(const TableReader& table, const Split& split, const Predict& predict) {
  Squares sum;
  Matrix truth((block - 1) * split.stride + 1, table.channels), guess(block, table.channels);
  std::vector<char> scored(static_cast<std::size_t>(block));
  for (Pos at = 0; at < split.held; at += block) {
    const Index count = std::min<Pos>(block, split.held - at);
    table.read(split.first + split.stride * at, (count - 1) * split.stride + 1, truth.data());
    predict(at, count, guess, scored);
    for (Index i = 0; i < count; ++i)
      for (Index c = 0; c < table.channels && scored[static_cast<std::size_t>(i)]; ++c) {
        const double t = truth(i * split.stride, c), difference = guess(i, c) - t;
        sum.error += difference * difference, sum.norm += t * t;
      }
  }
  return sum.ratio();
}

double interpolated(const TableReader& table, TablePolicy policy, const Split& split, bool tail) {
  Matrix kept;
  return compare(table, split, [&](Pos at, Index count, Matrix& guess, std::vector<char>& scored) {
    Pos low = split.kept, high = -1;  // kept rows that the block needs
    for (Index i = 0; i < count; ++i) {
      const Stencil s = stencil(policy, split, tail, at + i);
      if (s.count > 0) low = std::min(low, s.from), high = std::max(high, s.from + s.count - 1);
    }
    if (high >= low) {
      kept.resize((high - low) * split.stride + 1, table.channels);
      table.read(low * split.stride, kept.rows(), kept.data());
    }
    for (Index i = 0; i < count; ++i) {
      const Stencil s = stencil(policy, split, tail, at + i);
      scored[static_cast<std::size_t>(i)] = s.count > 0;
      guess.row(i).setZero();
      for (int k = 0; k < s.count; ++k)
        guess.row(i) += s.weight[static_cast<std::size_t>(k)] * kept.row((s.from + k - low) * split.stride);
    }
  });
}

/// Channels + (channels odd) cosines and sines, w_i = 10000^(-2i / channels).
struct Trigonometric {
  std::vector<math::Turn> turn;
  explicit Trigonometric(Index channels) {
    for (Index i = 0; i < (channels + 1) / 2; ++i)
      turn.push_back(math::turn_from(pow(math::Real(10000), -math::Real(2 * i) / channels) / math::two_pi()));
  }
  Index size() const { return 2 * static_cast<Index>(turn.size()); }
  void rows(Pos first, Pos stride, Index count, double* out) const {
    std::vector<math::Turn> at(turn.size());
    for (Index i = 0; i < count; ++i, out += size()) {
      for (std::size_t j = 0; j < turn.size(); ++j) at[j] = math::times(first + stride * i, turn[j]);
      math::sincos_turns(at, out, out + at.size());
    }
  }
};

double fitted(const TableReader& table, const Split& split, double noise_variance) {
  const Trigonometric wave(table.channels);
  const math::Ridge ridge(
      wave.size(), split.kept,
      [&](std::int64_t first, std::int64_t count, double* rows) { wave.rows(first * split.stride, split.stride, count, rows); },
      noise_variance, split.kept);
  Eigen::MatrixXd coefficients = Eigen::MatrixXd::Zero(wave.size(), table.channels);
  Matrix kept((block - 1) * split.stride + 1, table.channels), phi(block, wave.size()), y(block, table.channels);
  for (Pos at = 0; at < split.kept; at += block) {
    const Index count = std::min<Pos>(block, split.kept - at);
    table.read(at * split.stride, (count - 1) * split.stride + 1, kept.data());
    wave.rows(at * split.stride, split.stride, count, phi.data());
    for (Index i = 0; i < count; ++i) y.row(i) = kept.row(i * split.stride);
    coefficients.noalias() += ridge.scale() * phi.topRows(count).transpose() * y.topRows(count);
  }
  ridge.solve(coefficients);
  return compare(table, split, [&](Pos at, Index count, Matrix& guess, std::vector<char>& scored) {
    wave.rows(split.first + split.stride * at, split.stride, count, phi.data());
    guess.topRows(count).noalias() = ridge.scale() * phi.topRows(count) * coefficients;
    std::fill_n(scored.begin(), count, char{1});
  });
}

double error(const TableReader& table, TablePolicy policy, const Split& split, bool tail, double noise_variance) {
  if (split.kept < 1 || split.held < 1) return std::numeric_limits<double>::quiet_NaN();
  if (policy == TablePolicy::trigonometric) return fitted(table, split, noise_variance);
  return interpolated(table, policy, split, tail);
}

}  // namespace

double reconstruction_error(const TableReader& table, TablePolicy policy, double noise_variance) {
  return error(table, policy, odd_rows(table.rows), false, noise_variance);
}
double reconstruction_error_white(Pos rows, TablePolicy policy) {
  const Split split = odd_rows(rows);
  for (Pos held = 0; held < split.held; ++held) {
    const Stencil s = stencil(policy, split, false, held);
    if (s.count == 0) continue;
    double sum = 1;  // the stencil is the same at every row that has its neighbours
    for (int k = 0; k < s.count; ++k) sum += s.weight[static_cast<std::size_t>(k)] * s.weight[static_cast<std::size_t>(k)];
    return std::sqrt(sum);
  }
  return std::numeric_limits<double>::quiet_NaN();
}
double reconstruction_error_tail(const TableReader& table, TablePolicy policy, double noise_variance) {
  return error(table, policy, tail_rows(table.rows), true, noise_variance);
}

}  // namespace posenc::analyses
