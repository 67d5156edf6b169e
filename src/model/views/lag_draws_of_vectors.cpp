#include "math/random.hpp"
#include "model/views/lag_content_draws.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::model {
namespace {

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
    if (content(form_.at_query)) query_drawn_ = row_products(q_, normal_draws(seed, "logits.query_vector", draws, q_.cols()));
    if (content(form_.at_key)) {
      const Matrix z = normal_draws(seed, "logits.key_vector", draws, q_.cols());
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

DrawsPointer table_draws(const Encoding& e, Index head, Positions p, Index draws, std::uint64_t seed) {
  return std::make_unique<TableDraws>(e, head, p, draws, seed);
}
DrawsPointer untied_draws(const Encoding& e, Index head, Positions p, Index draws, std::uint64_t seed, double factor) {
  return std::make_unique<UntiedDraws>(e, head, p, draws, seed, factor);
}
DrawsPointer relative_draws(const Encoding& e, Index head, Positions p, Index draws, std::uint64_t seed, double factor) {
  return std::make_unique<RelativeDraws>(e, head, p, draws, seed, factor);
}

}  // namespace posenc::model
