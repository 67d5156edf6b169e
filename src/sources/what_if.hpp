#pragma once
// sources: how a model's file would be understood by a tool that drops or mistakes one of its keys.
#include "sources/model_report.hpp"

namespace posenc::sources {

/// The usual mistakes, for every rotary layer type to which they make a difference: scaling dropped, base ignored, every
/// channel turned, the other channel layout, attention factor left out, another layer type's rotation. Appended to
/// report.what_if, conditions in words, consequences empty.
void list_what_if(ModelReport& report);

/// The encoding with those values in place of its own.
model::EncodingSpec with_values(model::EncodingSpec spec, const std::vector<std::pair<std::string, std::string>>& values);

}  // namespace posenc::sources
