#include "bench/table_file.hpp"
#include "io/sample_file.hpp"
#include "support/catch.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <functional>

using namespace posenc;
using namespace posenc::test;
using bench::write_table;

namespace {

// Peak resident memory of a child that does the work, in MiB; ru_maxrss counts the test program's own pages too.
double peak_mib(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(0);
  }
  int status = 0;
  rusage usage{};
  REQUIRE(wait4(child, &status, 0, &usage) == child);
  REQUIRE(status == 0);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace

TEST_CASE("memory does not grow with the length of a file") {
  const Folder folder;
  for (const int deflate : {0, 1}) {
    const double peak =
        peak_mib([&] { write_table(folder / "a.h5", 256 * 1024, Type::f64, {.deflate = deflate, .threads = 2}); });
    INFO("deflate " << deflate << ": " << peak << " MiB for a file of 256 MiB");
    CHECK(peak < 64);
  }
}
