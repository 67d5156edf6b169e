#include "model/views/position_code.hpp"

#include "math/cosine_sum.hpp"
#include "math/parallel.hpp"
#include "model/views/rotary_rows.hpp"
#include "model/views/traits.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace posenc::model {
namespace {

Points of_rotary(const Encoding& e, const Rotary& r, Index head) {
  Points p;
  const Index P = r.head_dim / 2;
  if (!e.point) p.spectrum = spectrum(e, head);
  Index constant = P - r.pairs();
  if (r.mix_cosine.empty())
    for (Index j = 0; j < r.pairs(); ++j) {
      bool turns = false;
      for (Index axis = 0; axis < r.axes; ++axis) turns |= r.at(head, axis, j).turn != math::Turn{};
      constant += !turns;
    }
  p.constant = p.spectrum ? p.spectrum->constant_share() : static_cast<double>(constant) / static_cast<double>(P);
  p.channels = 2 * P;
  Rotary unit = r;
  unit.attention_factor = 1;
  p.rows = [e, r = std::move(unit), head, P](Pos first, Eigen::Ref<Matrix> rows) {
    Matrix cosine(rows.rows(), r.pairs()), sine(rows.rows(), r.pairs());
    if (r.pairs() > 0) rotary_rows(e, r, head, first, cosine, sine);
    rows.leftCols(P).setOnes(), rows.rightCols(P).setZero();
    rows.leftCols(r.pairs()) = cosine, rows.middleCols(P, r.pairs()) = sine;
  };
  return p;
}

Points of_table(const AbsoluteTable& a) {
  Points p;
  if (const auto* f = a.rows->spectrum(); f && !a.row_of) p.spectrum = spectrum_of(*f);
  p.channels = a.rows->channels();
  if (const auto count = a.rows->count(); count && !a.row_of) p.count = std::max<Pos>(0, *count - a.first_row);
  p.rows = [a](Pos first, Eigen::Ref<Matrix> rows) {
    // Runs of consecutive rows are read together.
    for (Index i = 0; i < rows.rows();) {
      Index run = 1;
      while (i + run < rows.rows() && a.row(first + i + run) == a.row(first + i) + run) ++run;
      a.rows->block(a.row(first + i), rows.middleRows(i, run));
      i += run;
    }
  };
  return p;
}

std::array<Pos, 2> mapped(const Encoding& e, Pos m, Pos n) { return e.pair_map ? e.pair_map(m, n) : std::array<Pos, 2>{m, n}; }

/// Splits the classes of the lags further by a second number; `joined(a, b)` for neighbours in order of that number.
template <class Value, class Joined>
void refine(std::vector<Pos>& classes, const std::vector<Value>& value, const Joined& joined) {
  std::vector<std::size_t> order(classes.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return std::tie(classes[a], value[a], a) < std::tie(classes[b], value[b], b); });
  std::vector<Pos> next(classes.size());
  for (std::size_t i = 1; i < order.size(); ++i) {
    const std::size_t a = order[i - 1], b = order[i];
    next[b] = next[a] + !(classes[a] == classes[b] && joined(value[a], value[b]));
  }
  classes = std::move(next);
}

void number_by_first_lag(std::vector<Pos>& classes) {
  std::vector<Pos> number(classes.size(), -1);
  Pos next = 0;
  for (Pos& c : classes) {
    Pos& n = number[static_cast<std::size_t>(c)];
    if (n < 0) n = next++;
    c = n;
  }
}

/// The integers that the scheme itself computes from (m, n), one list a source; equal lists once.
std::vector<std::vector<Pos>> indices(const Encoding& e, Pos lags) {
  std::vector<std::vector<Pos>> lists;
  const auto add = [&](const std::function<Pos(Pos, Pos)>& index) {
    std::vector<Pos> list(static_cast<std::size_t>(lags));
    math::parallel_blocks(lags, 4096, [&](Pos first, Pos count) {
      for (Pos s = first; s < first + count; ++s) {
        const auto [m, n] = mapped(e, lags - 1, lags - 1 - s);
        list[static_cast<std::size_t>(s)] = index(m, n);
      }
    });
    if (std::find(lists.begin(), lists.end(), list) == lists.end()) lists.push_back(std::move(list));
  };
  for (const Term& t : e.terms)
    std::visit(match{[&](const Rotary&) { add([](Pos m, Pos n) { return m - n; }); },
                     [&](const RelativeVectors& r) {
                       if (r.at_query) add(r.at_query->index);
                       if (r.at_key) add(r.at_key->index);
                     },
                     [&](const Bias& b) {
                       if (b.bucket) add(b.bucket);
                     },
                     [](const AbsoluteTable&) {}, [](const Contextual&) {}},
               t);
  return lists;
}

}  // namespace

std::optional<Points> points(const Encoding& e, Index head) {
  const Traits t = traits(e);
  if (t.kind == Kind::rotary)
    return form<Rotary>(e)->hyperbolic ? std::nullopt : std::optional(of_rotary(e, *form<Rotary>(e), head));
  if (t.kind == Kind::table) return table_points(e);
  return {};
}

std::optional<Points> table_points(const Encoding& e) {
  const auto* a = form<AbsoluteTable>(e);
  return a ? std::optional(of_table(*a)) : std::nullopt;
}

Spectrum spectrum_of(const std::vector<Frequency>& frequencies) {
  Spectrum s;
  for (const Frequency& f : frequencies) s.turn.push_back(f.turn), s.theta.push_back(f.theta);
  s.amplitude.assign(s.turn.size(), 1.0);
  s.rotated = s.pairs();
  return s;
}

