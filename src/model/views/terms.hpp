#pragma once
// model: the four terms of one head's score, and its logits, from the definition.
#include "model/encoding.hpp"

namespace posenc::model {

/// Unscaled, [query][key]: content-content, content-position, position-content, position-position, and rotation =
/// q.(R - I)k, so that dropping it leaves NoPE. logits = logit_scale * sum.
struct Terms {
  Matrix cc, cp, pc, pp, rotation;
  Matrix sum() const { return cc + cp + pc + pp + rotation; }
};

/// Query and key i of the content stand at position start + i. No mask. Every form and every composition of forms; what an
/// encoding does not have is zero. Biases enter pp divided by logit_scale and query_scale(m), so that they are unscaled in the
/// logits. Linear attention: q and k are the feature maps of queries and keys; throws std::logic_error beside an added table.
/// Hyperbolic pairs of causal attention: no rotation term for keys after the query, where it grows without bound.
Terms terms(const Encoding& e, Index head, const Content& c, Pos start = 0);

/// logit_scale * query_scale(m) * sum of the terms, no mask; linear attention: the numerators of its weights.
Matrix logits(const Encoding& e, Index head, const Content& c, Pos start = 0);

/// Softmax over the visible keys of each row (causal where the encoding is), in place.
void softmax_rows(const Encoding& e, Pos start, Matrix& logits);

/// The weights of the values, [query][key], 0 where masked: softmax of the logits; linear attention: numerators over the sum of
/// the content-content term over the visible keys (RoFormer eq. 19: without the rotation).
Matrix attention(const Encoding& e, Index head, const Content& c, Pos start = 0);

}  // namespace posenc::model
