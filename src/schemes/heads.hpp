#pragma once
// schemes: model width, heads and channels a head, for schemes whose vectors pass through projections.
#include "core/field.hpp"
#include "model/encoding.hpp"

namespace posenc::schemes {

struct Heads {
  std::optional<std::int64_t> dim, heads, per_head;

  /// dim, heads, head-dim, pointing into this object.
  Fields fields();
  /// Fills what files have not decided: dim 128, 8 heads, dim / heads channels a head. Throws UsageError where that is no
  /// integer.
  void resolve(std::string_view owner);
  model::Index width() const { return dim.value(); }
  model::Index count() const { return heads.value(); }
  model::Index head_dim() const { return per_head.value(); }
  model::Index projected() const { return count() * head_dim(); }
  /// Throws BadData where a projection does not have heads * head-dim outputs.
  void check_projection(std::string_view owner, std::string_view field, std::string_view file, model::Index outputs) const;
};

}  // namespace posenc::schemes
