#include "analyses/precision_plan.hpp"
#include "math/parallel.hpp"
#include "math/random.hpp"

#include <cmath>

namespace posenc::analyses {
namespace {

using namespace model;

/// Rotations z = cos + i sin of the pairs that turn at positions first .. first + 255, [position][pair].
struct Rotations {
  std::vector<double> cosine, sine;
  Rotations(const math::RoundedPhases& phases, Pos first)
      : cosine(static_cast<std::size_t>(shift_positions * phases.pairs())), sine(cosine.size()) {
    const auto pairs = static_cast<std::size_t>(phases.pairs());
    for (std::size_t i = 0; i < static_cast<std::size_t>(shift_positions); ++i)
      phases.row(first + static_cast<Pos>(i), std::span(cosine).subspan(i * pairs, pairs),
                 std::span(sine).subspan(i * pairs, pairs));
  }
};

/// With unit white q and k, the mean square of a score of one pair is 2 |z_m|^2 |z_n|^2, that of its change
/// 2 |conj(y_m) y_n - conj(z_m) z_n|^2. Sums over m and n, half of them: with y = w (z + e), w the unit number that brings y
/// nearest to z, A = sum |z|^2, E = sum |e|^2, X = sum z conj(e), which is real: the change is 2 A E + E^2 + 2 X^2 + 4 E X,
/// free of cancellation where the rounding is the same at both places.
double shift_error(const PrecisionPlan& plan, const Rotations& z, const Rotations& y) {
  const std::size_t pairs = plan.turn.size();
  // By pair: the sum of conj(z) y, of |z|^2, of |e|^2 and of the real part of z conj(e).
  std::vector<double> real(pairs), imaginary(pairs), A(pairs), E(pairs), X(pairs);
  for (std::size_t first = 0; first < z.cosine.size(); first += pairs)
    for (std::size_t j = 0; j < pairs; ++j) {
      const double c = z.cosine[first + j], s = z.sine[first + j], far_c = y.cosine[first + j], far_s = y.sine[first + j];
      real[j] += c * far_c + s * far_s, imaginary[j] += c * far_s - s * far_c;
      A[j] += c * c + s * s;
    }
  for (std::size_t j = 0; j < pairs; ++j) {
    const double length = std::hypot(real[j], imaginary[j]);
    real[j] = length > 0 ? real[j] / length : 1, imaginary[j] = length > 0 ? imaginary[j] / length : 0;
  }
  for (std::size_t first = 0; first < z.cosine.size(); first += pairs)
    for (std::size_t j = 0; j < pairs; ++j) {
      const double c = z.cosine[first + j], s = z.sine[first + j], far_c = y.cosine[first + j], far_s = y.sine[first + j];
      const double off_c = real[j] * far_c + imaginary[j] * far_s - c, off_s = real[j] * far_s - imaginary[j] * far_c - s;
      E[j] += off_c * off_c + off_s * off_s, X[j] += c * off_c + s * off_s;
    }
  const auto n = static_cast<double>(shift_positions);
  double change = 0, norm = n * n * static_cast<double>(plan.constant);
  for (std::size_t j = 0; j < pairs; ++j) {
    change += 2 * A[j] * E[j] + E[j] * E[j] + 2 * X[j] * X[j] + 4 * E[j] * X[j];
    norm += A[j] * A[j];
  }
  return std::sqrt(change / norm);
}

/// Seeded queries and keys at two of the positions.
struct Draws {
  std::size_t pairs, constant;
  std::vector<std::size_t> query, key;  // positions
  std::vector<double> content;          // [draw][q of each channel, k of each channel]
  Draws(const PrecisionPlan& plan, std::uint64_t seed, Pos samples)
      : pairs(plan.turn.size()), constant(static_cast<std::size_t>(plan.constant)) {
    const std::size_t width = 4 * (pairs + constant);
    content.resize(static_cast<std::size_t>(samples) * width);
    math::normal({seed, "precision content"}, 0, content);
    std::vector<double> places(2 * static_cast<std::size_t>(samples));
    math::uniform({seed, "precision positions"}, 0, places);
    for (std::size_t i = 0; i < places.size(); i += 2) {
      query.push_back(static_cast<std::size_t>(places[i] * static_cast<double>(shift_positions)));
      key.push_back(static_cast<std::size_t>(places[i + 1] * static_cast<double>(shift_positions)));
    }
  }

  std::vector<double> scores(const Rotations& z, const math::BinaryFormat* output) const {
    const auto stored = [&](double x) { return output && !std::isnan(x) ? math::round_to(*output, x) : x; };
    std::vector<double> out;
    for (std::size_t i = 0; i < query.size(); ++i) {
      const double* q = content.data() + i * 4 * (pairs + constant);
      const double* k = q + 2 * (pairs + constant);
      double sum = 0;
      for (std::size_t j = 0; j < pairs; ++j) {
        const double cq = z.cosine[query[i] * pairs + j], sq = z.sine[query[i] * pairs + j];
        const double ck = z.cosine[key[i] * pairs + j], sk = z.sine[key[i] * pairs + j];
        const double a = q[2 * j], b = q[2 * j + 1], c = k[2 * j], d = k[2 * j + 1];
        sum += stored(a * cq - b * sq) * stored(c * ck - d * sk) + stored(b * cq + a * sq) * stored(d * ck + c * sk);
      }
      for (std::size_t j = 2 * pairs; j < 2 * (pairs + constant); ++j) sum += stored(q[j]) * stored(k[j]);
      out.push_back(sum);
    }
    return out;
  }
};

double relative_rms(const std::vector<double>& x, const std::vector<double>& reference) {
  double change = 0, norm = 0;
  for (std::size_t i = 0; i < x.size(); ++i) change += std::pow(x[i] - reference[i], 2), norm += reference[i] * reference[i];
  return std::sqrt(change / norm);
}

}  // namespace

void write_shift_errors(const PrecisionPlan& plan, std::uint64_t seed, Pos samples, Sink& sink) {
  constexpr int shifts = last_shift - first_shift + 1;
  const Draws draws(plan, seed, samples);
  const std::vector<double> exact = draws.scores(Rotations(plan.phases({}), 0), nullptr);
  for (std::size_t r = 0; r < plan.recipes.size(); ++r) {
    throw_if_stop_requested();
    const Recipe& recipe = *plan.recipes[r];
    const math::RoundedPhases phases = plan.phases(recipe.stages);
    const Rotations near(phases, 0);
    const std::vector<double> near_scores = draws.scores(near, recipe.output);
    std::vector<double> closed(shifts), drawn(shifts), logit(shifts);
    math::parallel_for(shifts, [&](std::int64_t k) {
      const auto i = static_cast<std::size_t>(k);
      const Rotations far(phases, Pos{1} << (first_shift + k));
      const std::vector<double> scores = draws.scores(far, recipe.output);
      closed[i] = recipe.output && !recipe.stages.storage ? std::nan("") : shift_error(plan, near, far);
      drawn[i] = relative_rms(scores, near_scores), logit[i] = relative_rms(scores, exact);
    });
    sink.write("shift_error", r, closed);
    sink.write("shift_error_sampled", r, drawn);
    sink.write("logit_error", r, logit);
  }
}

}  // namespace posenc::analyses
