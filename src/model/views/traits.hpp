#pragma once
// model: which forms an encoding has, as facts.
#include "model/encoding.hpp"

namespace posenc::model {

/// What kind of object the positions are; analyses define their measures by it. An encoding with several forms counts as
/// the first that it has in this order.
enum class Kind { contextual, rotary, table, untied, relative, bias, none };

struct Traits {
  Kind kind = Kind::none;
  bool has_heads = false;  // arrays and measures have a head dimension: biases, relative vectors, untied, per-head rotary
  Index heads = 1;         // number of different heads; 1 without has_heads
  bool has_bias = false;   // a Bias term is present, alone or beside another form
  bool damped = false;     // rotary with damping: no metric, no upper bound
  bool by_lag = true;      // score depends on m - n only (rows of tables: as the average over m)
  std::string contextual_needs;
};
Traits traits(const Encoding& e);

/// Query position and consecutive lags; key n = query - lag. Lags may be negative (keys after the query).
struct Pairs {
  Pos query = 0, first_lag = 0;
  Index count = 0;
};

template <class... F>
struct match : F... {
  using F::operator()...;
};
template <class... F>
match(F...) -> match<F...>;  // clang deduces it of itself from version 17 on

/// The only form of that kind among the terms, or nullptr.
template <class Form>
const Form* form(const Encoding& e) {
  for (const Term& t : e.terms)
    if (const auto* f = std::get_if<Form>(&t)) return f;
  return nullptr;
}

}  // namespace posenc::model
