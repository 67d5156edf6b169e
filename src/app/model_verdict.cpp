#include "app/model_verdict.hpp"

#include "app/consequence.hpp"
#include "app/model_layers.hpp"
#include "app/other_tools.hpp"
#include "app/table.hpp"
#include "app/terminal.hpp"
#include "core/field.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>

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

/// The factor of cosines and sines, and that of the scores where the model has one.
std::string attention(const LayerReport& l) {
  if (l.inv_freq.empty()) return "-";
  return readable(l.attention_factor) + (l.softmax_factor == 1 ? "" : fmt::format(", scores x {}", readable(l.softmax_factor)));
}

std::string layer_table(const sources::ModelReport& report) {
  TextTable table({"layers", "type", "base", "rotary/head dim", "layout", "attention factor", "positions"});
  for (const auto& l : report.layers) {
    const auto base = l.base_used ? l.base_used : l.base;
    table.add({l.name, l.rope_type.empty() ? report.scheme : l.rope_type, base ? sources::plain_number(*base) : "-",
               fmt::format("{}/{}", or_dash(l.rotary_dim), or_dash(l.head_dim)), l.layout.empty() ? "-" : l.layout, attention(l),
               model_positions(l) > 0 ? std::to_string(model_positions(l)) : "-"});
  }
  return table.text(terminal_width());
}

/// Wavelengths against the training length, and how far the sum of cosines bears.
std::string bounds(const sources::ModelReport& report) {
  TextTable table({"layers", "trained on", "wavelengths", "turn less than once in it", "sum of cosines first below 0"});
  std::string notes;
  bool any = false;
  for (const auto& l : report.layers) {
    if (!l.bounds) continue;
    any = true;
    const auto& b = *l.bounds;
    table.add(
        {l.name, std::to_string(b.trained), fmt::format("{} to {}", readable(b.shortest), readable(b.longest)),
         fmt::format("{} of {} pairs", b.slow, b.turning),
         b.first_negative_lag ? fmt::format("at lag {}", *b.first_negative_lag) : fmt::format("nowhere in {} lags", b.searched)});
    if (!l.inv_freq_long.empty())
      notes += fmt::format("{}: wavelengths and cosines are those of the list above {} tokens\n", l.name, l.long_above);
    if (!l.at_seq_len.empty()) notes += fmt::format("{}: frequencies follow the length in use\n", l.name);
  }
  return any ? "\n" + table.text(terminal_width()) + notes : notes;
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
      names += (names.empty() ? "" : ", ") + k.key + (status == KeyStatus::defaulted ? " = " + k.value : "");
    }
    if (!every_key && !names.empty()) items.emplace_back(word, names);
  }
  return items.empty() ? "" : styled(Style::bold, "Keys:") + "\n" + definition_list(items, terminal_width());
}

const LayerReport& layer_of(const sources::ModelReport& report, const sources::WhatIf& w) {
  return *std::find_if(report.layers.begin(), report.layers.end(), [&](const auto& l) { return l.name == w.layer; });
}

/// "full_attention: " where there are several types of layers.
std::string of_layer(const sources::ModelReport& report, const sources::WhatIf& w) {
  return report.layers.size() > 1 ? w.layer + ": " : "";
}

/// What a tool that drops or mistakes a key would do.
std::string otherwise(const sources::ModelReport& report) {
  TextTable table({"If instead", "scores", "1/4 turn off", "most of all", "channels"});
  bool any = false;
  for (const auto& w : report.what_if) {
    if (w.warning) continue;
    any = true;
    const auto& c = *w.consequence;
    const bool early = c.in_use < model_positions(layer_of(report, w));
    table.add({of_layer(report, w) + w.condition + (early ? fmt::format(" (to {} tokens)", c.in_use) : ""),
               "x " + readable(c.score_ratio), c.quarter_turn ? fmt::format("from position {}", *c.quarter_turn) : "nowhere",
               c.channels.empty() ? "-" : c.channels, fmt::format("{:.0f} %", 100 * c.share)});
  }
  return any ? table.text(terminal_width()) + "\n" : "";
}

/// Of the other tools those that have no line in the table above.
std::string tools(const sources::ModelReport& report) {
  std::string out;
  for (const auto& t : report.tools) {
    if (!t.refuses.empty())
      out += wrapped(fmt::format("as {} an error: {}", t.name, t.refuses), terminal_width());
    else if (!t.known)
      out += fmt::format("{}: its rules for this model are not known here\n", t.name);
    else if (turns_alike(report, t.name))
      out += fmt::format("{} turns the same\n", t.name);
  }
  return out.empty() ? "" : out + "\n";
}

std::string warnings(const sources::ModelReport& report) {
  std::string out;
  for (std::size_t i = 0; i < report.warnings.size(); ++i) {
    out += styled(Style::doubtful, "warning: ") + report.warnings[i] + "\n";
    for (const auto& w : report.what_if)
      if (w.warning == i)
        out += wrapped(fmt::format("if {}{}: {}", of_layer(report, w), w.condition, words(*w.consequence)), terminal_width(), 2);
  }
  return out;
}

}  // namespace

std::string model_verdict(const sources::ModelReport& report, const std::string& file, bool every_key) {
  const bool other = !report.dialect.empty() && report.dialect != "hf";
  std::string out = fmt::format("{}{}: model_type {}, positions: {}\n\n", file, other ? " as " + report.dialect : "",
                                styled(Style::bold, report.model_type.empty() ? "-" : report.model_type),
                                styled(Style::bold, report.scheme.empty() ? "-" : report.scheme));
  if (!report.layers.empty())
    out += layer_table(report) + bounds(report) + "\n" + encodings(report) + "\n" + otherwise(report) + tools(report);
  out += keys(report, every_key);
  out += warnings(report);
  for (const auto& e : report.errors) out += styled(Style::bad, "error: ") + e + "\n";
  if (report.warnings.empty() && report.errors.empty()) out += styled(Style::good, "nothing to object to") + "\n";
  return out;
}

}  // namespace posenc::app
