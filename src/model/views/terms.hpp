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
/// logits. Cosine attention: the whole query and key, table included, enter as unit vectors (a length below 1e-12 counts as
/// that), which divides each of the four terms alike. Throws std::logic_error where a head's scores need the products of all
/// heads (Contextual::every_head) and the content does not bring e.heads pairs of weights.
Terms terms(const Encoding& e, Index head, const Content& c, Pos start = 0);

/// logit_scale * query_scale(m) * sum of the terms, no mask.
Matrix logits(const Encoding& e, Index head, const Content& c, Pos start = 0);

/// Softmax over the visible keys of each row (causal where the encoding is), in place.
void softmax_rows(const Encoding& e, Pos start, Matrix& logits);

}  // namespace posenc::model
