#include "app/comparison_vector.hpp"

#include "core/field.hpp"
#include "model/views/layout_match.hpp"
#include "model/views/traits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace posenc::app {
namespace {

using namespace model;

/// Where the frequency of each pair stands in the list of one head; empty where a pair turns by more than one axis.
std::vector<std::size_t> slots(const Rotary& r) {
  std::vector<std::size_t> out;
  for (Index j = 0; j < r.pairs(); ++j) {
    std::size_t slot = static_cast<std::size_t>(j);
    int axes = 0;
    for (Index axis = 0; axis < r.axes; ++axis)
      if (r.at(0, axis, j).theta != 0) slot = static_cast<std::size_t>(axis * r.columns() + j), ++axes;
    if (axes > 1) return {};
    out.push_back(slot);
  }
  return out;
}

std::string unsaid(const Encoding& vector, const Rotary& given, const Encoding& other, const Rotary& r) {
  std::vector<std::string> out;
  if (r.attention_factor != given.attention_factor) out.push_back("attention factor " + number_text(r.attention_factor));
  if (other.logit_scale != vector.logit_scale) out.push_back("logit scale " + number_text(other.logit_scale));
  if (r.head_dim != given.head_dim) out.push_back(fmt::format("{} of {} channels of a head turn", 2 * r.pairs(), r.head_dim));
  if (const std::string layout = layout_word(r.channel); r.pairs() > 1 && layout != layout_word(given.channel))
    out.push_back("layout " + layout);
  if (!r.log_damping.empty()) out.emplace_back("damping");
  if (r.early_until > 0) out.emplace_back("frequencies of early positions");
  if (r.axes > 1) out.emplace_back("axes");
  if (other.query_scale) out.emplace_back("scale of queries");
  if (other.visible) out.emplace_back("window");
  if (!other.causal) out.emplace_back("no causal mask");
  return fmt::format("{}", fmt::join(out, ", "));
}

}  // namespace

std::optional<Completed> complete(const Encoding& vector, const Encoding& other) {
  const auto *given = form<Rotary>(vector), *r = form<Rotary>(other);
  if (!given || !r || other.terms.size() != 1 || r->per_head || r->hyperbolic || !r->mix_cosine.empty()) return {};
  std::vector<std::size_t> at = slots(*r);
  if (at.size() != given->frequency.size()) std::erase_if(at, [&](std::size_t slot) { return r->frequency[slot].theta == 0; });
  if (at.empty() || at.size() != given->frequency.size()) return {};
  Completed out{other, unsaid(vector, *given, other, *r)};
  auto& taken = std::get<Rotary>(out.encoding.terms[0]).frequency;
  for (std::size_t j = 0; j < at.size(); ++j) taken[at[j]] = given->frequency[j];
  return out;
}

}  // namespace posenc::app
