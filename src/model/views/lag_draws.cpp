#include "model/views/lag_draws.hpp"

#include "math/parallel.hpp"
#include "math/random.hpp"
#include "model/views/lag_content_draws.hpp"
#include "model/views/traits.hpp"

#include <stdexcept>

namespace posenc::model {

Matrix normal_draws(std::uint64_t seed, const char* name, Index draws, Index channels) {
  Matrix out(draws, channels);
  const math::Stream stream(seed, name);
  math::parallel_blocks(draws, 64, [&](Pos first, Pos count) {
    const auto at = static_cast<std::size_t>(first * channels);
    math::normal(stream, at, {out.data() + at, static_cast<std::size_t>(count * channels)});
  });
  return out;
}

Vector row_products(const Matrix& a, const Matrix& b) {
  Vector out(a.rows());
  for (Index i = 0; i < a.rows(); ++i) out[i] = dot(a.row(i).data(), b.row(i).data(), a.cols());
  return out;
}

ContentDraws::ContentDraws(const Encoding& e, Index head, Positions p, Index draws, std::uint64_t seed, Index channels,
                           double factor)
    : LagPairs(e, head, p, Keys::before),
      q_(normal_draws(seed, "logits.query", draws, channels)),
      e_(normal_draws(seed, "logits.other", draws, channels)),
      self_(row_products(q_, q_)),
      cross_(row_products(q_, e_)),
      factor_(factor) {}

LogitParts ContentDraws::parts(std::span<const Pos> lags) const {
  const auto size = static_cast<Index>(lags.size());
  LogitParts out{Matrix(size, q_.rows()), Matrix(size, q_.rows()), Matrix(size, q_.rows())};
  math::parallel_blocks(size, lag_block, [&](Pos first, Pos count) {
    LogitParts block{Matrix(lag_block, q_.rows()), Matrix(lag_block, q_.rows()), Matrix::Zero(lag_block, q_.rows())};
    block.x.rowwise() = self_.transpose(), block.y.rowwise() = cross_.transpose();
    const auto some = lags.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
    add(some, block);
    for (Index i = 0; i < static_cast<Index>(count); ++i) {
      double bias = 0;
      add_bias(some[static_cast<std::size_t>(i)], {&bias, 1});
      out.x.row(first + i) = factor_ * block.x.row(i), out.y.row(first + i) = factor_ * block.y.row(i);
      out.z.row(first + i) = (factor_ * block.z.row(i)).array() + bias;
    }
  });
  return out;
}

namespace {

class BiasDraws : public ContentDraws {
 public:
  using ContentDraws::ContentDraws;
  bool shifts_only() const override { return true; }

 private:
  void add(std::span<const Pos>, LogitParts&) const override {}
};

class RotaryDraws : public ContentDraws {
 public:
  RotaryDraws(const Encoding& e, Index head, Positions p, Index draws, std::uint64_t seed, double factor)
      : ContentDraws(e, head, p, draws, seed, form<Rotary>(e)->head_dim, factor), rotary_(*form<Rotary>(e)) {
    const Index pairs = rotary_.pairs();
    square_.resize(draws, pairs), even_.resize(draws, pairs), odd_.resize(draws, pairs);
    if (rotary_.hyperbolic) twice_.resize(draws, pairs);
    rest_self_ = self_, rest_cross_ = cross_;  // less the rotated pairs: the pass-through channels
    for (Index i = 0; i < draws; ++i)
      for (Index j = 0; j < pairs; ++j) {
        const auto [a, b] = rotary_.channel[static_cast<std::size_t>(j)];
        square_(i, j) = q_(i, a) * q_(i, a) + q_(i, b) * q_(i, b);
        even_(i, j) = q_(i, a) * e_(i, a) + q_(i, b) * e_(i, b);
        odd_(i, j) = q_(i, b) * e_(i, a) - q_(i, a) * e_(i, b);
        if (rotary_.hyperbolic) {
          odd_(i, j) = q_(i, b) * e_(i, a) + q_(i, a) * e_(i, b);
          twice_(i, j) = 2 * q_(i, a) * q_(i, b);
        }
        rest_self_[i] -= square_(i, j), rest_cross_[i] -= even_(i, j);
      }
  }

 private:
  void add(std::span<const Pos> lags, LogitParts& block) const override {
    Matrix a = Matrix::Zero(lag_block, rotary_.pairs()), b = a;
    for (std::size_t i = 0; i < lags.size(); ++i) {
      const auto [m, n] = mapped(lags[i]);
      const auto row = static_cast<Index>(i);
      relative_rotation(encoding_, rotary_, head_, m, n, a.row(row).data(), b.row(row).data());
    }
    block.x.noalias() = a * square_.transpose();
    if (rotary_.hyperbolic) block.x.noalias() += b * twice_.transpose();
    block.y.noalias() = a * even_.transpose() + b * odd_.transpose();
    block.x.rowwise() += rest_self_.transpose(), block.y.rowwise() += rest_cross_.transpose();
  }

  const Rotary& rotary_;
  Matrix square_, even_, odd_, twice_;  // [draw][pair]
  Vector rest_self_, rest_cross_;
};

}  // namespace

std::unique_ptr<LogitDraws> logit_draws(const Encoding& e, Index head, Positions p, Index draws, std::uint64_t seed) {
  if (const std::string reason = no_lag_statistics(e, p); !reason.empty()) throw std::logic_error("logit draws: " + reason);
  const double factor = LagPairs(e, head, p, Keys::before).scale();
  switch (traits(e).kind) {
    case Kind::rotary:
      return std::make_unique<RotaryDraws>(e, head, p, draws, seed, factor);
    case Kind::table:
      return table_draws(e, head, p, draws, seed);
    case Kind::untied:
      return untied_draws(e, head, p, draws, seed, factor);
    case Kind::relative:
      return relative_draws(e, head, p, draws, seed, factor);
    default:
      return std::make_unique<BiasDraws>(e, head, p, draws, seed, e.head_dim, factor);
  }
}

}  // namespace posenc::model
