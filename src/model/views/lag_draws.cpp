#include "model/views/lag_draws.hpp"

#include "math/parallel.hpp"
#include "math/random.hpp"
#include "model/views/lag_forms.hpp"
#include "model/views/traits.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace posenc::model {
namespace {

constexpr Index lag_block = 8;

Matrix normals(std::uint64_t seed, const char* name, Index draws, Index channels) {
  Matrix out(draws, channels);
  const math::Stream stream(seed, name);
  math::parallel_blocks(draws, 64, [&](Pos first, Pos count) {
    const auto at = static_cast<std::size_t>(first * channels);
    math::normal(stream, at, {out.data() + at, static_cast<std::size_t>(count * channels)});
  });
  return out;
}

/// The products of the rows of a with those of b, one by one.
Vector row_products(const Matrix& a, const Matrix& b) {
  Vector out(a.rows());
  for (Index i = 0; i < a.rows(); ++i) out[i] = dot(a.row(i).data(), b.row(i).data(), a.cols());
  return out;
}

/// q.k of content alone; z the biases. The other forms add to it.
class ContentDraws : public LogitDraws, protected LagPairs {
 public:
  ContentDraws(const Encoding& e, Index head, Positions p, Index draws, std::uint64_t seed, Index channels, double factor)
      : LagPairs(e, head, p, Keys::before),
        q_(normals(seed, "logits.query", draws, channels)),
        e_(normals(seed, "logits.other", draws, channels)),
        self_(row_products(q_, q_)),
        cross_(row_products(q_, e_)),
        factor_(factor) {}

  LogitParts parts(std::span<const Pos> lags) const override {
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

 protected:
  /// Adds to (or replaces) rows 0 .. lags.size() - 1 of an unscaled block of lag_block rows, so that every product of matrices
  /// has one shape.
  virtual void add(std::span<const Pos> lags, LogitParts& block) const = 0;

  Matrix q_, e_;         // [draw][channel]
  Vector self_, cross_;  // |q|^2, q.e

 private:
  double factor_;
};

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
    rest_self_ = self_, rest_cross_ = cross_;  // less the rotated pairs: the pass-through channels
    for (Index i = 0; i < draws; ++i)
      for (Index j = 0; j < pairs; ++j) {
        const auto [a, b] = rotary_.channel[static_cast<std::size_t>(j)];
        square_(i, j) = q_(i, a) * q_(i, a) + q_(i, b) * q_(i, b);
        even_(i, j) = q_(i, a) * e_(i, a) + q_(i, b) * e_(i, b);
        odd_(i, j) = q_(i, b) * e_(i, a) - q_(i, a) * e_(i, b);
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
    block.y.noalias() = a * even_.transpose() + b * odd_.transpose();
    block.x.rowwise() += rest_self_.transpose(), block.y.rowwise() += rest_cross_.transpose();
  }

  const Rotary& rotary_;
  Matrix square_, even_, odd_;  // [draw][pair]
  Vector rest_self_, rest_cross_;
};

/// q = x_m + p_m, k = rho x_m + sqrt(1 - rho^2) e + p_n.
class TableDraws : public ContentDraws {
 public:
  TableDraws(const Encoding& e, Index head, Positions p, Index draws, std::uint64_t seed)
      : ContentDraws(e, head, p, draws, seed, width(e), (e.query_scale ? e.query_scale(p.last()) : 1.0) / std::sqrt(width(e))),
        table_(*form<AbsoluteTable>(e)),
        even_(!spectrum(e, head)) {
    if (!even_) return;
    rows_ = rows_at(table_, p.first, static_cast<Index>(p.count));
    at_.resize(static_cast<std::size_t>(draws));
    math::uniform({seed, "logits.position"}, 0, at_);
  }

 private:
  static Index width(const Encoding& e) { return form<AbsoluteTable>(e)->rows->channels(); }

  void add(std::span<const Pos> lags, LogitParts& block) const override {
    for (std::size_t s = 0; s < lags.size(); ++s) even_ ? over_pairs(lags[s], s, block) : at_last(lags[s], s, block);
  }
  void at_last(Pos lag, std::size_t s, LogitParts& block) const {
    const Matrix p = rows_at(table_, positions_.last(), 1), key = rows_at(table_, positions_.last() - lag, 1);
    for (Index i = 0; i < q_.rows(); ++i) one(i, p.data(), key.data(), static_cast<Index>(s), block);
  }
  void over_pairs(Pos lag, std::size_t s, LogitParts& block) const {
    for (Index i = 0; i < q_.rows(); ++i) {
      const Pos n = drawn(lag, i);
      one(i, rows_.row(n + lag).data(), rows_.row(n).data(), static_cast<Index>(s), block);
    }
  }
  Pos drawn(Pos lag, Index i) const {
    const auto pairs = static_cast<double>(positions_.count - lag);
    return std::min(positions_.count - lag - 1, static_cast<Pos>(at_[static_cast<std::size_t>(i)] * pairs));
  }
  void one(Index i, const double* query, const double* key, Index s, LogitParts& block) const {
    const Index D = q_.cols();
    const double *x = q_.row(i).data(), *e = e_.row(i).data();
    block.x(s, i) += dot(query, x, D), block.y(s, i) += dot(query, e, D);
    block.z(s, i) += dot(x, key, D) + dot(query, key, D);
  }

