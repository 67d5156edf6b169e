// A file with wrong bytes is refused in one line or read with wrong values; the program neither crashes nor prints more.
#include "core/error.hpp"
#include "io/child.hpp"
#include "io/input_file.hpp"
#include "io/sample_file.hpp"
#include "support/catch.hpp"

#include <sys/resource.h>
#include <algorithm>
#include <csignal>
#include <random>

using namespace posenc;
using namespace posenc::test;

namespace {

void read_all(const io::InputFile& file, const std::string& group) {
  file.attributes(group);
  for (const auto& v : file.variables(group)) {
    if (v.size() > 1 << 20) continue;
    std::vector<double> numbers(v.kind == io::InputVariable::Kind::number ? v.size() : 0);
    if (!numbers.empty()) file.read(group + "/" + v.name, 0, numbers);
    if (v.kind == io::InputVariable::Kind::text) file.read_text(group + "/" + v.name, 0, v.size());
  }
}

// "" where all went well, else the line; a library that failed printed its line to `errors` and left with 65.
Child read_in_child(const std::string& path, const std::string& errors) {
  return in_child([&] {
    if (!std::freopen(errors.c_str(), "wb", stderr)) return std::string("no file");
    alarm(60);
#ifndef __SANITIZE_ADDRESS__
    const rlimit memory{rlim_t{1} << 30, rlim_t{1} << 30};  // a damaged length may ask for 4 GiB
    setrlimit(RLIMIT_AS, &memory);
#endif
    std::string line;
    try {
      const io::InputFile file(path);
      for (const auto& group : file.groups()) try {
          read_all(file, group);
        } catch (const Error& e) {
          line = e.code() == Exit::bad_data ? e.what() : std::string("another code: ") + e.what();
        }
    } catch (const Error& e) {
      line = e.code() == Exit::bad_data ? e.what() : std::string("another code: ") + e.what();
    }
    return line;
  });
}

}  // namespace

TEST_CASE("a file cut anywhere is refused") {
  const Folder folder;
  write_sample(folder / "a.h5");
  const std::string whole = bytes(folder / "a.h5"), path = folder / "cut.h5";
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{8}, std::size_t{40}, std::size_t{512},
                                 whole.size() / 3, whole.size() / 2, whole.size() - 1}) {
    std::ofstream(path, std::ios::binary) << whole.substr(0, size);
    const Child child = read_in_child(path, folder / "errors");
    INFO(size << " bytes: " << child.line);
    CHECK(child.status == 0);
    CHECK(child.line.rfind("'" + path + "': ", 0) == 0);
    CHECK(bytes(folder / "errors").empty());
  }
}

TEST_CASE("wrong bytes are no crash") {
#ifdef __SANITIZE_ADDRESS__
  WARN("skipped: the sanitizer ends the process at the library's own faults, before this program can");
  return;
#endif
  const Folder folder;
  std::mt19937_64 random(20);
  for (const int deflate : {0, 1}) {
    write_sample(folder / "a.h5", {.force = true, .deflate = deflate});
    const std::string whole = bytes(folder / "a.h5"), path = folder / "flipped.h5", errors = folder / "errors";
    int refused = 0, library = 0, hanging = 0;
    for (int i = 0; i < 30; ++i) {
      std::string flipped = whole;
      for (int k = 0; k < 4; ++k) flipped[random() % flipped.size()] = static_cast<char>(random());
      std::ofstream(path, std::ios::binary) << flipped;
      const Child child = read_in_child(path, errors);
      const std::string printed = bytes(errors);
      INFO("turn " << i << ": " << child.line << printed);
      if (WIFSIGNALED(child.status) && WTERMSIG(child.status) == SIGALRM) {
        ++hanging;  // HDF5 1.10 has an endless loop for some global heaps
      } else if (child.status != 0) {
        ++library;
        CHECK(WEXITSTATUS(child.status) == 65);
        CHECK(printed == "'" + path + "': is damaged: the HDF5 library cannot read it\n");
      } else {
        refused += !child.line.empty();
        CHECK((child.line.empty() || child.line.rfind("'" + path + "': ", 0) == 0));
        CHECK(child.line.find('\n') == std::string::npos);
        CHECK(printed.empty());
      }
    }
    CHECK(refused > 0);
    if (hanging > 0) WARN("the library hangs on " << hanging << " of 30 damaged files; " << library << " ended in its own fault");
  }
}
