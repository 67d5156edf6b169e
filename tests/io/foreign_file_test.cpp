// Files that this program did not write: other types, links that lead away, loops.
#include "core/error.hpp"
#include "io/input_file.hpp"
#include "io/sample_file.hpp"
#include "io/table.hpp"
#include "support/catch.hpp"

#include <hdf5.h>
#include <functional>

using namespace posenc;
using namespace posenc::test;
using io::InputFile;
using io::InputVariable;

namespace {

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& e) {
    CHECK(e.code() == Exit::bad_data);
    return e.what();
  }
  return "accepted";
}

hid_t space_of(const std::vector<hsize_t>& shape) {
  return shape.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
}

template <class Native>
void put(hid_t file, const char* name, hid_t stored, hid_t memory, const std::vector<hsize_t>& shape, const Native* data,
         hid_t list = H5P_DEFAULT) {
  const hid_t space = space_of(shape);
  const hid_t set = H5Dcreate2(file, name, stored, space, H5P_DEFAULT, list, H5P_DEFAULT);
  REQUIRE(set >= 0);
  if (data) REQUIRE(H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
  H5Dclose(set);
  H5Sclose(space);
}

void write_foreign(const std::string& path, const std::string& secret) {
  const hid_t f = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const int integers[3] = {-1, 2, 70000};
  put(f, "big_endian", H5T_STD_I32BE, H5T_NATIVE_INT, {3}, integers);
  const double half[2] = {0.5, 65504};
  const hid_t f16 = H5Tcopy(H5T_IEEE_F32LE);
  H5Tset_fields(f16, 15, 10, 5, 0, 10);
  H5Tset_size(f16, 2);
  H5Tset_ebias(f16, 15);
  put(f, "half", f16, H5T_NATIVE_DOUBLE, {2}, half);
  const unsigned long long large = ~0ULL;
  put(f, "unsigned", H5T_STD_U64LE, H5T_NATIVE_ULLONG, {1}, &large);
  const double plane[6] = {0, 1, 2, 3, 4, 5}, bad[2] = {1, std::nan("")};
  put(f, "plane", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {2, 3}, plane);
  put(f, "hole", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {2}, bad);
  put(f, "single", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {}, plane);
  const hid_t padded = H5Tcopy(H5T_C_S1), blank = H5Tcopy(H5T_FORTRAN_S1);
  H5Tset_size(padded, 4);
  H5Tset_size(blank, 4);
  put(f, "padded", padded, padded, {2}, "ab\0\0full");
  put(f, "blank", blank, blank, {2}, "a b \xff   ");
  const hid_t pair = H5Tcreate(H5T_COMPOUND, 16);
  H5Tinsert(pair, "r", 0, H5T_NATIVE_DOUBLE);
  H5Tinsert(pair, "i", 8, H5T_NATIVE_DOUBLE);
  put(f, "complex", pair, pair, {3}, plane);
  const hid_t word = H5Tenum_create(H5T_NATIVE_SCHAR);
  const signed char yes = 1;
  H5Tenum_insert(word, "TRUE", &yes);
  put(f, "enumeration", word, word, {1}, &yes);
  const hid_t null = H5Screate(H5S_NULL);
  H5Dclose(H5Dcreate2(f, "nothing", H5T_IEEE_F64LE, null, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Aclose(H5Acreate2(f, "nothing", H5T_IEEE_F64LE, null, H5P_DEFAULT, H5P_DEFAULT));

  const hid_t outside = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(outside, secret.c_str(), 0, 16);
  put<double>(f, "outside", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {2}, nullptr, outside);
  const hid_t mapped = H5Pcreate(H5P_DATASET_CREATE), two = space_of({2});
  H5Pset_virtual(mapped, two, "missing.h5", "/x", two);
  put<double>(f, "virtual", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {2}, nullptr, mapped);
  H5Lcreate_soft("/plane", f, "soft", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external(secret.c_str(), "/x", f, "away", H5P_DEFAULT, H5P_DEFAULT);
  const hid_t group = H5Gcreate2(f, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_hard(f, "/", group, "loop", H5P_DEFAULT, H5P_DEFAULT);
  // What a dimension list may not be.
  const hid_t set = H5Dopen2(f, "plane", H5P_DEFAULT), three = space_of({3});
  const hid_t list = H5Acreate2(set, "DIMENSION_LIST", H5T_NATIVE_INT, three, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(list, H5T_NATIVE_INT, integers);
  H5Aclose(list);
  H5Dclose(set);
  for (const hid_t type : {f16, padded, blank, pair, word}) H5Tclose(type);
  for (const hid_t space : {null, two, three}) H5Sclose(space);
  for (const hid_t p : {outside, mapped}) H5Pclose(p);
  H5Gclose(group);
  REQUIRE(H5Fclose(f) >= 0);
}

}  // namespace

TEST_CASE("numbers and strings of every width are read, the rest is named") {
  const Folder folder;
  const std::string path = folder / "a.h5";
  write_foreign(path, folder / "secret");
  const InputFile file(path);
  CHECK(file.groups() == std::vector<std::string>{"/", "/group"});
  const auto type = [&](const char* name) { return file.variable(name).type; };
  CHECK((type("/big_endian") == "int32" && type("/half") == "float16" && type("/unsigned") == "uint64"));
  CHECK((type("/complex") == "compound" && type("/enumeration") == "enumeration" && type("/nothing") == "nothing"));
  std::vector<double> three(3), two(2), one(1);
  file.read("/big_endian", 0, three);
  CHECK(three == std::vector<double>{-1, 2, 70000});
  file.read("/half", 0, two);
  CHECK(two == std::vector<double>{0.5, 65504});
  file.read("/unsigned", 0, one);
  CHECK(one[0] == 0x1p64);
  CHECK(file.read_text("/padded", 0, 2) == std::vector<std::string>{"ab", "full"});
  CHECK(file.read_text("/blank", 0, 2) == std::vector<std::string>{"a b", "\\xff"});
  CHECK(file.variable("/plane").dims == std::vector<std::string>{"", ""});
  CHECK(refusal([&] { file.read("/complex", 0, one); }) == "'" + path + "': '/complex' holds compound, not numbers");
  CHECK(refusal([&] { file.read("/nothing", 0, {}); }) == "'" + path + "': '/nothing' holds nothing, not numbers");
  CHECK(file.attributes("/").empty());
}

TEST_CASE("nothing outside the file is read") {
  const Folder folder;
  const std::string path = folder / "a.h5", secret = folder / "secret";
  std::ofstream(secret) << "sixteen bytes ok";
  write_foreign(path, secret);
  const InputFile file(path);
  std::vector<double> two(2);
  CHECK(refusal([&] { file.read("/outside", 0, two); }) == "'" + path + "': '/outside' holds data in other files, not numbers");
  CHECK(refusal([&] { file.read("/virtual", 0, two); }) == "'" + path + "': '/virtual' holds data in other files, not numbers");
  CHECK(refusal([&] { file.read("/soft", 0, two); }) == "'" + path + "': '/soft' is a link to another place");
  CHECK(refusal([&] { file.read("/away", 0, two); }) == "'" + path + "': '/away' is a link to another place");
  const auto all = file.variables("/");
  CHECK(all.size() == 13);
  for (const auto& v : all)
    if (v.name == "outside" || v.name == "virtual")
      CHECK((v.kind == InputVariable::Kind::other && v.type == "data in other files"));
}

TEST_CASE("a dataset is a table by its name") {
  const Folder folder;
  const std::string path = folder / "a.h5";
  write_foreign(path, folder / "secret");
  const auto plane = io::open_table(path + "#plane");
  CHECK(plane->shape() == std::vector<model::Pos>{2, 3});
  std::vector<double> part(3);
  plane->read(2, part);
  CHECK(part == std::vector<double>{2, 3, 4});
  CHECK(io::open_table(path + "#/group/loop/plane")->size() == 6);
  CHECK(refusal([&] { io::open_table(path + "#hole"); }) == "'" + path + "#hole': element 1 is not finite");
  CHECK(refusal([&] { io::open_table(path + "#single"); }) == "'" + path + "#single': '/single' is a single number, not a table");
  CHECK(refusal([&] { io::open_table(path + "#padded"); }) == "'" + path + "#padded': '/padded' holds text, not numbers");
  CHECK(refusal([&] { io::open_table(path + "#none"); }) == "'" + path + "': has no '/none'");
  CHECK(refusal([&] { io::open_table(path); }) == "'" + path + "': holds 5 tables: name one, as " + path +
                                                      "#/big_endian (there are /big_endian, /half, /hole, /plane, /unsigned)");
}

TEST_CASE("a file with one table needs no name") {
  const Folder folder;
  Schema s;
  s.axis({"position", 3}, Type::i64, "1", "position");
  s.axis({"channel", 2}, Type::i64, "1", "channel");
  s.add({"table", Type::f64, {"position", "channel"}, "1", "table"});
  {
    io::OutputFile out(folder / "a.h5", {});
    const auto sink = out.group("/encodings/mine", s);
    sink->write("position", 0, std::vector<double>{0, 1, 2});
    sink->write("channel", 0, std::vector<double>{0, 1});
    sink->write("table", 0, std::vector<double>{1, 2, 3, 4, 5, 6});
    out.group("/summary", Schema{});
    out.commit();
  }
  const auto table = io::open_table(folder / "a.h5");
  CHECK(table->shape() == std::vector<model::Pos>{3, 2});
}
