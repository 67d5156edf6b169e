#include "math/nearest_row.hpp"
#include "math/parallel.hpp"
#include "model/views/lag_forms.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::model {
namespace {

/// Logits of tables: q = x_m + p_m, k = x_n + p_n over D channels, scaled by 1/sqrt D.
class TableLags : public LagStatistics, protected LagPairs {
 public:
  TableLags(const Encoding& e, Index head, Positions p, Keys k)
      : LagPairs(e, head, p, k), channels_(static_cast<double>(form<AbsoluteTable>(e)->rows->channels())) {}

  void aligned(Pos first, std::span<double> out) const override {
    score(first, out);
    for (double& x : out) x *= query_scale() * std::sqrt(channels_);
    add_bias(first, out);
    mask(first, out);
  }
  void moments(Pos first, LogitMoments& out) const override {
    const double scale = query_scale() / std::sqrt(channels_), square = scale * scale;
    std::vector<double> mean(out.slope.size()), deviation(mean.size()), norm(mean.size());
    products(first, mean, deviation, norm);
    for (std::size_t i = 0; i < mean.size(); ++i) {
      out.slope[i] = scale * channels_;
      out.offset[i] = scale * mean[i];
      out.v0[i] = square * (channels_ + 2 * norm[i] + deviation[i] * deviation[i]);
      out.v1[i] = square * 2 * mean[i];
      out.v2[i] = square * channels_;
    }
    add_bias(first, out.offset);
  }
  void terms(Pos first, TermMoments& out) const override {
    norms(first, out.square[1], out.square[2], out.square[3]);
    const double each = content(1, head_dim()) / channels_;
    for (std::size_t i = 0; i < out.square[1].size(); ++i)
      out.square[1][i] *= each, out.square[2][i] *= each, out.square[3][i] *= each / channels_;
    add_common(first, out);
  }

 protected:
  /// Mean and deviation of p_m.p_n, and r^2.
  virtual void products(Pos first, std::span<double> mean, std::span<double> deviation, std::span<double> norm) const = 0;

  /// Means of |p_n|^2, |p_m|^2 and their product over the pairs of query m and key n at each lag.
  virtual void norms(Pos first, std::span<double> key, std::span<double> query, std::span<double> both) const = 0;

  double channels_;
};

class SinusoidalLags : public TableLags {
 public:
  SinusoidalLags(const Encoding& e, Index head, Positions p, Keys k, Spectrum s)
      : TableLags(e, head, p, k), spectrum_(std::move(s)) {}
  void score(Pos first, std::span<double> out) const override { kappa(spectrum_, first, out); }

 private:
  void products(Pos first, std::span<double> mean, std::span<double> deviation, std::span<double> norm) const override {
    const auto pairs = static_cast<double>(spectrum_.pairs());
    kappa(spectrum_, first, mean);
    for (double& g : mean) g *= pairs;
    std::fill(deviation.begin(), deviation.end(), 0.0);
    std::fill(norm.begin(), norm.end(), pairs);
  }
  void norms(Pos, std::span<double> key, std::span<double> query, std::span<double> both) const override {
    const auto pairs = static_cast<double>(spectrum_.pairs());
    std::fill(key.begin(), key.end(), pairs), std::fill(query.begin(), query.end(), pairs);
    std::fill(both.begin(), both.end(), pairs * pairs);
  }
  Spectrum spectrum_;
};

/// Squared norms of rows, and their means over the pairs of rows at each lag.
struct RowNorms {
  std::vector<double> square, earlier, later;

  RowNorms() = default;
  explicit RowNorms(const Matrix& p) : square(static_cast<std::size_t>(p.rows())), earlier(square.size()), later(square.size()) {
    for (Index m = 0; m < p.rows(); ++m)
      square[static_cast<std::size_t>(m)] = dot(p.row(m).data(), p.row(m).data(), p.cols());
    double head = 0, tail = 0;  // over the first and the last L - s rows
    for (std::size_t n = 1, L = square.size(); n <= L; ++n) {
      head += square[n - 1], tail += square[L - n];
      earlier[L - n] = head / static_cast<double>(n), later[L - n] = tail / static_cast<double>(n);
    }
  }
  /// r^2 of a lag.
  double mean(std::size_t lag) const { return (earlier[lag] + later[lag]) / 2; }
};

class GramLags : public TableLags {
 public:
  GramLags(const Encoding& e, Index head, Positions p, Keys k) : TableLags(e, head, p, k) {
    const Matrix rows = rows_at(*form<AbsoluteTable>(e), p.first, static_cast<Index>(p.count));
    norms_ = RowNorms(rows);
    mean_.resize(static_cast<std::size_t>(p.count)), deviation_.resize(mean_.size());
    math::products_by_lag(rows.data(), rows.data(), rows.rows(), rows.cols(), p.count, mean_, deviation_);
  }
  void score(Pos first, std::span<double> out) const override { ratio(mean_, first, out); }
  void spread(Pos first, std::span<double> out) const override { ratio(deviation_, first, out); }

