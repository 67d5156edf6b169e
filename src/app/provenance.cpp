#include "app/provenance.hpp"

#include "app/digest.hpp"
#include "app/field_json.hpp"
#include "app/tables.hpp"
#include "core/version.hpp"
#include "io/library_version.hpp"
#include "math/instruction_set.hpp"
#include "math/parallel.hpp"

#include <fmt/chrono.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>

namespace posenc::app {
namespace {

using json = nlohmann::ordered_json;

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

std::string quoted_word(const std::string& word) {
  static constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// The encoding as a word: its scheme, and the values given that are not the scheme's defaults.
std::string encoding_word(const Entry& entry) {
  Fields resolved = entry.scheme->fields();
  const auto fresh = make_scheme({entry.spec.scheme, "", {}});
  Fields defaults = fresh->fields();
  std::vector<std::string> parts;
  for (const Field& f : resolved) {
    const bool given =
        std::any_of(entry.spec.values.begin(), entry.spec.values.end(), [&](const auto& v) { return v.first == f.name; });
    if (given && text(f) != text(*find(defaults, f.name))) parts.push_back(fmt::format("{}={}", f.name, text(f)));
  }
  if (entry.spec.label != entry.spec.scheme) parts.push_back("label=" + entry.spec.label);
  return parts.empty() ? entry.spec.scheme : fmt::format("{}:{}", entry.spec.scheme, fmt::join(parts, ","));
}

void add_changed(std::vector<std::string>& words, const Fields& values, Fields defaults) {
  for (const Field& f : values) {
    const std::string value = text(f);
    if (value == text(*find(defaults, f.name))) continue;
    const auto* on = std::get_if<bool*>(&f.slot);
    const std::string word = on ? fmt::format("--{}{}", **on ? "" : "no-", f.name) : fmt::format("--{}={}", f.name, value);
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  }
}

/// Opens what Tables opens, and knows what it was.
class Recorder : public model::TableLoader {
 public:
  std::shared_ptr<const model::Tensor> open(const std::string& file) const override {
    auto out = Tables().open(file);
    opened[file] = out;
    return out;
  }
  mutable std::map<std::string, std::shared_ptr<const model::Tensor>> opened;
};

/// Digest of every array that a field of the encoding names, by the field's word.
json arrays_of(const Entry& entry, const model::Request& request) {
  json out = json::object();
  const Fields fields = entry.scheme->fields();
  const auto names_file = [](const Field& f) {
    const auto* word = std::get_if<std::string*>(&f.slot);
    return word && !(*word)->empty();
  };
  if (std::none_of(fields.begin(), fields.end(), names_file)) return out;
  const Recorder files;
  resolve(entry.spec, request, files);
  for (const auto& [name, array] : files.opened) out[name] = sha256(*array);
  return out;
}

}  // namespace

std::string quoted(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& w : words) out += (out.empty() ? "" : " ") + quoted_word(w);
  return out;
}

std::string configuration(const Work& work) {
  json encodings = json::array();
  for (const auto& e : work.entries) {
    json one{{"label", e.spec.label}, {"scheme", e.spec.scheme}, {"values", json::parse(json_values(effective_fields(e)))}};
    if (json arrays = arrays_of(e, work.request); !arrays.empty()) one["sha256"] = std::move(arrays);
    encodings.push_back(std::move(one));
  }
  json analyses = json::object();
  for (const auto& a : work.analyses) analyses[std::string(a->info().name)] = json::parse(json_values(a->fields()));
  model::Request request = resolved(work.request);
  return json{{"command", work.command},
              {"encodings", encodings},
              {"request", json::parse(json_values(request.fields()))},
              {"analyses", analyses}}
      .dump();
}

std::string canonical_command(const Work& work) {
  std::vector<std::string> words{"posenc", work.command};
  for (const auto& e : work.entries) words.push_back(encoding_word(e));
  model::Request request = work.request, standard;
  add_changed(words, request.fields(), standard.fields());
  for (const auto& a : work.analyses) add_changed(words, a->fields(), fresh_analysis(a->info().name)->fields());
  return quoted(words);
}

std::vector<Attribute> root_attributes(const Work& work, const OutputChoice& output, const Globals& globals) {
  const std::string config = configuration(work);
  const std::string history =
      output.reproducible ? canonical_command(work) : fmt::format("{} {}", utc_now(), globals.command_line);
  std::vector<Attribute> out{
      {"Conventions", std::string("CF-1.10")},
      {"title", fmt::format("posenc {}: positional encodings of transformers", work.command)},
      {"history", history},
      {"posenc_version", std::string(version)},
      {"commit", std::string(commit)},
      {"format_version", std::int64_t{format_version}},
      {"configuration", config},
      {"configuration_sha256", sha256(config)},
      {"seed", work.request.seed},
      {"sample_seed", work.request.sample_seed},
      {"generator", std::string("Philox4x32-10")},
      {"instruction_set", std::string(math::instruction_set())},
      {"hdf5_version", io::hdf5_version()},
      {"compiler", std::string(compiler)},
  };
  if (!output.reproducible) {
    out.push_back({"host", host_name()});
    out.push_back({"threads", std::int64_t{math::threads()}});
  }
  return out;
}

}  // namespace posenc::app
