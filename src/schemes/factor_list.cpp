#include "schemes/factor_list.hpp"

#include "core/error.hpp"
#include "schemes/files.hpp"

#include <fmt/format.h>
#include <charconv>
#include <cmath>

namespace posenc::schemes {
namespace {

std::optional<std::vector<double>> numbers(std::string_view text) {
  std::vector<double> out;
  for (;;) {
    const auto slash = text.find('/');
    const std::string_view part = text.substr(0, slash);
    double value = 0;
    const auto [end, status] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (status != std::errc{} || end != part.data() + part.size()) return {};
    out.push_back(value);
    if (slash == std::string_view::npos) return out;
    text.remove_prefix(slash + 1);
  }
}

}  // namespace

std::vector<double> FactorList::read(const model::Context& context, std::string_view owner, std::string_view field,
                                     model::Index pairs) const {
  const auto typed = numbers(text);
  std::vector<double> out;
  if (typed) {
    out = *typed;
  } else {
    const model::Vector v = vector_file(context, owner, field, text, -1);
    out.assign(v.begin(), v.end());
  }
  const auto refuse = [&](const std::string& rule) {
    const std::string line = fmt::format("{}: {} = {}: {}", owner, field, text, rule);
    if (typed) throw UsageError(line);
    throw BadData(line);
  };
  if (static_cast<model::Index>(out.size()) != pairs)
    refuse(fmt::format("must have {} numbers (rotary width {}), not {}", pairs, 2 * pairs, out.size()));
  for (const double v : out)
    if (!(v > 0) || !std::isfinite(v)) refuse(fmt::format("must have numbers > 0, not {}", number_text(v)));
  return out;
}

}  // namespace posenc::schemes