  const AbsoluteTable& table_;
  bool even_;  // the query of a draw is drawn evenly
  Matrix rows_;
  std::vector<double> at_;
};

class UntiedDraws : public ContentDraws {
 public:
  UntiedDraws(const Encoding& e, Index head, Positions p, Index draws, std::uint64_t seed, double factor)
      : ContentDraws(e, head, p, draws, seed, e.head_dim, factor), at_(static_cast<std::size_t>(draws)) {
    untied_products(e, head, p, query_, key_);
    math::uniform({seed, "logits.position"}, 0, at_);
  }

 private:
  void add(std::span<const Pos> lags, LogitParts& block) const override {
    for (std::size_t s = 0; s < lags.size(); ++s) {
      const Pos pairs = positions_.count - lags[s];
      for (Index i = 0; i < q_.rows(); ++i) {
        const Pos n = std::min(pairs - 1, static_cast<Pos>(at_[static_cast<std::size_t>(i)] * static_cast<double>(pairs)));
        block.z(static_cast<Index>(s), i) = dot(query_.row(n + lags[s]).data(), key_.row(n).data(), query_.cols());
      }
    }
  }

  std::vector<double> at_;
  Matrix query_, key_;
};

class RelativeDraws : public ContentDraws {
 public:
  RelativeDraws(const Encoding& e, Index head, Positions p, Index draws, std::uint64_t seed, double factor)
      : ContentDraws(e, head, p, draws, seed, form<RelativeVectors>(e)->head_dim, factor), form_(*form<RelativeVectors>(e)) {
    if (content(form_.at_query)) query_drawn_ = row_products(q_, normals(seed, "logits.query_vector", draws, q_.cols()));
    if (content(form_.at_key)) {
      const Matrix z = normals(seed, "logits.key_vector", draws, q_.cols());
      key_self_ = row_products(q_, z), key_cross_ = row_products(e_, z);
    }
  }

 private:
  static bool content(const std::optional<RelativeVectors::Side>& s) {
    return s && s->through == RelativeVectors::Through::content;
  }
  static double channel(double length, const RelativeVectors::Side& s) {
    return length / std::sqrt(static_cast<double>(s.rows->channels()));
  }
  void add(std::span<const Pos> lags, LogitParts& block) const override {
    Matrix a = Matrix::Zero(lag_block, q_.cols()), met = a;
    if (form_.u) met.rowwise() += form_.u->row(head_);
    for (std::size_t s = 0; s < lags.size(); ++s) {
      const auto row = static_cast<Index>(s);
      const auto vector = [&](const RelativeVectors::Side& side) {
        return relative_vectors(form_, side, head_, lags[s], 1, [this](Pos lag) { return mapped(lag); });
      };
      if (content(form_.at_query))
        block.z.row(row) += channel(vector(*form_.at_query)(0, 0), *form_.at_query) * query_drawn_.transpose();
      else if (form_.at_query) {
        a.row(row) = vector(*form_.at_query);
        if (form_.v) block.z.row(row).array() += dot(form_.v->row(head_).data(), a.row(row).data(), a.cols());
      }
      if (content(form_.at_key)) {
        const double each = channel(vector(*form_.at_key)(0, 0), *form_.at_key);
        block.x.row(row) += each * key_self_.transpose(), block.y.row(row) += each * key_cross_.transpose();
      } else if (form_.at_key) {
        met.row(row) += vector(*form_.at_key);
      }
    }
    block.z += a * q_.transpose();
    block.x += met * q_.transpose(), block.y += met * e_.transpose();
  }

  const RelativeVectors& form_;
  Vector query_drawn_, key_self_, key_cross_;  // products of the content with the drawn vectors, of unit variance a channel
};

}  // namespace

std::unique_ptr<LogitDraws> logit_draws(const Encoding& e, Index head, Positions p, Index draws, std::uint64_t seed) {
  if (const std::string reason = no_lag_statistics(e, p); !reason.empty()) throw std::logic_error("logit draws: " + reason);
  const double factor = LagPairs(e, head, p, Keys::before).scale();
  switch (traits(e).kind) {
    case Kind::rotary:
      return std::make_unique<RotaryDraws>(e, head, p, draws, seed, factor);
    case Kind::table:
      return std::make_unique<TableDraws>(e, head, p, draws, seed);
    case Kind::untied:
      return std::make_unique<UntiedDraws>(e, head, p, draws, seed, factor);
    case Kind::relative:
      return std::make_unique<RelativeDraws>(e, head, p, draws, seed, factor);
    default:
      return std::make_unique<BiasDraws>(e, head, p, draws, seed, e.head_dim, factor);
  }
}

}  // namespace posenc::model
