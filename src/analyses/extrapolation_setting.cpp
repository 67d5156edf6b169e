#include "analyses/extrapolation_setting.hpp"

#include "core/error.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace posenc::analyses {

ExtrapolationSetting::ExtrapolationSetting(const Subject& subject)
    : length(subject.train_length()),
      factor(subject.request.extend),
      trained(subject.as_trained()),
      traits(model::traits(trained)) {
  for (const double k : factor) {
    const double n = std::round(k * static_cast<double>(length));
    if (!(n > static_cast<double>(length) && n <= 0x1p53))
      throw UsageError(
          fmt::format("extrapolation: extend = {}: times the training length {} must be longer than it, at most 2^53",
                      number_text(k), length));
    sequence.push_back(static_cast<Pos>(n));
    used.push_back(subject.as_used(sequence.back()));
  }
  heads = traits.has_heads ? traits.heads : 1;
}

Pos ExtrapolationSetting::longest() const { return *std::max_element(sequence.begin(), sequence.end()); }

bool ExtrapolationSetting::reaches_beyond(std::size_t f) const {
  const Pos last = sequence[f] - 1;
  for (Pos s = length; s <= last; ++s)
    if (visible(used[f], last, last - s)) return true;
  return false;
}

}  // namespace posenc::analyses
