#include "core/error.hpp"
#include "io/sample_file.hpp"
#include "support/catch.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <functional>

using namespace posenc;
using namespace posenc::test;

namespace {

constexpr std::uint64_t channels = 128, rows_at_once = 1024;  // 1 MiB of doubles

std::vector<double> table() {
  std::vector<double> block(rows_at_once * channels);
  for (std::size_t i = 0; i < block.size(); ++i) block[i] = std::sin(static_cast<double>(i));
  return block;
}

void write_table(const std::string& path, std::uint64_t rows, Type type, io::OutputOptions options) {
  options.force = true;
  Schema s;
  s.axis({"position", rows}, Type::i64, "position", "position");
  s.axis({"channel", channels}, Type::i64, "1", "channel");
  s.add({"table", type, {"position", "channel"}, "1", "table"});
  io::OutputFile file(path, options);
  const auto block = table();
  {
    const auto sink = file.group("/encodings/table", s);
    std::vector<double> index(rows_at_once);
    for (std::uint64_t c = 0; c < channels; ++c) index[c] = static_cast<double>(c);
    sink->write("channel", 0, {index.data(), channels});
    for (std::uint64_t m = 0; m < rows; m += rows_at_once) {
      for (std::uint64_t i = 0; i < rows_at_once; ++i) index[i] = static_cast<double>(m + i);
      sink->write("position", m, index);
      sink->write("table", m, block);
    }
  }
  file.commit();
}

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
