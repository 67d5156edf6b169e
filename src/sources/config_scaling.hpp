#pragma once
// sources: what the readers of the rope_type dictionaries share.
#include "sources/config_rope.hpp"

namespace posenc::sources {

inline constexpr std::string_view original_key = "original_max_position_embeddings";

/// An error about a key of the dictionary: "rope_scaling.factor = null: must be a number".
void refuse(const Rotation& r, std::string_view key, const std::string& rule);
/// A number that the type needs: an error where it is absent, null or of another kind; and > 0.
std::optional<double> required(const Rotation& r, std::string_view key);
std::optional<double> positive(const Rotation& r, std::string_view key);
/// The key `factor`, likewise.
std::optional<double> scaling_factor(const Rotation& r);
/// The length before the extension; of a flat dictionary the model's own key decides, as in huggingface/transformers. Without
/// either, max_position_embeddings with a warning; an error for vLLM.
model::Pos length_before(const Rotation& r);
/// Warns where factor and max_position_embeddings / original say different things.
/// `magnitude`: the attention factor, where the encoding is given it as a number.
void warn_of_ratio(const Rotation& r, double factor, model::Pos before,
                   double (*magnitude)(double factor, double before) = nullptr);

/// The encoding's scheme and training length; the layer is lowered at that length unless said otherwise.
void set_scheme(const Rotation& r, std::string name, model::Pos trained);
/// "1/1.5/2", as a field of numbers takes it.
std::string slash_list(const std::vector<double>& list);

/// A list of one positive divisor for each pair; empty, with an error, where it is no such list.
std::vector<double> divisors(const Rotation& r, std::string_view key);
/// Frequencies divided by one list at every length in use, cos and sin times `attention`.
void always_divided(const Rotation& r, const std::vector<double>& list, double attention, model::Pos before);
/// HunYuan's form: the base times alpha^(d/(d-2)) at every length.
void enlarge_base(const Rotation& r, double alpha);
/// Turns of a pair within the training length: the key, > 0, else the default.
double turns(const Rotation& r, std::string_view key, double otherwise);
/// A number that the tool does not read, for messages alone: the key's status stays; nothing where it is no number.
std::optional<double> unread_number(const Rotation& r, std::string_view key);
/// Notes "not read" of a key, with a warning: the tool leaves it out and so does the encoding.
void leave_out(const Rotation& r, std::string_view key, const std::string& reason);
/// Qwen's own dynamic scaling, use_dynamic_ntk, left out by the tool: a note and a warning where the file has it.
void leave_out_stepwise(const Rotation& r);
/// Families whose attention multiplies its scores by yarn's magnitude, squared: multi-head latent attention.
bool scales_softmax(const Subject& s);

// The readers by rope_type.
void read_default(const Rotation& r);
void read_linear(const Rotation& r);
void read_llama3(const Rotation& r);
/// Bands between two numbers of turns; high below low is a step at high, as vLLM and llama.cpp compute it.
void set_bands(const Rotation& r, double factor, double low, double high, model::Pos before);
void read_proportional(const Rotation& r);
void read_yarn(const Rotation& r);
void read_longrope(const Rotation& r);
/// vLLM's two forms of NTK scaling.
void read_ntk(const Rotation& r);

}  // namespace posenc::sources
