#pragma once
// app: a vector of frequencies beside an encoding that says more than it does.
#include "model/encoding.hpp"

#include <optional>
#include <string>

namespace posenc::app {

/// The other encoding with the vector's frequencies in place of its own, so that they alone can be apart, and in words what the
/// vector left open and the other filled in ("attention factor 1.3466, layout interleaved"; empty where nothing differs).
struct Completed {
  model::Encoding encoding;
  std::string unsaid;
};
/// `vector` is the rotation made of the file. The frequencies go to the pairs in order, or to those that turn where the file has
/// just as many. Nothing where the other is no plain rotation with as many pairs.
std::optional<Completed> complete(const model::Encoding& vector, const model::Encoding& other);

}  // namespace posenc::app
