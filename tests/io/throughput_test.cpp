// The gates of writing, as ratios inside one run: io_throughput_test "[throughput]" (not among the default tests: the ratios
// need an idle machine). POSENC_THROUGHPUT_MIB sets the size.
#include "core/error.hpp"
#include "io/sample_file.hpp"
#include "support/catch.hpp"

#include <fcntl.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <chrono>
#include <cstdlib>
#include <functional>

using namespace posenc;
using namespace posenc::test;

namespace {

constexpr std::uint64_t channels = 128, rows_at_once = 1024;  // 1 MiB of doubles

std::uint64_t rows_of(std::uint64_t standard_mib) {
  const char* given = std::getenv("POSENC_THROUGHPUT_MIB");
  return (given ? std::strtoull(given, nullptr, 10) : standard_mib) * 1024;
}

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
// The least of three: what the machine can do when nothing else disturbs it.
double least(const std::function<void()>& work) { return std::min({seconds(work), seconds(work), seconds(work)}); }

std::vector<double> table() {
  std::vector<double> block(rows_at_once * channels);
  for (std::size_t i = 0; i < block.size(); ++i)
    block[i] = std::sin(static_cast<double>(i / channels) * std::pow(1e4, -static_cast<double>(i % channels) / channels));
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

void write_plainly(const std::string& path, std::uint64_t rows) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  const auto block = table();
  for (std::uint64_t m = 0; m < rows; m += rows_at_once)
    REQUIRE(::write(fd, block.data(), block.size() * 8) == static_cast<ssize_t>(block.size() * 8));
  fsync(fd);
  close(fd);
}

// The same chunks through the library's own filters.
void write_filtered(const std::string& path, std::uint64_t rows, hid_t type, int level) {
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t size[2] = {rows, channels}, chunk[2] = {(1U << 18) / H5Tget_size(type) / channels, channels};
  const hid_t space = H5Screate_simple(2, size, nullptr), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 2, chunk);
  H5Pset_shuffle(list);
  H5Pset_deflate(list, static_cast<unsigned>(level));
  const hid_t data = H5Dcreate2(file, "table", type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  const auto block = table();
  const hsize_t n = block.size();
  const hid_t memory = H5Screate_simple(1, &n, nullptr);
  for (hsize_t m = 0; m < rows; m += rows_at_once) {
    const hsize_t offset[2] = {m, 0}, count[2] = {rows_at_once, channels};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, offset, nullptr, count, nullptr);
    REQUIRE(H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, block.data()) >= 0);
  }
  for (const hid_t id : {memory, space}) H5Sclose(id);
  H5Pclose(list);
  H5Dclose(data);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  H5Fclose(file);
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

TEST_CASE("contiguous writing keeps up with write(2)", "[.][throughput]") {
  const Folder folder;
  const std::uint64_t rows = rows_of(2048);
  write_plainly(folder / "plain", rows);
  const double plain = least([&] { write_plainly(folder / "plain", rows); });
  const double f64 = least([&] { write_table(folder / "a.h5", rows, Type::f64, {}); });
  const double f32 = least([&] { write_table(folder / "b.h5", rows, Type::f32, {}); });
  const double peak = peak_mib([&] { write_table(folder / "a.h5", rows, Type::f64, {}); });
  WARN("MiB " << rows / 1024 << ", write(2) " << plain << " s, float64 " << f64 << " s (share " << plain / f64 << "), float32 "
              << f32 << " s (share " << plain / 2 / f32 << "), peak " << peak << " MiB");
  CHECK(plain / f64 >= 0.7);
  CHECK(peak <= 64);
}

TEST_CASE("deflating on two threads beats the filter threefold", "[.][throughput]") {
  const Folder folder;
  const std::uint64_t rows = rows_of(256);
  for (const Type type : {Type::f64, Type::f32})
    for (const int level : {1, 4, 6}) {
      const hid_t stored = type == Type::f64 ? H5T_IEEE_F64LE : H5T_IEEE_F32LE;
      const double filter = seconds([&] { write_filtered(folder / "f.h5", rows, stored, level); });
      const double one = seconds([&] { write_table(folder / "a.h5", rows, type, {.deflate = level, .threads = 1}); });
      const double two = seconds([&] { write_table(folder / "a.h5", rows, type, {.deflate = level, .threads = 2}); });
      WARN((type == Type::f64 ? "float64" : "float32")
           << " level " << level << ": filter " << filter << " s, ours " << one << " s with one thread, " << two
           << " s with two: " << filter / two << " times; bytes ours / filter "
           << static_cast<double>(std::filesystem::file_size(folder / "a.h5")) /
                  static_cast<double>(std::filesystem::file_size(folder / "f.h5")));
      CHECK(filter / two >= 3);
    }
}
