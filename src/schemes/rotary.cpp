#include "schemes/rotary.hpp"

#include "schemes/limits.hpp"

#include <fmt/format.h>
#include <cmath>

namespace posenc::schemes {

using model::Index;

namespace {
constexpr std::array<std::string_view, 2> layouts{"interleaved", "half_split"};
}

Fields RotaryHead::fields() {
  return {
      {"dim", "channel", "channels of a head", &dim, Range{.low = 2, .even = true}},
      {"base", "1", "base of the geometric frequencies", &base, above(1)},
      {"partial", "1", "without rotary-dim: share of the channels that is rotated, the first int(dim partial)", &partial,
       between(0, 1)},
      {"rotary-dim", "channel", "number of rotated channels", &rotary_dim, Range{.low = 0, .even = true}, "int(dim partial)"},
      {"layout", "1", "channels of a pair: (2i, 2i+1) or (i, i + rotary-dim/2)", choice(layout, layouts)},
  };
}

Fields RotaryHead::whole_fields() {
  Fields all = fields();
  std::erase_if(all, [](const Field& f) { return f.name == "partial" || f.name == "rotary-dim"; });
  return all;
}

void RotaryHead::require_two_pairs(std::string_view owner) const {
  if (rotary_width() == 2) reject(owner, "rotary-dim", "2", "must not be 2: the exponent d/(d-2) needs two pairs");
}

void RotaryHead::resolve(std::string_view owner) {
  if (dim > largest_width) reject(owner, "dim", std::to_string(dim), fmt::format("must be <= {}", largest_width));
  if (!rotary_dim) {
    rotary_dim = static_cast<std::int64_t>(static_cast<double>(dim) * partial);
    if (*rotary_dim % 2 != 0)
      reject(owner, "partial", number_text(partial),
             fmt::format("must rotate an even number of channels, not {} of {}", *rotary_dim, dim));
  }
  if (*rotary_dim > dim) reject(owner, "rotary-dim", std::to_string(*rotary_dim), fmt::format("must be <= dim = {}", dim));
}

std::vector<std::array<Index, 2>> RotaryHead::channels(Index width) const {
  std::vector<std::array<Index, 2>> out;
  for (Index i = 0; i < width / 2; ++i)
    out.push_back(layout == Layout::interleaved ? std::array{2 * i, 2 * i + 1} : std::array{i, i + width / 2});
  return out;
}

model::Rotary RotaryHead::rotation(std::vector<model::Frequency> frequency, double attention_factor) const {
  model::Rotary r;
  r.head_dim = dim;
  r.channel = channels(2 * static_cast<Index>(frequency.size()));
  r.frequency = std::move(frequency);
  r.attention_factor = attention_factor;
  return r;
}

model::Encoding RotaryHead::encoding(model::Rotary rotation) const {
  model::Encoding e;
  e.head_dim = e.width = dim;
  e.logit_scale = 1 / std::sqrt(static_cast<double>(dim));
  e.terms.push_back(std::move(rotation));
  return e;
}

Field factor_field(std::optional<double>& factor) {
  return {"factor", "1", "ratio of the extended to the training length", &factor, above(0), "max(1, length in use / original)"};
}

Fields join(Fields fields, Fields more) {
  for (Field& f : more) fields.push_back(std::move(f));
  return fields;
}

double stretch(const std::optional<double>& factor, model::Pos sequence, model::Pos original) {
  if (sequence == 0) return 1;
  return factor.value_or(std::max(1.0, static_cast<double>(sequence) / static_cast<double>(original)));
}

}  // namespace posenc::schemes
