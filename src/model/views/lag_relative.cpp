#include "math/parallel.hpp"
#include "model/views/lag_forms.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::model {
namespace {

constexpr Pos block = 1024;
using Side = RelativeVectors::Side;

bool through_content(const std::optional<Side>& side) { return side && side->through == RelativeVectors::Through::content; }

/// Logit = scale (q.k + q.a + c.k + u.k + v.a) + biases. Vectors through the content's own weights W ~ N(0, 1/D) have
/// independent channels of variance |p|^2 / D, uncorrelated between the two sides.
class RelativeLags : public LagStatistics, LagPairs {
 public:
  RelativeLags(const Encoding& e, Index head, Positions p, Keys k) : LagPairs(e, head, p, k), form_(*form<RelativeVectors>(e)) {}

  void score(Pos first, std::span<double> out) const override {
    each(first, static_cast<Pos>(out.size()), [&](std::size_t i, const Norms& x) { out[i] = scale() * x.free; });
  }
  void spread(Pos first, std::span<double> out) const override {
    each(first, static_cast<Pos>(out.size()), [&](std::size_t i, const Norms& x) {
      const double same_token = first + static_cast<Pos>(i) == 0 ? 2 * x.same : 0;
      out[i] = scale() * std::sqrt(x.query + x.key + same_token);
    });
  }
  void aligned(Pos first, std::span<double> out) const override {
    score(first, out);
    add_bias(first, out);
    mask(first, out);
  }
  void moments(Pos first, LogitMoments& out) const override {
    const double d = head_dim(), square = scale() * scale();
    each(first, static_cast<Pos>(out.slope.size()), [&](std::size_t i, const Norms& x) {
      out.slope[i] = scale() * d;
      out.offset[i] = scale() * x.free;
      out.v0[i] = square * (d + x.query + x.key_and_u);
      out.v1[i] = square * 2 * x.both;
      out.v2[i] = square * d;
    });
    add_bias(first, out.offset);
  }
  void terms(Pos first, TermMoments& out) const override {
    const double square = scale() * scale();
    each(first, static_cast<Pos>(out.mean[0].size()), [&](std::size_t i, const Norms& x) {
      out.square[1][i] = square * x.query, out.square[2][i] = square * x.key_and_u;
      out.mean[3][i] = scale() * x.free, out.square[3][i] = square * x.free * x.free;
    });
    add_common(first, out);
  }

 private:
  /// |a|^2, |c|^2, |c + u|^2, a.(c + u), v.a, and the covariance of q.a and c.k when both tokens are one (through content).
  struct Norms {
    double query = 0, key = 0, key_and_u = 0, both = 0, free = 0, same = 0;
  };

  template <class Use>
  void each(Pos first, Pos count, const Use& use) const {
    math::parallel_blocks(count, block, [&](Pos at, Pos some) {
      const auto vectors = [&](const std::optional<Side>& side) {
        return side ? relative_vectors(form_, *side, head_, first + at, static_cast<Index>(some),
                                       [this](Pos lag) { return mapped(lag); })
                    : Matrix();
      };
      const Matrix a = vectors(form_.at_query), c = vectors(form_.at_key);
      for (Index i = 0; i < static_cast<Index>(some); ++i) use(static_cast<std::size_t>(at + i), norms(a, c, i));
    });
  }

  Norms norms(const Matrix& a, const Matrix& c, Index i) const {
    Norms x;
    const Index d = form_.head_dim;
    const auto expected = [&](double length, const Side& side) {
      return static_cast<double>(d) * length * length / static_cast<double>(side.rows->channels());
    };
    if (through_content(form_.at_query))
      x.query = expected(a(i, 0), *form_.at_query);
    else if (form_.at_query) {
      x.query = dot(a.row(i).data(), a.row(i).data(), d);
      if (form_.v) x.free = dot(form_.v->row(head_).data(), a.row(i).data(), d);
    }
    Vector met = form_.u ? Vector(form_.u->row(head_)) : Vector(Vector::Zero(d));
    if (through_content(form_.at_key)) {
      x.key = expected(c(i, 0), *form_.at_key);
      x.key_and_u = x.key + dot(met.data(), met.data(), d);
      if (through_content(form_.at_query))  // sum over channels of (x.p_a / D)(x.p_c / D), p_a and p_c one row
        x.same = x.key / static_cast<double>(form_.at_key->rows->channels());
      return x;
    }
    if (form_.at_key) {
      x.key = dot(c.row(i).data(), c.row(i).data(), d);
      met += c.row(i).transpose();
    }
    x.key_and_u = dot(met.data(), met.data(), d);
    if (form_.at_query && !through_content(form_.at_query)) x.both = dot(a.row(i).data(), met.data(), d);
    return x;
  }

  const RelativeVectors& form_;
};

}  // namespace

Matrix relative_vectors(const RelativeVectors& r, const Side& side, Index head, Pos first, Index count,
                        const std::function<std::array<Pos, 2>(Pos lag)>& pair) {
  std::vector<Pos> index(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i) {
    const auto [m, n] = pair(first + i);
    index[static_cast<std::size_t>(i)] = side.index(m, n);
  }
  const auto [low, high] = std::minmax_element(index.begin(), index.end());
  const bool together = *high - *low < 2 * count;
  Matrix rows(together ? static_cast<Index>(*high - *low + 1) : count, side.rows->channels());
  if (together)
    side.rows->block(*low, rows);
  else
    for (Index i = 0; i < count; ++i) side.rows->block(index[static_cast<std::size_t>(i)], rows.middleRows(i, 1));
  const Index d = r.head_dim;
  Matrix vectors;
  switch (side.through) {
    case RelativeVectors::Through::as_is:
      vectors = r.shared ? rows : Matrix(rows.middleCols(head * d, d));
      break;
    case RelativeVectors::Through::given:
      vectors = rows * side.weights.middleCols(head * d, d);
      break;
    case RelativeVectors::Through::content:
      vectors.resize(rows.rows(), 1);
      for (Index i = 0; i < rows.rows(); ++i) vectors(i, 0) = std::sqrt(dot(rows.row(i).data(), rows.row(i).data(), rows.cols()));
      break;
  }
  if (!together) return vectors;
  Matrix out(count, vectors.cols());
  for (Index i = 0; i < count; ++i) out.row(i) = vectors.row(static_cast<Index>(index[static_cast<std::size_t>(i)] - *low));
  return out;
}

StatisticsPointer relative_lags(const Encoding& e, Index head, Positions positions, Keys keys) {
  return std::make_unique<RelativeLags>(e, head, positions, keys);
}

}  // namespace posenc::model
