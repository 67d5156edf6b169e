#pragma once
// model: the terms of one head's score, and its logits, from the definition.
#include "model/encoding.hpp"

namespace posenc::model {

/// Unscaled, [query][key]: content-content, content-position, position-content, position-position, rotation = q.(R - I)k and
/// context = what a score made from content has beyond q.k, so that dropping either of the last two leaves NoPE.
/// logits = logit_scale * sum.
struct Terms {
  static constexpr std::array<std::string_view, 6> names{"cc", "cp", "pc", "pp", "rotation", "context"};

  Matrix cc, cp, pc, pp, rotation, context;
  Matrix sum() const { return cc + cp + pc + pp + rotation + context; }
  /// In the order of `names`.
  std::array<const Matrix*, 6> all() const { return {&cc, &cp, &pc, &pp, &rotation, &context}; }
};

/// Some queries and some keys of one head: row i of x_query stands at position query[i], row j of x_key at key[j].
struct Tokens {
  std::vector<Pos> query, key;
  Matrix x_query, x_key, w_query, w_key;
};

/// No mask. Every form and every composition of forms; what an encoding does not have is zero. Biases enter pp divided by
/// logit_scale and query_scale(m), so that they are unscaled in the logits. Cosine attention: the whole query and key, table
/// included, enter as unit vectors (a length below 1e-12 counts as that), which divides each of the four terms alike. Linear
/// attention: q and k are the feature maps of queries and keys; throws std::logic_error beside an added table. Hyperbolic pairs of
/// causal attention: no rotation term for keys after the query, where it grows without bound. Throws std::logic_error for scores
/// made from content, which need the whole sequence.
Terms terms(const Encoding& e, Index head, const Tokens& tokens);

/// The same of every query and key of a sequence: row i of the content stands at position start + i. Throws std::logic_error where
/// a head's scores need the products of all heads (Contextual::every_head) and the content does not bring e.heads pairs of weights.
Terms terms(const Encoding& e, Index head, const Content& c, Pos start = 0);

/// What a row of scores is multiplied by to give logits: logit_scale * query_scale(m).
double logit_scale(const Encoding& e, Pos m);

/// logit_scale(m) * sum of the terms, no mask; linear attention: the numerators of its weights.
Matrix logits(const Encoding& e, Index head, const Content& c, Pos start = 0);

/// Whether the query at m sees the key at n: causality where the encoding is causal, and its own mask.
bool sees(const Encoding& e, Pos m, Pos n);

/// Softmax over the visible keys of each row, in place.
void softmax_rows(const Encoding& e, Pos start, Matrix& logits);

/// The weights of the values, [query][key], 0 where masked: softmax of the logits; linear attention: numerators over the sum of
/// the content-content term over the visible keys (RoFormer eq. 19: without the rotation).
Matrix attention(const Encoding& e, Index head, const Content& c, Pos start = 0);

}  // namespace posenc::model
