#include "schemes/head_parameter.hpp"

#include "core/error.hpp"
#include "math/random.hpp"
#include "schemes/files.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>

namespace posenc::schemes {
namespace {

std::optional<double> number(const std::string& text) {
  double value = 0;
  const char* last = text.data() + text.size();
  const auto [end, status] = std::from_chars(text.data(), last, value);
  return status == std::errc{} && end == last ? std::optional(value) : std::nullopt;
}

}  // namespace

void HeadParameter::read(const model::Context& context, std::string_view owner, std::string_view field,
                         std::optional<std::int64_t>& heads) {
  if (text.empty() || number(text)) return;
  const model::Vector v = vector_file(context, owner, field, text, -1);
  agree(owner, field, text, "heads", heads, v.size());
  values.assign(v.begin(), v.end());
}

void HeadParameter::fill(const model::Context& context, std::string_view owner, std::string_view field, const char* name,
                         std::int64_t heads, Interval drawn, Interval kept) {
  const auto count = static_cast<std::size_t>(heads);
  if (const auto value = number(text)) {
    if (!(*value >= kept.low && *value <= kept.high))
      reject(owner, field, text, "must be " + range_words(between(kept.low, kept.high)));
    values.assign(count, *value);
    return;
  }
  if (text.empty()) {
    values.resize(count);
    math::uniform(math::Stream(context.seed, name), 0, values);
    for (double& v : values) v = std::clamp(drawn.low + (drawn.high - drawn.low) * v, kept.low, kept.high);
  }
  for (std::size_t h = 0; h < count; ++h)
    if (!(values[h] >= kept.low && values[h] <= kept.high))
      throw BadData(fmt::format("{}: {} = {}: head {} has {}: must be {}", owner, field, text, h, number_text(values[h]),
                                range_words(between(kept.low, kept.high))));
}

}  // namespace posenc::schemes
