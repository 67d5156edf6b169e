// Runs a fuzz target over every file of the folders named, and over their beginnings: the entry that libFuzzer calls, without it.
#include "target.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

constexpr std::size_t most_beginnings = 256;  // of one file

/// A copy of exactly that size, so that a sanitizer sees a read beyond it.
void run(const std::string& bytes, std::size_t size) {
  const std::vector<std::uint8_t> copy(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
  LLVMFuzzerTestOneInput(copy.data(), copy.size());
}

void replay(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(in), {});
  const std::size_t step = bytes.size() / most_beginnings + 1;
  for (std::size_t size = 0; size < bytes.size(); size += step) run(bytes, size);
  run(bytes, bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::filesystem::path> files;
  for (int k = 1; k < argc; ++k)
    for (const auto& entry : std::filesystem::directory_iterator(argv[k]))
      if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  if (files.empty()) return std::fputs("no files to replay\n", stderr), 1;
  for (const auto& file : files) try {
      replay(file);
    } catch (const std::exception& e) {
      std::fprintf(stderr, "%s: %s\n", file.c_str(), e.what());
      return 1;
    }
  std::printf("%zu files\n", files.size());
  return 0;
}
