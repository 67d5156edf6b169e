// bench: writing beside write(2) and beside HDF5's own filters, as ratios inside one run on an idle machine.
// usage: posenc_bench_output [MIB]     MIB: size of the table (2048)
#include "core/error.hpp"
#include "table_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <hdf5.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>

using namespace posenc;
using namespace posenc::bench;

namespace {

void require(bool fine, const char* what) {
  if (!fine) throw Error(Exit::io, what);
}

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
// The least of three: what the machine can do when nothing else disturbs it.
double least(const std::function<void()>& work) { return std::min({seconds(work), seconds(work), seconds(work)}); }

void write_plainly(const std::string& path, std::uint64_t rows) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  const auto block = table_block();
  for (std::uint64_t m = 0; m < rows; m += rows_at_once)
    require(::write(fd, block.data(), block.size() * 8) == static_cast<ssize_t>(block.size() * 8), "write failed");
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
  const auto block = table_block();
  const hsize_t n = block.size();
  const hid_t memory = H5Screate_simple(1, &n, nullptr);
  for (hsize_t m = 0; m < rows; m += rows_at_once) {
    const hsize_t offset[2] = {m, 0}, count[2] = {rows_at_once, channels};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, offset, nullptr, count, nullptr);
    require(H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, block.data()) >= 0, "H5Dwrite failed");
  }
  for (const hid_t id : {memory, space}) H5Sclose(id);
  H5Pclose(list);
  H5Dclose(data);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  H5Fclose(file);
}

void contiguous(const std::string& folder, std::uint64_t rows) {
  write_plainly(folder + "/plain", rows);
  const double plain = least([&] { write_plainly(folder + "/plain", rows); });
  const double f64 = least([&] { write_table(folder + "/a.h5", rows, Type::f64, {}); });
  const double f32 = least([&] { write_table(folder + "/b.h5", rows, Type::f32, {}); });
  fmt::print("contiguous, share of write(2), gate 0.7: float64 {:.2f}, float32 {:.2f}\n", plain / f64, plain / 2 / f32);
}

void deflated(const std::string& folder, std::uint64_t rows) {
  for (const Type type : {Type::f64, Type::f32})
    for (const int level : {1, 4, 6}) {
      const hid_t stored = type == Type::f64 ? H5T_IEEE_F64LE : H5T_IEEE_F32LE;
      const double filter = seconds([&] { write_filtered(folder + "/f.h5", rows, stored, level); });
      const double two = seconds([&] { write_table(folder + "/a.h5", rows, type, {.deflate = level, .threads = 2}); });
      fmt::print("deflate level {}, times the filter with two threads, gate 3: {} {:.1f}\n", level,
                 type == Type::f64 ? "float64" : "float32", filter / two);
    }
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t mib = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2048;
  std::string folder = (std::filesystem::temp_directory_path() / "posenc-bench-XXXXXX").string();
  if (!mkdtemp(folder.data())) return 1;
  contiguous(folder, mib * 1024);
  deflated(folder, std::max<std::uint64_t>(1, mib / 8) * 1024);
  std::filesystem::remove_all(folder);
}
