#pragma once
// tests: runs the program as a user would, in a folder of its own.
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace posenc::test {

struct Outcome {
  int code = 0;
  std::string out, err;
};

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream all;
  all << in.rdbuf();
  return all.str();
}

inline void write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// A fresh folder, deleted at the end.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "posenc-cli-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  Folder(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  /// Runs `posenc ARGUMENTS` in the folder through the shell, with `before` in front ("ulimit -f 1;", "X=1").
  Outcome run(const std::string& arguments, const std::string& before = "") const {
    const auto side = std::filesystem::path(path_.string() + ".streams");
    std::filesystem::create_directories(side);
    const std::string line = "cd '" + path_.string() + "' && { " + before + " '" POSENC_BINARY "' " + arguments + "; } >'" +
                             (side / "out").string() + "' 2>'" + (side / "err").string() + "' </dev/null";
    const int status = std::system(line.c_str());
    const Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_file(side / "out"),
                          read_file(side / "err")};
    std::filesystem::remove_all(side);
    return outcome;
  }
  /// Names in the folder, sorted, separated by blanks.
  std::string listing() const {
    std::string out;
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    for (const auto& n : names) out += (out.empty() ? "" : " ") + n;
    return out;
  }

 private:
  std::filesystem::path path_;
};

inline int lines(const std::string& text) { return static_cast<int>(std::count(text.begin(), text.end(), '\n')); }

}  // namespace posenc::test
