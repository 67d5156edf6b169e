#include "app/model_verdict.hpp"

#include "app/table.hpp"
#include "app/terminal.hpp"
#include "core/field.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <numbers>

namespace posenc::app {
namespace {

using sources::KeyStatus;
using sources::LayerReport;

constexpr std::array<std::pair<KeyStatus, const char*>, 5> statuses{{{KeyStatus::used, "used"},
                                                                     {KeyStatus::defaulted, "defaulted"},
                                                                     {KeyStatus::ignored, "ignored"},
                                                                     {KeyStatus::overridden, "overridden"},
                                                                     {KeyStatus::conflicting, "conflicting"}}};

template <class Number>
std::string or_dash(const std::optional<Number>& value) {
  return value ? number_text(static_cast<double>(*value)) : "-";
}

/// Shortest and longest wavelength, and how many pairs do not turn once within the positions of the model.
std::string wavelengths(const LayerReport& l) {
  double fastest = 0, slowest = 0;
  std::size_t slow = 0;
  for (const double t : l.inv_freq) {
    if (t <= 0) continue;
    fastest = std::max(fastest, t);
    slowest = slowest == 0 ? t : std::min(slowest, t);
    if (l.positions && static_cast<double>(*l.positions) * t < 2 * std::numbers::pi) ++slow;
  }
  if (slowest == 0) return "";
  const double turn = 2 * std::numbers::pi;
  std::string out = fmt::format("wavelengths {} to {} positions", readable(turn / fastest), readable(turn / slowest));
  if (l.positions) out += fmt::format("; {} of {} pairs turn less than once within {}", slow, l.inv_freq.size(), *l.positions);
  if (!l.inv_freq_long.empty()) out += fmt::format("; another list above {} positions", l.long_above);
  if (!l.at_seq_len.empty()) out += "; frequencies follow the length in use";
  return out;
}

std::string layer_table(const sources::ModelReport& report) {
  TextTable table({"layers", "type", "base", "rotary/head dim", "layout", "attention factor", "positions"});
  for (const auto& l : report.layers)
    table.add({l.name, l.rope_type.empty() ? report.scheme : l.rope_type, or_dash(l.base_used ? l.base_used : l.base),
               fmt::format("{}/{}", or_dash(l.rotary_dim), or_dash(l.head_dim)), l.layout.empty() ? "-" : l.layout,
               l.inv_freq.empty() ? "-" : readable(l.attention_factor), or_dash(l.positions)});
  std::string out = table.text(terminal_width());
  for (const auto& l : report.layers) {
    const std::string waves = wavelengths(l);
    if (!waves.empty()) out += fmt::format("{}: {}\n", l.name, waves);
  }
  return out;
}

std::string encodings(const sources::ModelReport& report) {
  std::string out;
  for (const auto& l : report.layers) {
    if (l.encoding.scheme.empty()) continue;
    std::string word = sources::encoding_text(l.encoding);
    if (word.size() > 300) word = word.substr(0, 297) + "...";
    out += fmt::format("{} is posenc's {}\n", l.name, word);
  }
  return out;
}

std::string keys(const sources::ModelReport& report, bool every_key) {
  std::vector<std::pair<std::string, std::string>> items;
  for (const auto& [status, word] : statuses) {
    std::string names;
    for (const auto& k : report.keys) {
      if (k.status != status) continue;
      if (every_key) items.emplace_back(fmt::format("{} = {}", k.key, k.value), fmt::format("{}: {}", word, k.note));
      names += (names.empty() ? "" : ", ") + k.key;
    }
    if (!every_key && !names.empty()) items.emplace_back(word, names);
  }
  return items.empty() ? "" : styled(Style::bold, "Keys:") + "\n" + definition_list(items, terminal_width());
}

}  // namespace

std::string model_verdict(const sources::ModelReport& report, const std::string& file, bool every_key) {
  std::string out = fmt::format("{}: model_type {}, positions: {}\n\n", file,
                                styled(Style::bold, report.model_type.empty() ? "-" : report.model_type),
                                styled(Style::bold, report.scheme.empty() ? "-" : report.scheme));
  if (!report.layers.empty()) out += layer_table(report) + encodings(report) + "\n";
  out += keys(report, every_key);
  for (const auto& w : report.warnings) out += styled(Style::doubtful, "warning: ") + w + "\n";
  for (const auto& e : report.errors) out += styled(Style::bad, "error: ") + e + "\n";
  if (report.warnings.empty() && report.errors.empty()) out += styled(Style::good, "nothing to object to") + "\n";
  return out;
}

}  // namespace posenc::app
