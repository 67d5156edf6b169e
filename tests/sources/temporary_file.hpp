#pragma once
// tests: files that live as long as a test.
#include <unistd.h>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace posenc::test {

class TemporaryFile {
 public:
  TemporaryFile(std::string_view name, std::string_view bytes) {
    static std::atomic<int> count{0};
    folder_ =
        std::filesystem::temp_directory_path() / ("posenc_test_" + std::to_string(::getpid()) + "_" + std::to_string(count++));
    path_ = (folder_ / name).string();
    std::filesystem::create_directories(std::filesystem::path(path_).parent_path());
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~TemporaryFile() { std::filesystem::remove_all(folder_); }
  const std::string& path() const { return path_; }

 private:
  std::filesystem::path folder_;
  std::string path_;
};

inline std::string bytes_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace posenc::test