 private:
  void ratio(const std::vector<double>& of, Pos first, std::span<double> out) const {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto s = static_cast<std::size_t>(first) + i;
      out[i] = of[s] / norms_.mean(s);
    }
  }
  void products(Pos first, std::span<double> mean, std::span<double> deviation, std::span<double> norm) const override {
    std::copy_n(mean_.begin() + first, mean.size(), mean.begin());
    std::copy_n(deviation_.begin() + first, deviation.size(), deviation.begin());
    for (std::size_t i = 0; i < norm.size(); ++i) norm[i] = norms_.mean(static_cast<std::size_t>(first) + i);
  }
  void norms(Pos first, std::span<double> key, std::span<double> query, std::span<double> both) const override {
    const bool before = keys_ == Keys::before;
    std::copy_n((before ? norms_.earlier : norms_.later).begin() + first, key.size(), key.begin());
    std::copy_n((before ? norms_.later : norms_.earlier).begin() + first, query.size(), query.begin());
    std::vector<double> mean(norms_.square.size()), deviation(mean.size());
    math::products_by_lag(norms_.square.data(), norms_.square.data(), std::ssize(mean), 1, std::ssize(mean), mean, deviation);
    std::copy_n(mean.begin() + first, both.size(), both.begin());
  }
  std::vector<double> mean_, deviation_;
  RowNorms norms_;
};

/// Logits of positions alone, (p_m U_q + b_q).(p_n U_k + b_k) scaled, plus the biases; content on top.
class UntiedLags : public LagStatistics, LagPairs {
 public:
  UntiedLags(const Encoding& e, Index head, Positions p, Keys k) : LagPairs(e, head, p, k) {
    Matrix q, key;
    untied_products(e, head, p, q, key);
    mean_.resize(static_cast<std::size_t>(p.count)), deviation_.resize(mean_.size());
    const Matrix &earlier = k == Keys::before ? key : q, &later = k == Keys::before ? q : key;
    math::products_by_lag(earlier.data(), later.data(), q.rows(), q.cols(), p.count, mean_, deviation_);
  }
  void score(Pos first, std::span<double> out) const override {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = scale() * mean_[static_cast<std::size_t>(first) + i];
    add_bias(first, out);
  }
  void spread(Pos first, std::span<double> out) const override {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = scale() * deviation_[static_cast<std::size_t>(first) + i];
  }
  void aligned(Pos first, std::span<double> out) const override {
    score(first, out);
    mask(first, out);
  }
  void moments(Pos first, LogitMoments& out) const override {
    const double content = scale() * scale() * head_dim();
    spread(first, out.v0);
    for (double& v : out.v0) v = content + v * v;
    std::fill(out.slope.begin(), out.slope.end(), scale() * head_dim());
    score(first, out.offset);
    std::fill(out.v1.begin(), out.v1.end(), 0.0);
    std::fill(out.v2.begin(), out.v2.end(), content);
  }
  void terms(Pos first, TermMoments& out) const override {
    for (std::size_t i = 0; i < out.mean[3].size(); ++i) {
      const double mean = scale() * mean_[static_cast<std::size_t>(first) + i],
                   deviation = scale() * deviation_[static_cast<std::size_t>(first) + i];
      out.mean[3][i] = mean, out.square[3][i] = mean * mean + deviation * deviation;
    }
    add_common(first, out);
  }

 private:
  std::vector<double> mean_, deviation_;
};

}  // namespace

double dot(const double* a, const double* b, Index size) {
  std::array<double, 8> part{};
  Index i = 0;
  for (; i + 8 <= size; i += 8)
    for (Index j = 0; j < 8; ++j) part[static_cast<std::size_t>(j)] += a[i + j] * b[i + j];
  for (; i < size; ++i) part[0] += a[i] * b[i];
  return ((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7]));
}

Matrix rows_at(const AbsoluteTable& table, Pos first, Index count) {
  Matrix out(count, table.rows->channels());
  if (!table.row_of)
    table.rows->block(table.row(first), out);
  else
    for (Index i = 0; i < count; ++i) table.rows->block(table.row(first + i), out.middleRows(i, 1));
  return out;
}

void untied_products(const Encoding& e, Index head, Positions p, Matrix& query, Matrix& key) {
  const auto& table = *form<AbsoluteTable>(e);
  const auto& u = std::get<Untied>(table.entry);
  const Index d = u.query.cols() / u.heads;
  const Matrix rows = rows_at(table, p.first, static_cast<Index>(p.count));
  query = rows * u.query.middleCols(head * d, d), key = rows * u.key.middleCols(head * d, d);
  if (u.query_bias.size()) query.rowwise() += u.query_bias.segment(head * d, d).transpose();
  if (u.key_bias.size()) key.rowwise() += u.key_bias.segment(head * d, d).transpose();
}

StatisticsPointer table_lags(const Encoding& e, Index head, Positions positions, Keys keys) {
  if (auto s = spectrum(e, head)) return std::make_unique<SinusoidalLags>(e, head, positions, keys, std::move(*s));
  return std::make_unique<GramLags>(e, head, positions, keys);
}
StatisticsPointer untied_lags(const Encoding& e, Index head, Positions positions, Keys keys) {
  return std::make_unique<UntiedLags>(e, head, positions, keys);
}

}  // namespace posenc::model
