#include "model/views/features.hpp"

#include "model/stretched_rows.hpp"
#include "model/views/rotary_features.hpp"

#include <limits>
#include <stdexcept>

namespace posenc::model {
namespace {

std::array<Pos, 2> mapped(const std::function<std::array<Pos, 2>(Pos, Pos)>& map, Pos m, Pos n) {
  return map ? map(m, n) : std::array<Pos, 2>{m, n};
}

std::vector<std::uint64_t> key_of(const Rows& rows) {
  std::vector<std::uint64_t> key;
  if (const auto* spectrum = rows.spectrum())
    for (const Frequency& f : *spectrum) key.insert(key.end(), {f.turn.hi, f.turn.lo});
  return key;
}

Features of_table(const AbsoluteTable& a) {
  Features f;
  if (const auto stretched = std::dynamic_pointer_cast<const StretchedRows>(a.rows)) {
    const auto place = [a, stretched](Pos m, Pos n) { return stretched->place(a.row(m - n)); };
    f.form =
        ClassFeatures{[place](Pos m, Pos n) { return place(m, n).row; }, [place](Pos m, Pos n) { return place(m, n).share; }};
    return f;
  }
  if (a.rows->count()) {
    f.form = ClassFeatures{[a](Pos m, Pos n) { return a.row(m - n); }};
    return f;
  }
  f.form = DenseFeatures{a.rows->channels(), [a](const Pairs& p, Eigen::Ref<Matrix> out) {
                           if (!a.row_of) return a.rows->block(a.row(p.first_lag), out);
                           for (Index i = 0; i < p.count; ++i) a.rows->block(a.row(p.first_lag + i), out.middleRows(i, 1));
                         }};
  if (!a.row_of) f.key = key_of(*a.rows);
  if (!f.key.empty()) f.key.push_back(static_cast<std::uint64_t>(a.first_row));
  return f;
}

Features of_relative(const Encoding& e, const RelativeVectors& r) {
  Features f;
  f.by_query = static_cast<bool>(e.pair_map);
  const RelativeVectors::Side& side = r.at_query ? *r.at_query : *r.at_key;
  const auto index = side.index;
  const auto map = e.pair_map;
  if (side.rows->count()) {
    const auto other = r.at_query && r.at_key ? r.at_key->index : nullptr;
    const Pos stride = other ? r.at_key->rows->count().value_or(1) + 1 : 0;
    f.form = ClassFeatures{[=](Pos m, Pos n) {
      const auto [a, b] = mapped(map, m, n);
      return other ? index(a, b) * stride + other(a, b) : index(a, b);
    }};
    return f;
  }
  const bool direct = side.by_lag_one_to_one && !map;
  f.form = DenseFeatures{side.rows->channels(), [=, rows = side.rows](const Pairs& p, Eigen::Ref<Matrix> out) {
                           if (direct) return rows->block(p.first_lag, out);
                           for (Index i = 0; i < p.count; ++i) {
                             const auto [a, b] = mapped(map, p.query, p.query - p.first_lag - i);
                             rows->block(index(a, b), out.middleRows(i, 1));
                           }
                         }};
  if (direct) f.key = key_of(*side.rows);
  return f;
}

Features of_bias(const Encoding& e, const Bias& b, Index head) {
  Features f;
  f.by_query = !b.by_lag || e.pair_map;
  const auto map = e.pair_map;
  if (b.bucket) {
    f.form = ClassFeatures{[map, bucket = b.bucket](Pos m, Pos n) {
      const auto [q, k] = mapped(map, m, n);
      return bucket(q, k);
    }};
    return f;
  }
  f.shared_by_heads = b.heads == 1;
  f.form = DenseFeatures{b.unknowns, [map, head, phi = b.features](const Pairs& p, Eigen::Ref<Matrix> out) {
                           for (Index i = 0; i < p.count; ++i) {
                             const auto [q, k] = mapped(map, p.query, p.query - p.first_lag - i);
                             phi(head, q, k, out.row(i).data());
                           }
                         }};
  return f;
}

}  // namespace

std::string no_features(const Encoding& e) {
  const Traits t = traits(e);
  switch (t.kind) {
    case Kind::contextual:
      return "the score depends on content: " + t.contextual_needs;
    case Kind::untied:
      return "an untied table and a bias share the score: no one linear space describes it";
    case Kind::relative: {
      const auto* r = form<RelativeVectors>(e);
      return r->at_query || r->at_key ? "" : "the relative vectors meet neither query nor key";
    }
    case Kind::bias: {
      const auto* b = form<Bias>(e);
      return b->bucket || b->features ? "" : "the scheme states no linear space of what its bias could learn";
    }
    default:
      return "";
  }
}

Features features(const Encoding& e, Index head, Temperature temperature) {
  switch (traits(e).kind) {
    case Kind::rotary:
      return rotary_features(e, *form<Rotary>(e), head, temperature);
    case Kind::table:
      return of_table(*form<AbsoluteTable>(e));
    case Kind::relative:
      return of_relative(e, *form<RelativeVectors>(e));
    case Kind::bias:
      return of_bias(e, *form<Bias>(e), head);
    case Kind::none: {
      Features f;
      f.form = DenseFeatures{1, [](const Pairs&, Eigen::Ref<Matrix> out) { out.setOnes(); }};
      f.key = {1};
      return f;
    }
    default:
      throw std::logic_error("features: " + no_features(e));
  }
}

std::optional<Spectrum> feature_spectrum(const Encoding& e, Index head) {
  if (e.point) return {};
  const auto* r = form<RelativeVectors>(e);
  if (traits(e).kind != Kind::relative) return spectrum(e, head);
  const RelativeVectors::Side& side = r->at_query ? *r->at_query : *r->at_key;
  const auto* frequencies = side.rows->spectrum();
  if (!frequencies || side.rows->count()) return {};
  Spectrum s;
  for (const Frequency& f : *frequencies) s.turn.push_back(f.turn), s.theta.push_back(f.theta);
  s.amplitude.assign(s.turn.size(), 1.0);
  s.rotated = s.pairs();
  return s;
}

Pos feature_lag(const Encoding& e, Pos m, Pos n) {
  const Kind kind = traits(e).kind;
  if (kind == Kind::table) return m - n;
  if (kind != Kind::relative) return lag_of(e, m, n).value();
  const auto* r = form<RelativeVectors>(e);
  const auto [a, b] = mapped(e.pair_map, m, n);
  return (r->at_query ? *r->at_query : *r->at_key).index(a, b);
}

}  // namespace posenc::model
