#include "model/views/arrays.hpp"

#include "model/views/lag_forms.hpp"
#include "model/views/rotary_rows.hpp"
#include "model/views/traits.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

namespace posenc::model {
namespace {

using Out = std::vector<double*>;
using Groups = std::vector<ArrayGroup>;

Variable real(std::string name, std::vector<std::string> dims, std::string unit, std::string about, Type type = Type::f64) {
  return {std::move(name), type, std::move(dims), std::move(unit), std::move(about), {}};
}
Dimension axis(const char* name, Pos size) { return {name, static_cast<std::uint64_t>(size)}; }

/// The coordinate first, first + 1, ...
ArrayGroup counting(const char* name, Pos size, Pos first, const char* unit, const char* about) {
  return {{axis(name, size)}, {real(name, {name}, unit, about, Type::i64)}, [first](Pos at, Index count, const Out& out) {
            for (Index i = 0; i < count; ++i) out[0][i] = static_cast<double>(first + at + i);
          }};
}

/// A small matrix held in memory, [rows][columns] or [rows].
ArrayGroup constant(std::vector<Dimension> dims, Variable v, Matrix values) {
  return {std::move(dims), {std::move(v)}, [values = std::move(values)](Pos first, Index count, const Out& out) {
            std::copy_n(values.data() + first * values.cols(), count * values.cols(), out[0]);
          }};
}

ArrayGroup rows_of(const std::shared_ptr<const Rows>& rows, Dimension lead, const char* channel, Variable v,
                   std::function<Pos(Pos)> row) {
  const Index channels = rows->channels();
  return {{std::move(lead), axis(channel, channels)}, {std::move(v)}, [=](Pos first, Index count, const Out& out) {
            Matrix block(count, channels);
            if (row) {
              Matrix one(1, channels);
              for (Index i = 0; i < count; ++i) rows->block(row(first + i), one), block.row(i) = one;
            } else {
              rows->block(first, block);
            }
            std::copy_n(block.data(), block.size(), out[0]);
          }};
}

Matrix frequencies(const Rotary& r, Index head, Index axis_, bool wavelength) {
  Matrix out(r.pairs(), 1);
  for (Index j = 0; j < r.pairs(); ++j) {
    double theta = 0;
    for (Index a = 0; a < r.axes; ++a)
      if (axis_ < 0 || axis_ == a) theta += r.at(head, a, j).theta;
    out(j, 0) = !wavelength  ? theta
                : theta == 0 ? std::numeric_limits<double>::quiet_NaN()
                             : 2 * std::numbers::pi / std::abs(theta);
  }
  return out;
}

template <class Of>
Matrix by_head(Index heads, Index pairs, const Of& of) {
  Matrix out(heads, pairs);
  for (Index h = 0; h < heads; ++h) out.row(h) = of(h).transpose();
  return out;
}

/// Hyperbolic pairs by lag: the factors of a query or key alone leave the range of doubles.
void add_boosts(Groups& g, const Encoding& e, const Rotary& r, const Request& q, Type type) {
  const Index P = r.pairs();
  const Dimension pair = axis("pair", P), lag = axis("lag", q.length);
  Matrix falls(P, 1);
  for (Index j = 0; j < P; ++j) falls(j, 0) = r.log_damping.empty() ? 0 : r.log_damping[static_cast<std::size_t>(j)];
  g.push_back(
      constant({pair}, real("rapidity", {"pair"}, "position-1", "hyperbolic angle per position"), frequencies(r, 0, -1, false)));
  g.push_back(
      constant({pair}, real("log_damping", {"pair"}, "position-1", "logarithm of a pair's factor per position of lag"), falls));
  g.push_back(counting("lag", q.length, 0, "position", "query position minus key position"));
  g.push_back({{lag, pair},
               {real("cosh", {"lag", "pair"}, "1", "hyperbolic cosine of lag times rapidity, damping included", type),
                real("sinh", {"lag", "pair"}, "1", "hyperbolic sine of lag times rapidity, damping included", type)},
               [e, r, P, last = q.start + q.length - 1](Pos first, Index count, const Out& out) {
                 for (Index i = 0; i < count; ++i)
                   relative_rotation(e, r, 0, last, last - first - i, out[0] + i * P, out[1] + i * P);
               }});
}

void add_rotary(Groups& g, const Encoding& e, const Rotary& r, const Request& q, Type type) {
  const Index P = r.pairs(), H = r.per_head ? r.heads : 1;
  const Dimension pair = axis("pair", P), head = axis("head", H);
  g.push_back(counting("pair", P, 0, "1", "index of a rotated channel pair"));
  if (r.per_head) g.push_back(counting("head", H, 0, "1", "attention head"));
  if (P == 0) return;
  if (r.hyperbolic) return add_boosts(g, e, r, q, type);
  if (!r.query_turn.empty()) {
    Matrix turn(H, P);
    for (Index h = 0; h < H; ++h)
      turn.row(h).setConstant(2 * std::numbers::pi * math::signed_turns(r.query_turn[static_cast<std::size_t>(h)]));
    g.push_back(
        constant({head, pair}, real("query_turn", {"head", "pair"}, "rad", "added to the angle of a query's pair"), turn));
  }
  const auto spectral = [&](const char* name, const char* unit, const char* about, bool wavelength) {
    if (r.per_head)
      g.push_back(constant({head, pair}, real(name, {"head", "pair"}, unit, about),
                           by_head(H, P, [&](Index h) { return frequencies(r, h, -1, wavelength); })));
    else
      g.push_back(constant({pair}, real(name, {"pair"}, unit, about), frequencies(r, 0, -1, wavelength)));
  };
  spectral("frequency", "rad position-1", "angle per position, all coordinates advancing together", false);
  spectral("wavelength", "position", "positions per turn; NaN where the pair does not turn", true);
  if (r.axes > 1 && !r.per_head) {
    g.push_back(counting("axis", r.axes, 0, "1", "coordinate of a position: 0 temporal, 1 height, 2 width"));
    g.push_back(constant({axis("axis", r.axes), pair},
                         real("axis_frequency", {"axis", "pair"}, "rad position-1", "angle per position along one coordinate"),
                         by_head(r.axes, P, [&](Index a) { return frequencies(r, 0, a, false); })));
  }
  Matrix first(P, 1), second(P, 1);
  for (Index j = 0; j < P; ++j) {
    const auto& c = r.channel[static_cast<std::size_t>(j)];
    first(j, 0) = static_cast<double>(c[0]), second(j, 0) = static_cast<double>(c[1]);
  }
  g.push_back(
      constant({pair}, real("channel_first", {"pair"}, "1", "channel a of the pair: a' = a cos - b sin", Type::i64), first));
  g.push_back(
      constant({pair}, real("channel_second", {"pair"}, "1", "channel b of the pair: b' = b cos + a sin", Type::i64), second));

  std::vector<std::string> names =
      r.per_head ? std::vector<std::string>{"position", "head", "pair"} : std::vector<std::string>{"position", "pair"};
  std::vector<Dimension> dims = r.per_head ? std::vector<Dimension>{axis("position", q.length), head, pair}
                                           : std::vector<Dimension>{axis("position", q.length), pair};
  g.push_back(counting("position", q.length, q.start, "position", "token position"));
  g.push_back({dims,
               {real("cos", names, "1", "cosine of the pair's angle, attention factor included", type),
                real("sin", names, "1", "sine of the pair's angle, attention factor included", type)},
               [e, r, H, P, start = q.start](Pos first_row, Index count, const Out& out) {
                 Matrix c(count, P), s(count, P);
                 for (Index h = 0; h < H; ++h) {
                   rotary_rows(e, r, h, start + first_row, c, s);
                   for (Index i = 0; i < count; ++i) {
                     std::copy_n(c.row(i).data(), P, out[0] + (i * H + h) * P);
                     std::copy_n(s.row(i).data(), P, out[1] + (i * H + h) * P);
                   }
                 }
               }});
  if (!r.log_damping.empty())
    g.push_back({{axis("position", q.length), pair},
                 {real("damping", {"position", "pair"}, "1", "factor of a query's pair; a key's is its reciprocal", type)},
                 [r, P, start = q.start](Pos first_row, Index count, const Out& out) {
                   for (Index i = 0; i < count; ++i)
                     for (Index j = 0; j < P; ++j)
                       out[0][i * P + j] = std::exp(r.log_damping[static_cast<std::size_t>(j)] *
                                                    (static_cast<double>(start + first_row + i) - r.damping_centre));
                 }});
}

void add_table(Groups& g, const AbsoluteTable& a, const Request& q, Type type) {
  Pos size = q.length;
  if (const auto rows = a.rows->count(); rows && !a.row_of) size = std::clamp<Pos>(*rows - a.first_row - q.start, 0, q.length);
  g.push_back(counting("position", size, q.start, "position", "token position"));
  g.push_back(counting("channel", a.rows->channels(), 0, "1", "channel of the model width"));
  auto row = a.row_of ? std::function<Pos(Pos)>([a, s = q.start](Pos p) { return a.row(s + p); }) : nullptr;
  auto group = rows_of(a.rows, axis("position", size), "channel",
                       real("table", {"position", "channel"}, "1", "vector of the position", type), row);
  if (!row)
    group.fill = [fill = group.fill, shift = q.start + a.first_row](Pos first, Index count, const Out& out) {
      fill(first + shift, count, out);
    };
  g.push_back(std::move(group));
  if (const auto* u = std::get_if<Untied>(&a.entry)) {
    const Dimension channel = axis("channel", u->query.rows()), projected = axis("projected", u->query.cols());
    g.push_back(counting("projected", u->query.cols(), 0, "1", "channel of all heads side by side, head by head"));
    g.push_back(constant({channel, projected},
                         real("position_query", {"channel", "projected"}, "1", "projection of positions to queries, U_q"),
                         u->query));
    g.push_back(constant({channel, projected},
                         real("position_key", {"channel", "projected"}, "1", "projection of positions to keys, U_k"), u->key));
    if (u->query_bias.size())
      g.push_back(constant({projected}, real("position_query_offset", {"projected"}, "1", "bias of U_q"), u->query_bias));
    if (u->key_bias.size())
      g.push_back(constant({projected}, real("position_key_offset", {"projected"}, "1", "bias of U_k"), u->key_bias));
  }
}

void add_relative(Groups& g, const RelativeVectors& r, const Request& q, Type type) {
  const Pos last = q.start + q.length - 1;
  g.push_back(counting("lag", q.length, 0, "position", "query position minus key position"));
  g.push_back(counting("head", r.heads, 0, "1", "attention head"));
  const auto side = [&](const RelativeVectors::Side& s, const char* vectors, const char* row, const char* about) {
    const Pos size = s.rows->count().value_or(q.length);
    g.push_back(counting("row", size, 0, "1", "row of the vectors"));
    g.push_back(counting("vector_channel", s.rows->channels(), 0, "1", "channel of a relative vector"));
    g.push_back({{axis("lag", q.length)},
                 {real(row, {"lag"}, "1", "row used at the lag", Type::i64)},
                 [s, last](Pos first, Index count, const Out& out) {
                   for (Index i = 0; i < count; ++i) out[0][i] = static_cast<double>(s.index(last, last - first - i));
                 }});
    g.push_back(rows_of(s.rows, axis("row", size), "vector_channel", real(vectors, {"row", "vector_channel"}, "1", about, type),
                        nullptr));
    if (s.through == RelativeVectors::Through::given) {
      g.push_back(counting("projected", s.weights.cols(), 0, "1", "channel of all heads side by side, head by head"));
      g.push_back(constant({axis("vector_channel", s.weights.rows()), axis("projected", s.weights.cols())},
                           real("vector_projection", {"vector_channel", "projected"}, "1", "projection of the vectors, W_R"),
                           s.weights));
    }
  };
  if (r.at_query) side(*r.at_query, "query_vectors", "query_row", "vectors met by the query");
  if (r.at_key && (!r.at_query || r.at_key->rows != r.at_query->rows))
    side(*r.at_key, "key_vectors", "key_row", "vectors met by the key");
  if (r.value)
    g.push_back(rows_of(r.value, axis("row", r.value->count().value_or(q.length)), "vector_channel",
                        real("value_vectors", {"row", "vector_channel"}, "1", "vectors added to the values", type), nullptr));
  const auto by_channel = [&](const std::optional<Matrix>& m, const char* name, const char* about) {
    if (!m) return;
    g.push_back(counting("head_channel", m->cols(), 0, "1", "channel of one head"));
    g.push_back(constant({axis("head", m->rows()), axis("head_channel", m->cols())},
                         real(name, {"head", "head_channel"}, "1", about), *m));
  };
  by_channel(r.u, "u", "stands for the query before content keys");
  by_channel(r.v, "v", "stands for the query before position keys");
}

void add_bias(Groups& g, const Bias& b, const Encoding& e, const Request& q, Type type) {
  const Pos last = q.start + q.length - 1;
  g.push_back(counting("lag", q.length, 0, "position", "query position minus key position"));
  g.push_back(counting("head", b.heads, 0, "1", "attention head"));
  const auto at = [&](const char* name, const char* about, int sign) {
    g.push_back({{axis("head", b.heads), axis("lag", q.length)},
                 {real(name, {"head", "lag"}, "1", about, type)},
                 [b, L = q.length, query = sign > 0 ? last : q.start, sign](Pos first, Index count, const Out& out) {
                   for (Index i = 0; i < count; ++i) {
                     const Pos lag = (first + i) % L;
                     out[0][i] = b.value((first + i) / L, query, query - sign * lag);
                   }
                 },
                 true});
  };
  at("bias", "added to the logit", 1);
  if (!e.causal) at("bias_future", "added to the logit of the key that many positions after the query", -1);
  const auto bucket = [&](const char* name, const char* about, int sign) {
    g.push_back({{axis("lag", q.length)},
                 {real(name, {"lag"}, "1", about, Type::i64)},
                 [b, query = sign > 0 ? last : q.start, sign](Pos first, Index count, const Out& out) {
                   for (Index i = 0; i < count; ++i) out[0][i] = static_cast<double>(b.bucket(query, query - sign * (first + i)));
                 }});
  };
  if (b.bucket) bucket("bucket", "class of the lag", 1);
  if (b.bucket && !e.causal) bucket("bucket_future", "class of the key that many positions after the query", -1);
}

}  // namespace

Groups arrays(const Encoding& e, const Request& q) {
  Groups g;
  const Type type = q.dtype == Dtype::f32 ? Type::f32 : Type::f64;
  for (const Term& t : e.terms)
    std::visit(
        match{[&](const Rotary& r) { add_rotary(g, e, r, q, type); }, [&](const AbsoluteTable& a) { add_table(g, a, q, type); },
              [&](const RelativeVectors& r) { add_relative(g, r, q, type); }, [&](const Bias& b) { add_bias(g, b, e, q, type); },
              [](const Contextual&) {}},
        t);
  if (e.query_scale) {
    g.push_back(counting("position", q.length, q.start, "position", "token position"));
    g.push_back({{axis("position", q.length)},
                 {real("query_scale", {"position"}, "1", "factor of the query's logits")},
                 [f = e.query_scale, s = q.start](Pos first, Index count, const Out& out) {
                   for (Index i = 0; i < count; ++i) out[0][i] = f(s + first + i);
                 }});
  }
  if (e.pair_map) {
    g.push_back(counting("lag", q.length, 0, "position", "query position minus key position"));
    g.push_back({{axis("lag", q.length)},
                 {real("mapped_lag", {"lag"}, "position", "lag that the encoding is given, at the last query", Type::i64)},
                 [f = e.pair_map, m = q.start + q.length - 1](Pos first, Index count, const Out& out) {
                   for (Index i = 0; i < count; ++i) {
                     const auto x = f(m, m - first - i);
                     out[0][i] = static_cast<double>(x[0] - x[1]);
                   }
                 }});
  }
  return g;
}

}  // namespace posenc::model
