#pragma once
// app: what would change if a model's file were read otherwise, in numbers.
#include "sources/model_report.hpp"

namespace posenc::app {

/// Computes the consequence of every report.what_if over the model's positions, in use at all of them, or where nothing changes
/// there, at the training length; takes out those that change nothing, and those
/// that a scheme refuses to be, which of another tool becomes its refusal.
void fill_consequences(sources::ModelReport& report);

/// "pair 32 is a quarter turn off from position 9 on, 47 % of the channels that turn within 131072 positions".
std::string words(const sources::Consequence& c);

}  // namespace posenc::app
