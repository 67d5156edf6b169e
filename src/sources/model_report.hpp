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

/// One layer type with attention of its own kind.
struct LayerReport {
  std::string name;                  // "all", or the file's layer type
  std::vector<model::Pos> layers{};  // which layers these are, from 0; empty: the file does not say
  std::string rope_type;  // default, linear, dynamic, ntk, yarn, longrope, llama3, proportional, none; empty: not rotary
  std::optional<double> base, partial;
  std::optional<model::Pos> head_dim, rotary_dim, positions;  // channels, channels, max_position_embeddings
  std::string layout;                                         // half_split, interleaved
  std::string mrope_axis;                                     // one of t, h, w a pair; empty: one axis
  /// The encoding; its scheme is empty where the layers have no attention (conv, linear_attention).
  model::EncodingSpec encoding;

  /// The lengths at which the encoding is to be lowered for the vectors below. `long_above`: longrope's long list is in use
  /// at any length above it, 0 without one.
  model::Pos at = 0, long_above = 0;
  /// Filled by the caller through the scheme: rad/position for each pair, as cos(p inv_freq) attention_factor.
  double attention_factor = 1;
  std::vector<double> inv_freq, inv_freq_long;
  std::vector<AtLength> at_seq_len;
};

/// Heads of the attention; nothing where the file does not say.
struct AttentionHeads {
  std::optional<model::Pos> query, key;
  model::Pos before = 0;  // latent attention: channels of a query head before those that carry positions
};

struct ModelReport {
  std::string model_type;
  std::string scheme;  // rotary, learned, t5_bucket, alibi, none, sinusoid, sinusoid+learned, relative_key, ...
  std::vector<LayerReport> layers;
  AttentionHeads heads;
  std::vector<KeyReport> keys;
  std::vector<std::string> warnings, errors;  // with errors there are no layers
};

/// The object of `posenc inspect --json`; the layers of schemes other than rotary are in "encodings" alone.
std::string to_json(const ModelReport& report);

/// Shortest text that reads back as the same double; whole numbers below 2^53 without an exponent.
std::string plain_number(double value);

/// The encoding as the command line writes it: "llama3:dim=128,base=500000".
std::string encoding_text(const model::EncodingSpec& spec);

}  // namespace posenc::sources
