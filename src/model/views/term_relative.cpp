#include "model/views/term_forms.hpp"

#include <algorithm>
#include <limits>

namespace posenc::model {
namespace {

/// A side's vectors of one head, one row a table row that the pairs use; cached so that each row is projected once.
struct SideVectors {
  const RelativeVectors& form;
  const RelativeVectors::Side& side;
  Index head;
  const Matrix& content_weights;
  Pos first = 0;
  Matrix vectors;

  void load(Pos low, Pos high) {
    first = low;
    Matrix rows(high - low + 1, side.rows->channels());
    side.rows->block(low, rows);
    const Index d = form.head_dim;
    switch (side.through) {
      case RelativeVectors::Through::as_is:
        vectors = form.shared ? rows : Matrix(rows.middleCols(head * d, d));
        break;
      case RelativeVectors::Through::given:
        vectors = rows * side.weights.middleCols(head * d, d);
        break;
      case RelativeVectors::Through::content:
        vectors = rows * content_weights;
        break;
    }
  }
};

}  // namespace

void add_relative(const Encoding& e, const RelativeVectors& r, Index head, const Tokens& c, const Matrix& q, const Matrix& k,
                  Terms& t) {
  const auto side = [&](const RelativeVectors::Side& s, const Matrix& weights, auto&& use) {
    Pos low = std::numeric_limits<Pos>::max(), high = -1;
    each_pair(e, c, [&](Index, Index, Pos m, Pos n) {
      if (e.causal && n > m) return;
      low = std::min(low, s.index(m, n)), high = std::max(high, s.index(m, n));
    });
    if (high < low) return;
    SideVectors a{r, s, head, weights, 0, {}};
    a.load(low, high);
    each_pair(e, c, [&](Index i, Index j, Pos m, Pos n) {
      if (e.causal && n > m) return;
      use(i, j, a.vectors.row(s.index(m, n) - a.first));
    });
  };
  if (r.at_query)
    side(*r.at_query, c.w_key, [&](Index i, Index j, const auto& a) {
      t.cp(i, j) += q.row(i).dot(a);
      if (r.v) t.pp(i, j) += r.v->row(head).dot(a);
    });
  if (r.at_key) side(*r.at_key, c.w_query, [&](Index i, Index j, const auto& a) { t.pc(i, j) += a.dot(k.row(j)); });
  if (r.u) t.pc.rowwise() += (k * r.u->row(head).transpose()).transpose();
}

}  // namespace posenc::model
