#include "app/version_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include "app/provenance.hpp"
#include "core/version.hpp"
#include "io/library_version.hpp"
#include "math/instruction_set.hpp"

namespace posenc::app {
namespace {

/// The date in _OPENMP as a version number, or the date itself where it is newer than this list.
std::string openmp_version() {
#ifdef _OPENMP
  switch (_OPENMP) {
    case 201107:
      return "3.1";
    case 201307:
      return "4.0";
    case 201511:
      return "4.5";
    case 201811:
      return "5.0";
    case 202011:
      return "5.1";
    case 202111:
      return "5.2";
    default:
      return std::to_string(_OPENMP);
  }
#else
  return "none";
#endif
}

}  // namespace

std::string version_text(bool as_json) {
  const std::vector<std::pair<const char*, std::string>> facts{
      {"version", std::string(version)},
      {"commit", std::string(commit)},
      {"format_version", std::to_string(format_version)},
      {"compiler", std::string(compiler)},
      {"instruction_set", std::string(math::instruction_set())},
      {"hdf5", io::hdf5_version()},
      {"hdf5_compiled", io::hdf5_compiled_version()},
      {"libdeflate", io::deflate_version()},
      {"openmp", openmp_version()},
  };
  if (as_json) {
    nlohmann::ordered_json out;
    for (const auto& [name, value] : facts) out[name] = value;
    return out.dump(2) + "\n";
  }
  std::string out = fmt::format("posenc {}\n", version);
  for (std::size_t i = 1; i < facts.size(); ++i) out += fmt::format("{:<16} {}\n", facts[i].first, facts[i].second);
  return out;
}

}  // namespace posenc::app
