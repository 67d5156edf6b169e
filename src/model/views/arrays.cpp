#include "model/views/array_parts.hpp"
#include "model/views/traits.hpp"

#include <algorithm>

namespace posenc::model {
namespace {

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
  at("bias", "added to the logit; NaN where a position has no row", 1);
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

ArrayGroup counting(const char* name, Pos size, Pos first, const char* unit, const char* about) {
  return {{axis(name, size)}, {real(name, {name}, unit, about, Type::i64)}, [first](Pos at, Index count, const Out& out) {
            for (Index i = 0; i < count; ++i) out[0][i] = static_cast<double>(first + at + i);
          }};
}

ArrayGroup constant(std::vector<Dimension> dims, Variable v, Matrix values) {
  return {std::move(dims), {std::move(v)}, [values = std::move(values)](Pos first, Index count, const Out& out) {
            std::copy_n(values.data() + first * values.cols(), count * values.cols(), out[0]);
          }};
}

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
                 {real("mapped_lag", {"lag"}, "position", "lag that the frequencies multiply, at the last query", Type::i64)},
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
