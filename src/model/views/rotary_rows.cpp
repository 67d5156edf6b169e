#include "model/views/rotary_rows.hpp"

#include "math/phase_table.hpp"

#include <cmath>
#include <span>
#include <stdexcept>

namespace posenc::model {
namespace {

std::vector<math::Turn> text_turns(const std::vector<Frequency>& f, const Rotary& r, Index head, Index pairs) {
  std::vector<math::Turn> turns(static_cast<std::size_t>(pairs));
  for (Index axis = 0; axis < r.axes; ++axis)
    for (Index j = 0; j < pairs; ++j) {
      auto& t = turns[static_cast<std::size_t>(j)];
      t = t + f[static_cast<std::size_t>(((r.per_head ? head : 0) * r.axes + axis) * pairs + j)].turn;
    }
  return turns;
}

/// Rows of cos and sin of every frequency in `f` (`columns` of them a head and axis).
void phases(const Encoding& e, const Rotary& r, const std::vector<Frequency>& f, Index head, Index columns, Pos first,
            double amplitude, Eigen::Ref<Matrix> cosine, Eigen::Ref<Matrix> sine) {
  if (!e.point) {
    math::phase_table(text_turns(f, r, head, columns), first, cosine.rows(), cosine.data(), sine.data(), amplitude);
    return;
  }
  std::vector<math::Turn> turns(static_cast<std::size_t>(columns));
  for (Index i = 0; i < cosine.rows(); ++i) {
    const Point at = e.point(first + i);
    for (Index j = 0; j < columns; ++j) {
      math::Turn t;
      for (Index axis = 0; axis < r.axes; ++axis)
        t = t + math::times(at[static_cast<std::size_t>(axis)],
                            f[static_cast<std::size_t>(((r.per_head ? head : 0) * r.axes + axis) * columns + j)].turn);
      turns[static_cast<std::size_t>(j)] = t;
    }
    math::sincos_turns(turns, cosine.row(i).data(), sine.row(i).data());
  }
  cosine *= amplitude, sine *= amplitude;
}

Index columns_of(const Rotary& r) { return static_cast<Index>(r.frequency.size()) / (r.axes * (r.per_head ? r.heads : 1)); }

}  // namespace

void rotary_rows(const Encoding& e, const Rotary& r, Index head, Pos first, Matrix& cosine, Matrix& sine) {
  const Index count = cosine.rows();
  if (r.hyperbolic) throw std::logic_error("rotary rows: hyperbolic pairs do not rotate");
  if (!r.mix_cosine.empty()) {
    Matrix c(count, columns_of(r)), s(count, columns_of(r));
    phases(e, r, r.frequency, head, columns_of(r), first, r.attention_factor, c, s);
    const std::size_t h = r.mix_cosine.size() > 1 ? static_cast<std::size_t>(head) : 0;
    cosine = c * r.mix_cosine[h], sine = s * r.mix_sine[h];
    return;
  }
  const Index early = std::clamp<Pos>(r.early_until - first, 0, count);
  if (early > 0) phases(e, r, r.early, head, r.pairs(), first, 1.0, cosine.topRows(early), sine.topRows(early));
  if (early < count)
    phases(e, r, r.frequency, head, r.pairs(), first + early, r.attention_factor, cosine.bottomRows(count - early),
           sine.bottomRows(count - early));
}

std::array<double, 2> query_turn(const Rotary& r, Index head) {
  if (r.query_turn.empty()) return {1, 0};
  std::array<double, 2> out{};
  math::sincos_turns({&r.query_turn[static_cast<std::size_t>(head)], 1}, &out[0], &out[1]);
  return out;
}

void rotate(const Encoding& e, const Rotary& r, Index head, Side side, Pos start, Matrix& x) {
  Matrix cosine(x.rows(), r.pairs()), sine(x.rows(), r.pairs());
  rotary_rows(e, r, head, start, cosine, sine);
  if (const auto [c, s] = query_turn(r, head); side == Side::query && (c != 1 || s != 0)) {
    const Matrix plain = cosine;
    cosine = c * plain - s * sine, sine = c * sine + s * plain;
  }
  for (Index j = 0; j < r.pairs(); ++j) {
    const auto [a, b] = r.channel[static_cast<std::size_t>(j)];
    const double z = r.log_damping.empty() ? 0 : (side == Side::query ? 1 : -1) * r.log_damping[static_cast<std::size_t>(j)];
    for (Index i = 0; i < x.rows(); ++i) {
      const double g = z == 0 ? 1 : std::exp(z * (static_cast<double>(start + i) - r.damping_centre));
      const double xa = x(i, a), xb = x(i, b);
      x(i, a) = g * (xa * cosine(i, j) - xb * sine(i, j));
      x(i, b) = g * (xb * cosine(i, j) + xa * sine(i, j));
    }
  }
}

}  // namespace posenc::model
