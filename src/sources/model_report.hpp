#pragma once
// sources: what a model's file says about positions, as `posenc inspect` prints it.
#include "model/scheme.hpp"

#include <optional>
#include <string>
#include <vector>

namespace posenc::sources {

/// overridden: another key decides and agrees, or is meant to decide; conflicting: another key decides and says otherwise.
enum class KeyStatus : int { used, defaulted, ignored, overridden, conflicting };

struct KeyReport {
  std::string key;    // with its path: "rope_scaling.factor"
  std::string value;  // JSON
  KeyStatus status = KeyStatus::ignored;
  std::string note;
};

/// Dynamic scaling at one length of the text so far.
struct AtLength {
  model::Pos length = 0;
  double base = 0;               // the base in use there
  std::vector<double> inv_freq;  // rad/position, filled by the caller
};

/// What the rotation of one layer type is good for.
struct LayerBounds {
  model::Pos trained = 0;                          // positions
  std::size_t turning = 0, slow = 0;               // pairs that turn; that, as trained, turn less than once within them
  double shortest = 0, longest = 0;                // wavelengths, positions
  model::Pos searched = 0;                         // lags
  std::optional<model::Pos> first_negative_lag{};  // of the sum of cosines (Men 2024); absent: none of those searched
};

/// How the rotation under another reading parts from the one in use.
struct Consequence {
  model::Pos in_use = 0;                     // tokens at which both are taken
  std::string channels;                      // "pair 32" or "channel 7": the one that parts fastest
  std::optional<model::Pos> quarter_turn{};  // position from which it is a quarter turn off; absent: not in the model's
  double largest = 0;                        // its angle at the model's last position, turns, at most 1/2
  double share = 0;                          // of the turning channels that get a quarter turn off
  double score_ratio = 1;                    // of the scores of rotated channels
};

/// Channels of a head: far beyond any model, few enough to list every pair.
inline constexpr model::Pos widest_head = 8192;

/// One layer type with attention of its own kind.
struct LayerReport {
  std::string name;                  // "all", or the file's layer type
  std::vector<model::Pos> layers{};  // which layers these are, from 0; empty: the file does not say
  std::string rope_type;  // default, linear, dynamic, ntk, yarn, longrope, llama3, proportional, none; empty: not rotary
  std::optional<double> base, partial;
  std::optional<double> base_used;                            // where the scaling replaces the file's base at every length
  std::optional<model::Pos> head_dim, rotary_dim, positions;  // channels, channels, max_position_embeddings
  std::string layout;                                         // half_split, interleaved
  std::string mrope_axis;                                     // one of t, h, w a pair; empty: one axis
  /// The encoding; its scheme is empty where the layers have no attention (conv, linear_attention).
  model::EncodingSpec encoding;

  /// The lengths at which the encoding is to be lowered for the vectors below. `long_above`: longrope's long list is in use
  /// at any length above it, 0 without one.
  model::Pos at = 0, long_above = 0;
  /// Filled by the caller through the scheme: rad/position for each pair, as cos(p inv_freq) attention_factor.
  double attention_factor = 1, softmax_factor = 1;  // the latter of the scores, beside 1/sqrt(head)
  std::vector<double> inv_freq, inv_freq_long;
  std::vector<AtLength> at_seq_len;
  std::optional<LayerBounds> bounds;
};

/// Another reading of the same file, as a tool that drops or mistakes a key would have it.
struct WhatIf {
  std::string condition;                                      // "rope_theta were ignored (10000)"
  std::string layer;                                          // its name
  std::vector<std::pair<std::string, std::string>> values{};  // fields of the layer's encoding that would differ
  model::EncodingSpec encoding{};                             // completed by list_what_if
  std::string tool{};                                         // that reads the file so; empty: a mistake
  std::optional<std::size_t> warning{};                       // the one whose consequence this is
  /// Filled by the caller: what would change over the model's positions; absent where nothing would.
  std::optional<Consequence> consequence{};
};

/// Another tool that reads the same file.
struct OtherTool {
  std::string name;     // vLLM
  std::string refuses;  // its error, empty: it reads the file
  bool known = true;    // the rules that it has for such a model
};

/// Heads of the attention; nothing where the file does not say.
struct AttentionHeads {
  std::optional<model::Pos> query, key;
  model::Pos before = 0;  // latent attention: channels of a query head before those that carry positions
};

struct ModelReport {
  std::string model_type;
  std::string dialect;      // hf, vllm or llama.cpp: the tool that the file is read as; empty: encodings written out
  bool any_tool = false;    // a config.json, which every tool reads in its own way
  bool model_known = true;  // by its family; as llama.cpp, by its conversion
  std::string scheme;       // rotary, learned, t5_bucket, alibi, none, sinusoid, sinusoid+learned, relative_key, ...
  std::vector<LayerReport> layers;
  AttentionHeads heads;
  std::vector<KeyReport> keys;
  std::vector<std::string> warnings, errors;  // with errors there are no layers
  std::vector<WhatIf> what_if;
  std::vector<OtherTool> tools;  // of a config.json; how each encodes otherwise is in what_if
};

/// The object of `posenc inspect --json`; the layers of schemes other than rotary are in "encodings" alone.
std::string to_json(const ModelReport& report);

/// Shortest text that reads back as the same double; whole numbers below 2^53 without an exponent.
std::string plain_number(double value);

/// The encoding as the command line writes it: "llama3:dim=128,base=500000".
std::string encoding_text(const model::EncodingSpec& spec);

}  // namespace posenc::sources
