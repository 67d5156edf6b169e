#include "model/views/traits.hpp"

namespace posenc::model {

Traits traits(const Encoding& e) {
  Traits t;
  const auto add = [&](Kind kind, Index heads) {
    t.kind = std::min(t.kind, kind);
    if (heads > 0) t.has_heads = true, t.heads = std::max(t.heads, heads);
  };
  for (const Term& term : e.terms)
    std::visit(match{[&](const Contextual& c) { add(Kind::contextual, 0), t.contextual_needs = c.needs, t.by_lag = false; },
                     [&](const Rotary& r) {
                       add(Kind::rotary, r.per_head ? r.heads : 0);
                       t.damped = !r.log_damping.empty();
                       if (!r.mix_cosine.empty() || r.early_until > 0) t.by_lag = false;
                     },
                     [&](const AbsoluteTable& a) {
                       const auto* untied = std::get_if<Untied>(&a.entry);
                       add(untied ? Kind::untied : Kind::table, untied ? untied->heads : 0);
                     },
                     [&](const RelativeVectors& v) { add(Kind::relative, v.heads); },
                     [&](const Bias& b) { add(Kind::bias, b.heads), t.has_bias = true, t.by_lag &= b.by_lag; }},
               term);
  if (e.pair_map || e.point || e.visible) t.by_lag = false;
  return t;
}

}  // namespace posenc::model
