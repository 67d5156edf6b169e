#pragma once
// sources: what llama.cpp makes of a config.json where it differs from transformers: what conversion/*.py of ggml-org/llama.cpp
// writes into a GGUF file, and what its run time then computes. Rounding is left out: its float32 angles are products of one
// ratio and drift by up to 1.2e-6 of their value.
#include "sources/config_rope.hpp"
#include "sources/gguf_family.hpp"
#include "sources/llama_cpp_conversion.hpp"

namespace posenc::sources {

/// Completes the layer by its rope_type, as read_rope_type does; types that are not converted leave the plain rotation, with a
/// warning. Always true.
bool read_llama_cpp_type(const Rotation& r);

/// Notes and warnings about the model as a whole; false where its conversion is not known here.
bool note_conversion(const Subject& s);
/// The architecture of the GGUF file, where the conversion is known.
GgufFamily llama_cpp_architecture(const Subject& s);
/// How a layer type's rotation is written where llama.cpp's code has fewer rotations than the file: `own` is the layer type's,
/// `full` that of full_attention.
RopeSource llama_cpp_source(const Subject& s, const std::string& layer, const RopeSource& own, const RopeSource& full);
/// The base that the file's run time takes, and the channels that turn: of the share, or the whole head.
double llama_cpp_base(const Subject& s, double base);
model::Pos llama_cpp_width(const Rotation& r, model::Pos head_dim, double share);

/// yarn (dialect_llama_cpp_yarn.cpp); longrope's lists (dialect_llama_cpp_lists.cpp).
void read_llama_cpp_yarn(const Rotation& r);
void read_llama_cpp_lists(const Rotation& r, const Conversion& conversion);
/// The plain rotation in place of what the type says, with that reason as a warning.
void leave_unscaled(const Rotation& r, const std::string& reason);

}  // namespace posenc::sources
