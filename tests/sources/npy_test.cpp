#include "sources/npy.hpp"

#include "sources/temporary_file.hpp"
#include "sources/thrown.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

using namespace posenc;
using test::TemporaryFile;
using test::thrown;

namespace {

const std::string folder = POSENC_TEST_DATA "/npy/";

std::vector<double> all_of(const model::Tensor& t) {
  std::vector<double> out(static_cast<std::size_t>(t.size()));
  t.read(0, out);
  return out;
}

/// A version 1 file with that dictionary and those data bytes.
std::string npy(const std::string& dictionary, const std::string& data) {
  std::string head = "\x93NUMPY";
  head += {'\x01', '\x00', static_cast<char>(dictionary.size() % 256), static_cast<char>(dictionary.size() / 256)};
  return head + dictionary + data;
}
std::string opened(const std::string& bytes) {
  const TemporaryFile file("t.npy", bytes);
  return thrown([&] { sources::open_npy(file.path()); });
}

}  // namespace

// Written by NumPy (tools/reference/npy_cases.py); exact, so that no tolerance is needed.
TEST_CASE("every stored type, order and version reads as NumPy reads it") {
  const auto cases = nlohmann::json::parse(test::bytes_of_file(folder + "cases.json"));
  REQUIRE(cases.size() == 27);
  for (const auto& c : cases) {
    CAPTURE(c["file"].get<std::string>());
    const auto tensor = sources::open_npy(folder + c["file"].get<std::string>());
    const auto expected =
        c["values"].is_array() ? c["values"].get<std::vector<double>>() : std::vector{c["values"].get<double>()};
    CHECK(tensor->shape() == c["shape"].get<std::vector<model::Pos>>());
    const auto got = all_of(*tensor);
    REQUIRE(got.size() == expected.size());
    for (std::size_t k = 0; k < got.size(); ++k) {
      CHECK(got[k] == expected[k]);
      CHECK(std::signbit(got[k]) == std::signbit(expected[k]));
      double one = 0;
      tensor->read(static_cast<model::Pos>(k), {&one, 1});
      CHECK(one == expected[k]);
    }
  }
}

TEST_CASE("bfloat16 reads where the descr says so") {
  const std::string data{'\x80', '\x3f', '\xc0', '\xbf', '\x49', '\x40'};  // 1, -1.5, 3.140625
  const TemporaryFile file("b.npy", npy("{'descr': '<V2', 'fortran_order': False, 'shape': (3,), }\n", data));
  CHECK(all_of(*sources::open_npy(file.path())) == std::vector<double>{1, -1.5, 3.140625});
}

TEST_CASE("what is no array of finite numbers is refused in one line") {
  const auto refused = [](const std::string& name) { return thrown([&] { sources::open_npy(folder + name); }); };
  CHECK(refused("bad_bool.npy") ==
        "65: " + folder + "bad_bool.npy: descr = |b1: must be a float of 2, 4 or 8 bytes, <V2 (bfloat16) or an integer");
  for (const std::string name : {"complex", "text", "void"})
    CHECK(refused("bad_" + name + ".npy").find("descr = ") != std::string::npos);
  CHECK(refused("bad_structured.npy").find("must give descr, fortran_order and shape once each") != std::string::npos);
  CHECK(refused("bad_empty.npy").find("shape = [0, 4]: must have between 1 and 2^63 bytes") != std::string::npos);
  CHECK(refused("bad_nan.npy") ==
        "65: " + folder + "bad_nan.npy: stored element 1: must be a finite number that float64 holds exactly");
  CHECK(refused("bad_inf.npy").find("stored element 0: must be a finite number") != std::string::npos);
  CHECK(refused("bad_wide_i8.npy").find("float64 holds exactly") != std::string::npos);
  CHECK(refused("cases.json").find("must begin as a .npy file") != std::string::npos);
  CHECK(refused("none.npy") == "66: " + folder + "none.npy: no such file");
  CHECK(thrown([] { sources::open_npy(folder); }).substr(0, 4) == "65: ");
}

TEST_CASE("a shape that lies about the data is refused") {
  const std::string eight(8, '\0');
  const auto shape = [&](const std::string& s) {
    return opened(npy("{'descr': '<f4', 'fortran_order': False, 'shape': " + s + ", }", eight));
  };
  CHECK(shape("(2,)") == "nothing");
  CHECK(shape("(2L,)") == "nothing");
  CHECK(shape("(1, 2)") == "nothing");
  CHECK(shape("(3,)").find("needs 12 bytes of data, the file has 8") != std::string::npos);
  CHECK(shape("(1,)").find("needs 4 bytes of data, the file has 8") != std::string::npos);
  for (const char* const absurd :
       {"(9223372036854775807, 9223372036854775807)", "(4611686018427387904,)", "(3037000500, 3037000500)"})
    CHECK(shape(absurd).find("must have between 1 and 2^63 bytes") != std::string::npos);
  for (const char* const malformed : {"(-2,)", "(99999999999999999999,)", "2", "(2", "(2,,)", "(2.0,)", "[2]", "(2,) x"})
    CHECK(shape(malformed).find("must give descr") != std::string::npos);
}

TEST_CASE("a malformed header is refused") {
  const std::string four(4, '\0');
  for (const char* const head :
       {"", "{", "{}", "{'descr': '<f4', 'fortran_order': False}", "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} {", "{'descr: '<f4', 'fortran_order': False, 'shape': (1,)}"})
    CHECK(opened(npy(head, four)).find("must give descr") != std::string::npos);
  for (const char* const descr : {"", "<", "f4", "=f4", "|f4", "<f16", "<i3", "|V2", "O"})
    CHECK(opened(npy(std::string("{'descr': '") + descr + "', 'fortran_order': False, 'shape': (1,)}", four)).find("descr = ") !=
          std::string::npos);
}

TEST_CASE("every truncation and every broken header byte is refused or read, never worse") {
  for (const char* const name : {"little_f4.npy", "version_2.npy", "fortran_cube.npy"}) {
    const std::string whole = test::bytes_of_file(folder + name);
    for (std::size_t n = 0; n < whole.size(); n += n < 130 ? 1 : 7) CHECK(opened(whole.substr(0, n)).substr(0, 4) == "65: ");
    for (std::size_t n = 0; n < 128; ++n)
      for (const char c : {'\0', '\xff', '9', '\''}) {
        std::string broken = whole;
        broken[n] = c;
        const std::string outcome = opened(broken);
        CHECK((outcome == "nothing" || outcome.substr(0, 4) == "65: "));
        CHECK(outcome.find('\n') == std::string::npos);
      }
  }
}
