#pragma once
// schemes: what the rotary family shares: common fields, channel pairs, and frequencies made into an encoding.
#include "core/field.hpp"
#include "model/encoding.hpp"

namespace posenc::schemes {

enum class Layout : int { interleaved, half_split };

/// A head of which the first rotary_width() channels turn in pairs.
struct RotaryHead {
  std::int64_t dim = 128;
  double base = 10000;
  double partial = 1;
  std::optional<std::int64_t> rotary_dim;
  Layout layout = Layout::half_split;

  /// dim, base, partial, rotary-dim, layout, pointing into this object.
  Fields fields();
  /// dim, base, layout: for schemes that turn the whole head.
  Fields whole_fields();
  /// Fills rotary-dim = int(dim partial). Throws UsageError where it is odd or above dim.
  void resolve(std::string_view owner);
  /// Throws UsageError for a rotary width of 2, whose only pair does not depend on the base.
  void require_two_pairs(std::string_view owner) const;
  model::Index rotary_width() const { return rotary_dim.value(); }
  model::Index pairs() const { return rotary_width() / 2; }

  /// Pairs of the first `width` channels: (2i, 2i + 1) interleaved, (i, i + width/2) half split.
  std::vector<std::array<model::Index, 2>> channels(model::Index width) const;
  /// One set of frequencies for all heads, one for each pair of the first 2 frequency.size() channels.
  model::Rotary rotation(std::vector<model::Frequency> frequency, double attention_factor = 1) const;
  /// That rotation as the only term of causal attention scaled by 1/sqrt(dim).
  model::Encoding encoding(model::Rotary rotation) const;
};

/// The field `factor`, absent: it follows the length in use.
Field factor_field(std::optional<double>& factor);

/// Adds `more` behind `fields`.
Fields join(Fields fields, Fields more);

/// How far a scheme is stretched at `sequence` tokens: 1 as trained (sequence 0), else the explicit factor, else
/// max(1, sequence / original).
double stretch(const std::optional<double>& factor, model::Pos sequence, model::Pos original);

}  // namespace posenc::schemes
