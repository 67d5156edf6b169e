#pragma once
// app: which encodings of two models are compared with each other, and whether the same layers have the same types.
#include "app/comparison_side.hpp"

namespace posenc::app {

struct LayerGap {
  model::Pos layer = 0;
  std::string first, second;  // types
};

/// How far a model is meant to be used, which no encoding tells; nothing where the file does not say.
struct Limits {
  std::optional<model::Pos> positions, window;  // context length; sliding window of the layers that have one
};

struct LayerMatch {
  std::vector<std::array<std::size_t, 2>> pairs;      // encodings of the first and the second
  bool models = false;                                // both are models: the rest says something
  std::optional<model::Pos> first, second;            // numbers of layers, where the files say
  bool namesakes = false;                             // every layer is known, and of a type of the same name in both
  std::optional<LayerGap> gap;                        // the first layer that is of another type
  std::vector<std::string> unmatched;                 // types that the other has not: "full_attention: only in the first"
  sources::AttentionHeads heads_first, heads_second;  // of either that is a model
  Limits limits_first, limits_second;                 // likewise

  bool different() const { return (first && second && *first != *second) || gap || !unmatched.empty(); }
};

/// Where both files say which layers are of which type: types of one name, and types that meet in a layer and have no namesake;
/// a layer without attention has nothing to be compared. Otherwise one encoding against every one of the other, or those of one
/// name. Throws UsageError where no two meet.
LayerMatch match_layers(const Side& a, const Side& b);

}  // namespace posenc::app
