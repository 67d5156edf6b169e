#include "schemes/heads.hpp"

#include "core/error.hpp"
#include "schemes/limits.hpp"

#include <fmt/format.h>

namespace posenc::schemes {

Fields Heads::fields() {
  return {{"dim", "channel", "model width D", &dim, widths, "the files', or 128"},
          {"heads", "head", "number of heads", &heads, head_counts, "the files', or 8"},
          {"head-dim", "channel", "channels of a head", &per_head, widths, "the files', or dim / heads"}};
}

void Heads::resolve(std::string_view owner) {
  if (!dim) dim = 128;
  if (!heads) heads = 8;
  if (!per_head) {
    if (*dim % *heads != 0)
      reject(owner, "dim", std::to_string(*dim), fmt::format("must be a multiple of heads = {}, or head-dim given", *heads));
    per_head = *dim / *heads;
  }
}

void Heads::check_projection(std::string_view owner, std::string_view field, std::string_view file, model::Index outputs) const {
  if (outputs != projected())
    throw BadData(fmt::format("{}: {} = {}: has {} outputs, must have heads x head-dim = {} x {}", owner, field, file, outputs,
                              count(), head_dim()));
}

}  // namespace posenc::schemes
