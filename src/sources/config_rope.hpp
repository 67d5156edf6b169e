#pragma once
// sources: the rotation of one layer type from its keys.
#include "sources/config_attention.hpp"

#include <span>

namespace posenc::sources {

/// Where the rotation of one layer type is written.
struct RopeSource {
  std::optional<Scope> dict;                 // rope_scaling, rope_parameters, or its entry for the layer type
  bool nested = false;                       // an entry: keys beside the dictionaries do not reach into it
  std::vector<std::string_view> base_names;  // keys of the model's object that give the base where the dictionary does not
  double base = 10000;                       // class default
  double partial = 1;                        // class default
  std::string_view type = "default";         // rope_type where there is no dictionary
  bool base_alone = false;                   // of the dictionary nothing but the base is read
};

/// One rotation while it is read.
struct Rotation {
  const Subject& subject;
  const RopeSource& source;
  LayerReport& layer;
  model::Pos width = 0;  // rotated channels

  Ledger& ledger() const { return subject.text.ledger(); }
  const Scope& dict() const { return *source.dict; }
  void set(std::string_view field, std::string text) const { layer.encoding.values.emplace_back(field, std::move(text)); }
  void set(std::string_view field, double value) const { set(field, plain_number(value)); }
  void set(std::string_view field, model::Pos value) const { set(field, std::to_string(value)); }
  model::Pos pairs() const { return width / 2; }
  /// Another reading of this layer, for a warning.
  WhatIf otherwise(std::string condition, std::vector<std::pair<std::string, std::string>> values) const {
    return {.condition = std::move(condition), .layer = layer.name, .values = std::move(values)};
  }
};

/// The layer's facts and encoding; errors go to the ledger.
LayerReport rope_layer(const Subject& subject, const std::string& name, const RopeSource& source);

/// Channels that turn, by the share of the head or given directly; fills the layer's share. Errors go to the ledger.
model::Pos rotary_dim(const Rotation& r);
/// The reader of a rope_type.
struct TypeReader {
  std::string_view name;
  void (*read)(const Rotation&);
};
/// That of the layer's type, or nullptr.
const TypeReader* reader_of(const Rotation& r, std::span<const TypeReader> all);

/// Completes the layer by its rope_type: scheme, values, lengths (config_rope_types.cpp). False where the type is unknown.
bool read_rope_type(const Rotation& r);
/// Dimension rule of partial rotation for that type: whether the whole head turns whatever the share.
bool turns_whole_head(std::string_view rope_type);

/// The temporal, height and width axes: fills mrope_axis; the sections are empty where the file has none.
std::vector<double> read_sections(const Rotation& r, bool& interleaved);
/// t, h or w for each pair, of three sections: one after the other, or alternating while they last.
std::string section_axes(const std::vector<double>& sections, model::Pos pairs, bool interleaved);

}  // namespace posenc::sources
