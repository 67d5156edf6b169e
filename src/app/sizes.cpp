#include "app/sizes.hpp"

#include "model/views/traits.hpp"

#include <sys/statvfs.h>
#include <unistd.h>
#include <filesystem>
#include <fstream>

namespace posenc::app {
namespace {

double elements(const Schema& schema, const Variable& v) {
  double n = 1;
  for (const auto& d : v.dims) n *= static_cast<double>(schema.dimension(d)->size);
  return n;
}

std::optional<double> number_in(const char* path) {
  std::ifstream in(path);
  double value = 0;
  return in >> value ? std::optional(value) : std::nullopt;
}

}  // namespace

double data_bytes(const Schema& schema) {
  double bytes = 0;
  for (const Variable& v : schema.vars) bytes += elements(schema, v) * static_cast<double>(bytes_of(v.type));
  return bytes;
}

double held_bytes(const Schema& schema, const model::Subject& subject, std::string_view analysis) {
  if (analysis == "encodings") return 0;
  double bytes = 0;
  for (const Variable& v : schema.vars)
    if (v.dims.size() == 1) bytes += elements(schema, v) * sizeof(double);
  const model::Encoding e = subject.in_use();
  if (const auto* table = model::form<model::AbsoluteTable>(e); table && !table->rows->spectrum())
    bytes += static_cast<double>(subject.request.length) * static_cast<double>(table->rows->channels()) * sizeof(double);
  return bytes;
}

std::optional<double> free_bytes(const std::string& path) {
  if (path.empty() || path == "-") return {};
  const auto folder = std::filesystem::path(path).parent_path();
  struct statvfs info {};
  if (statvfs(folder.empty() ? "." : folder.c_str(), &info) != 0) return {};
  return static_cast<double>(info.f_bavail) * static_cast<double>(info.f_frsize);
}

std::optional<double> available_memory() {
  std::optional<double> least;
  const auto take = [&](std::optional<double> bytes) {
    if (bytes && (!least || *bytes < *least)) least = bytes;
  };
  std::ifstream meminfo("/proc/meminfo");
  for (std::string word; meminfo >> word;)
    if (word == "MemAvailable:") {
      double kib = 0;
      if (meminfo >> kib) take(kib * 1024);
      break;
    }
  take(number_in("/sys/fs/cgroup/memory.max"));
  take(number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
  if (!least) {
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    if (pages > 0 && size > 0) take(static_cast<double>(pages) * static_cast<double>(size));
  }
  return least;
}

}  // namespace posenc::app