std::optional<math::LagCurve> lag_curve(const Encoding& e, const Points& p, Pos positions) {
  if (!p.spectrum) return {};
  const auto s = std::make_shared<const Spectrum>(*p.spectrum);
  const auto weight = std::make_shared<const std::vector<double>>(s->turn.size(), 1.0 / static_cast<double>(s->pairs()));
  math::LagCurve curve;
  if (!e.pair_map) {
    curve.fast = [s](Pos first, std::span<double> out) { kappa(*s, first, out); };
    curve.exact = [s, weight](std::span<const Pos> lags, std::span<double> out) {
      math::cosine_deficit_at(s->turn, *weight, s->log_damping, lags, out);
    };
    if (!s->log_damping.empty()) {
      double slowest = -std::numeric_limits<double>::infinity();  // of the pairs that turn
      for (std::size_t j = 0; j < s->turn.size(); ++j)
        if (s->turn[j] != math::Turn{} || s->log_damping[j] != 0) slowest = std::max(slowest, s->log_damping[j]);
      // e^-36 < 2.4e-16
      if (slowest < -1e-12) curve.settled = static_cast<Pos>(std::ceil(36 / -slowest));
    }
    return curve;
  }
  const auto lags_of = [map = e.pair_map, last = positions - 1](auto first, std::size_t count) {
    std::vector<Pos> lags(count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto [m, n] = map(last, last - first(i));
      lags[i] = m - n;
    }
    return lags;
  };
  curve.fast = [s, weight, lags_of](Pos first, std::span<double> out) {
    const auto lags = lags_of([first](std::size_t i) { return first + static_cast<Pos>(i); }, out.size());
    math::cosine_sum_at(s->turn, *weight, s->log_damping, lags, out);
  };
  curve.exact = [s, weight, lags_of](std::span<const Pos> at, std::span<double> out) {
    const auto lags = lags_of([at](std::size_t i) { return at[i]; }, out.size());
    math::cosine_deficit_at(s->turn, *weight, s->log_damping, lags, out);
  };
  curve.lags = positions;
  return curve;
}

std::vector<Frequency> pair_frequencies(const Encoding& e, Index head) {
  if (const auto* r = form<Rotary>(e)) {
    if (r->hyperbolic) return {};
    const Index sets = (r->per_head ? r->heads : 1) * r->axes;
    const Index columns = static_cast<Index>(r->frequency.size()) / sets;
    std::vector<Frequency> out(static_cast<std::size_t>(r->mix_cosine.empty() ? r->head_dim / 2 : columns));
    for (Index axis = 0; axis < r->axes; ++axis)
      for (Index j = 0; j < columns; ++j) {
        const Frequency& f = r->frequency[static_cast<std::size_t>(((r->per_head ? head : 0) * r->axes + axis) * columns + j)];
        Frequency& sum = out[static_cast<std::size_t>(j)];
        sum = {sum.turn + f.turn, sum.theta + f.theta};
      }
    return out;
  }
  const auto of_rows = [](const Rows& rows) {
    const auto* f = rows.spectrum();
    return f ? *f : std::vector<Frequency>{};
  };
  if (const auto* a = form<AbsoluteTable>(e)) return a->row_of ? std::vector<Frequency>{} : of_rows(*a->rows);
  if (const auto* v = form<RelativeVectors>(e); v && v->at_query && v->at_query->by_lag_one_to_one)
    return of_rows(*v->at_query->rows);
  return {};
}

std::vector<Pos> lag_classes(const Encoding& e, Pos lags) {
  const Traits t = traits(e);
  const bool by_class = t.kind == Kind::relative || t.kind == Kind::bias || t.kind == Kind::none;
  if (!by_class && !(t.kind == Kind::rotary && e.pair_map)) return {};
  const auto lists = indices(e, lags);
  std::vector<const Bias*> biases;
  for (const Term& term : e.terms)
    if (const auto* b = std::get_if<Bias>(&term); b && !b->bucket) biases.push_back(b);
  if (biases.empty() && lists.size() == 1) return lists[0];

  std::vector<Pos> classes(static_cast<std::size_t>(lags));
  for (const auto& list : lists) refine(classes, list, std::equal_to<>());
  for (const Bias* b : biases)
    for (Index head = 0; head < b->heads; ++head) {
      std::vector<double> value(classes.size());
      math::parallel_blocks(lags, 4096, [&](Pos first, Pos count) {
        for (Pos s = first; s < first + count; ++s) {
          const auto [m, n] = mapped(e, lags - 1, lags - 1 - s);
          value[static_cast<std::size_t>(s)] = b->value(head, m, n);
        }
      });
      refine(classes, value, [](double a, double c) { return !(std::abs(a - c) >= math::lag_tie); });
      if (*std::max_element(classes.begin(), classes.end()) == lags - 1) break;  // every lag is told apart
    }
  number_by_first_lag(classes);
  return classes;
}

void bias_by_lag(const Encoding& e, Index head, Pos query, Pos first_lag, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  for (const Term& term : e.terms)
    if (const auto* b = std::get_if<Bias>(&term))
      math::parallel_blocks(static_cast<Pos>(out.size()), 4096, [&](Pos first, Pos count) {
        for (Pos i = first; i < first + count; ++i) {
          const auto [m, n] = mapped(e, query, query - first_lag - i);
          out[static_cast<std::size_t>(i)] += b->value(std::min(head, b->heads - 1), m, n);
        }
      });
}

}  // namespace posenc::model
