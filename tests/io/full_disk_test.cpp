#include "core/error.hpp"
#include "io/child.hpp"
#include "io/sample_file.hpp"
#include "support/catch.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <csignal>
#include <cstring>
#ifdef __linux__
#include <sched.h>
#include <sys/mount.h>
#endif

using namespace posenc;
using namespace posenc::test;

namespace {

// What the program does: one file, everything in it, an error where it goes wrong; then whether the file is given up.
std::string write_all(const std::string& path, int deflate, std::uint64_t rows) {
  std::string line;
  std::unique_ptr<io::OutputFile> file;
  try {
    file = std::make_unique<io::OutputFile>(path, io::OutputOptions{.force = true, .deflate = deflate, .threads = 2});
    write_sample(*file);
    write_encodings(*file->group("/encodings/long", encodings_schema(rows, 64)), rows, 64, 100);
    file->commit();
    return "written";
  } catch (const Error& e) {
    line = std::to_string(static_cast<int>(e.code())) + " " + e.what();
  }
  if (!file) return line;
  if (!file->poisoned()) line += "; not poisoned";
  try {
    file->commit();
    line += "; committed";
  } catch (const Error&) {
  }
  file.reset();
  return line;
}

std::string expected(const std::string& path, const std::string& reason) {
  return "74 cannot write '" + path + "': " + reason + "; any previous '" + path + "' is unchanged";
}

}  // namespace

TEST_CASE("a limit on the size of files is an error in one line, wherever it strikes") {
  const Folder folder;
  const std::string path = folder / "a.h5";
  std::ofstream(path) << "previous";
  for (const int deflate : {0, 4})
    for (const std::uint64_t limit : {0, 96, 1000, 4096, 20'000, 100'000, 150'000, 200'000, 260'000, 300'000, 1'000'000}) {
      const Child child = in_child([&] {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit most{limit, limit};
        setrlimit(RLIMIT_FSIZE, &most);
        return write_all(path, deflate, 20'000);
      });
      INFO("limit " << limit << ", deflate " << deflate);
      CHECK(child.status == 0);
      CHECK(child.line == expected(path, "File too large"));
      CHECK(bytes(path) == "previous");
      CHECK(folder.files() == 1);
    }
}

TEST_CASE("a full disk is an error in one line, wherever it strikes") {
#ifdef __linux__
  const Folder folder;
  const std::string disk = folder / "disk", path = disk + "/a.h5";
  std::filesystem::create_directory(disk);
  for (const int deflate : {0, 4})
    for (const int kib : {8, 64, 128, 192, 224, 256, 260, 264, 268, 512, 2048}) {
      const Child child = in_child([&] {
        // A file system of its own, which goes with the process.
        const std::string size = "size=" + std::to_string(kib) + "k";
        if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
            mount("tmpfs", disk.c_str(), "tmpfs", 0, size.c_str()) != 0)
          return std::string("cannot mount: ") + std::strerror(errno);
        std::ofstream(path) << "previous";
        std::string line = write_all(path, deflate, 20'000);
        if (bytes(path) != "previous") line += "; previous file lost";
        if (std::distance(std::filesystem::directory_iterator(disk), std::filesystem::directory_iterator()) != 1)
          line += "; partial file left";
        return line;
      });
      if (child.line.rfind("cannot mount", 0) == 0) {
        WARN("skipped: no tmpfs of limited size without privileges (" << child.line << ")");
        return;
      }
      INFO(kib << " KiB, deflate " << deflate);
      CHECK(child.status == 0);
      CHECK(child.line == expected(path, "No space left on device"));
    }
#else
  WARN("skipped: a disk of limited size is made with Linux's tmpfs");
#endif
}

TEST_CASE("standard output that is closed or full is an error in one line") {
  for (const bool full : {true, false}) {
    const Child child = in_child([&] {
      std::signal(SIGPIPE, SIG_IGN);
      int ends[2] = {-1, -1};
      const int out = full ? open("/dev/full", O_WRONLY) : (pipe(ends) == 0 ? ends[1] : -1);
      close(ends[0]);
      dup2(out, STDOUT_FILENO);
      try {
        io::OutputFile file("-", {});
        write_sample(file);
        file.commit();
      } catch (const Error& e) {
        return std::to_string(static_cast<int>(e.code())) + " " + e.what();
      }
      return std::string("written");
    });
    CHECK(child.status == 0);
    CHECK(child.line == std::string("74 cannot write to standard output: ") + (full ? "No space left on device" : "Broken pipe"));
  }
}

TEST_CASE("a temporary folder that cannot be used is named") {
  const Folder folder;
  const auto run = [&](const std::string& temporary, rlim_t limit) {
    return in_child([&] {
      std::signal(SIGXFSZ, SIG_IGN);
      setenv("TMPDIR", temporary.c_str(), 1);
      dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
      const rlimit most{limit, limit};
      setrlimit(RLIMIT_FSIZE, &most);
      return write_all("-", 0, 20'000);
    });
  };
  const std::string none = folder / "none", here = folder.path.string();
  CHECK(run(none, 1 << 30).line == "73 cannot create a temporary file in '" + none + "': No such file or directory");
  CHECK(run(here, 100'000).line == "74 cannot write the temporary file in '" + here + "': File too large");
  CHECK(run(here, 1 << 30).line == "written");
  CHECK(folder.files() == 0);
}
