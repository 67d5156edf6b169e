#include "sources/gguf_factors.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace posenc::sources {
namespace {

using model::Pos;

constexpr double stands_still = 1e29;  // a factor above it

/// Divisor of the frequency by Llama 3.1's rule (config_rope_types.cpp reads the same from config.json).
double divisor(const Llama3Rule& rule, double theta) {
  const double turns = static_cast<double>(rule.original) * theta / (2 * std::numbers::pi);
  if (turns > rule.high) return 1;
  if (turns < rule.low) return rule.factor;
  const double share = rule.high == rule.low ? 0 : (turns - rule.low) / (rule.high - rule.low);
  return 1 / ((1 - share) / rule.factor + share);
}

bool gives(const Llama3Rule& rule, const std::vector<double>& factors, double base) {
  const auto pairs = static_cast<double>(factors.size());
  for (std::size_t i = 0; i < factors.size(); ++i)
    if (std::abs(divisor(rule, std::pow(base, -static_cast<double>(i) / pairs)) / factors[i] - 1) > 1e-6) return false;
  return true;
}

}  // namespace

std::vector<double> factor_list(const GgufSubject& s, const GgufTensor& tensor, Pos pairs) {
  const auto array = gguf_array(s.file, tensor);
  if (array->shape() != std::vector<Pos>{pairs}) {
    s.ledger().error(fmt::format("{}: shape [{}] must be [{}], one number for each pair", tensor.name,
                                 fmt::join(array->shape(), ", "), pairs));
    return {};
  }
  std::vector<double> out(static_cast<std::size_t>(pairs));
  array->read(0, out);
  const auto bad = std::find_if(out.begin(), out.end(), [](double v) { return !(v > 0); });
  if (bad == out.end()) return out;
  s.ledger().error(fmt::format("{}: element {} = {}: must be > 0", tensor.name, bad - out.begin(), plain_number(*bad)));
  return {};
}

std::optional<Llama3Rule> llama3_rule(const std::vector<double>& factors, double base) {
  // Llama 3.1 and its descendants; Llama 4 Scout, whose band has no width.
  for (Llama3Rule rule : {Llama3Rule{}, Llama3Rule{.high = 1}}) {
    rule.factor = factors.empty() ? 1 : factors.back();
    if (rule.factor > 1 && gives(rule, factors, base)) return rule;
  }
  return {};
}

std::optional<Pos> turning_pairs(const std::vector<double>& factors) {
  const auto first_still = std::find_if(factors.begin(), factors.end(), [](double v) { return v != 1; });
  const bool rule = first_still != factors.begin() && first_still != factors.end() &&
                    std::all_of(first_still, factors.end(), [](double v) { return v > stands_still; });
  return rule ? std::optional<Pos>(first_still - factors.begin()) : std::nullopt;
}

}  // namespace posenc::sources
