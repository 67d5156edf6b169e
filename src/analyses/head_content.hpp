#pragma once
// analyses: inputs and weights of one attention head, drawn or given.
#include "model/encoding.hpp"
#include "model/tensor.hpp"

#include <string>

namespace posenc::analyses {

/// What a user gives in place of draws; an empty matrix is drawn.
struct GivenContent {
  model::Matrix inputs;         // [position][model width], after the scheme's own scaling of embeddings, as draws are
  model::Matrix query, key;     // [model width][heads * head width], key heads may be fewer (grouped queries)
  std::string query_file, key_file, inputs_file;

  bool any() const { return inputs.size() + query.size() + key.size() > 0; }
};

/// The content of one encoding's heads: row m of the inputs is N(0, 1) a channel after the scheme's own scaling of embeddings, drawn
/// for a position whatever the length; W_q and W_k are N(0, 1/D), drawn for each head. Draws of the same seed and number are the same at every call.
class HeadContent {
 public:
  /// `draw` numbers independent contents. Throws BadData where what is given does not fit the encoding: the model width of an
  /// added or projected table, the head width, the number of heads.
  HeadContent(const model::Encoding& e, const GivenContent& given, std::int64_t seed, std::int64_t draw = 0);

  model::Index width() const { return width_; }
  /// Number of positions with inputs; absent: all.
  std::optional<model::Pos> positions() const;
  /// Inputs of positions first .. first + count - 1, [count][width].
  model::Matrix inputs(model::Pos first, model::Index count) const;
  model::Matrix query(model::Index head) const { return weights(head, *given_.query, "query"); }
  model::Matrix key(model::Index head) const { return weights(head, *given_.key, "key"); }
  /// A sequence from position `first` on, with every head's weights where the encoding's scores need them.
  model::Content sequence(model::Index head, model::Pos first, model::Index count) const;

 private:
  struct Given {
    const model::Matrix *inputs, *query, *key;
  };
  model::Matrix weights(model::Index head, const model::Matrix& given, const char* side) const;

  Given given_;
  model::Index width_, head_dim_, heads_;
  bool every_head_ = false;
  double embedding_scale_ = 1;
  std::uint64_t seed_;
  std::string stream_;
};

}  // namespace posenc::analyses
