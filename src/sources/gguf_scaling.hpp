#pragma once
// sources: the extension of a rotation that a GGUF file declares.
#include "sources/gguf_subject.hpp"

namespace posenc::sources {

/// One rotation while it is read.
struct GgufRotation {
  const GgufSubject& subject;
  LayerReport& layer;
  model::Pos width = 0;            // rotated channels
  std::vector<double> sections{};  // pairs of t, h and w; empty: one axis

  void set(std::string_view field, std::string text) const { layer.encoding.values.emplace_back(field, std::move(text)); }
  void set(std::string_view field, double value) const { set(field, plain_number(value)); }
  void set(std::string_view field, model::Pos value) const { set(field, std::to_string(value)); }
  model::Pos pairs() const { return width / 2; }
};

/// Completes the layer: rope_type, scheme, values, lengths; by rope.scaling.* and the tensors of factors. `unscaled`: the layer
/// turns plainly whatever they say. Throws BadData where a tensor cannot be read.
void read_gguf_scaling(const GgufRotation& r, bool unscaled);
/// Yarn, for the factor, a magnitude beside its own, the length before the extension, and divisors of the frequencies that its
/// ramp then blends (none where empty).
void read_gguf_yarn(const GgufRotation& r, double factor, double magnitude, const std::optional<model::Pos>& original,
                    const std::vector<double>& divisors);

}  // namespace posenc::sources
