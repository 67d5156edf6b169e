#pragma once
// model: draws of the content of queries and keys, to which each form adds its own. For source files of views.
#include "model/views/lag_draws.hpp"
#include "model/views/lag_forms.hpp"

namespace posenc::model {

/// [draw][channel], standard normal, from the stream of that name.
Matrix normal_draws(std::uint64_t seed, const char* name, Index draws, Index channels);
/// The products of the rows of a with those of b, one by one.
Vector row_products(const Matrix& a, const Matrix& b);

/// q.k of content over `channels`, all parts but the biases scaled by `factor`.
class ContentDraws : public LogitDraws, protected LagPairs {
 public:
  ContentDraws(const Encoding& e, Index head, Positions p, Index draws, std::uint64_t seed, Index channels, double factor);
  LogitParts parts(std::span<const Pos> lags) const override;

 protected:
  static constexpr Index lag_block = 8;
  /// Adds to (or replaces) rows 0 .. lags.size() - 1 of an unscaled block of lag_block rows, so that every product of matrices
  /// has one shape.
  virtual void add(std::span<const Pos> lags, LogitParts& block) const = 0;

  Matrix q_, e_;         // [draw][channel]
  Vector self_, cross_;  // |q|^2, q.e

 private:
  double factor_;
};

using DrawsPointer = std::unique_ptr<LogitDraws>;
DrawsPointer table_draws(const Encoding& e, Index head, Positions p, Index draws, std::uint64_t seed);
DrawsPointer untied_draws(const Encoding& e, Index head, Positions p, Index draws, std::uint64_t seed, double factor);
DrawsPointer relative_draws(const Encoding& e, Index head, Positions p, Index draws, std::uint64_t seed, double factor);

}  // namespace posenc::model
