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
/// The length before the extension; of a flat dictionary the model's own key decides, as in huggingface/transformers.
model::Pos length_before(const Rotation& r);
/// Warns where factor and max_position_embeddings / original say different things.
void warn_of_ratio(const Rotation& r, double factor, model::Pos before);

/// The encoding's scheme and training length; the layer is lowered at that length unless said otherwise.
void set_scheme(const Rotation& r, std::string name, model::Pos trained);
/// "1/1.5/2", as a field of numbers takes it.
std::string slash_list(const std::vector<double>& list);

void read_yarn(const Rotation& r);
void read_longrope(const Rotation& r);
/// vLLM's two forms of NTK scaling.
void read_ntk(const Rotation& r);

}  // namespace posenc::sources
