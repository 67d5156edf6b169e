#include "sources/safetensors.hpp"

#include "sources/opened.hpp"
#include "sources/temporary_file.hpp"
#include "sources/thrown.hpp"
#include "support/catch.hpp"

using namespace posenc;
using test::all_of, test::opening;
using test::TemporaryFile;
using test::thrown;

namespace {

const std::string folder = POSENC_TEST_DATA "/safetensors/";

/// A file with that header and eight bytes of data.
std::string file_of(const std::string& header) {
  std::string length(8, '\0');
  for (std::size_t k = 0; k < 8; ++k) length[k] = static_cast<char>(header.size() >> (8 * k) & 0xff);
  return length + header + std::string(8, '\0');
}
std::string opened(const std::string& bytes) {
  const TemporaryFile file("t.safetensors", bytes);
  return thrown([&] { sources::open_safetensors(file.path(), "a"); });
}

}  // namespace

TEST_CASE("an array is found by its name, whatever its type") {
  std::vector<double> eighths;
  for (int k = 0; k < 12; ++k) eighths.push_back(k / 8.0);
  CHECK(all_of(folder + "model.safetensors#wpe.weight") == eighths);
  CHECK(all_of(folder + "model.safetensors#wpe.bf16") == eighths);
  CHECK(all_of(folder + "model.safetensors#ids") == std::vector<double>{1, -2, 3});
  CHECK(all_of(folder + "model.safetensors#wte.weight")[1] == 100.125);
  CHECK(all_of(folder + "single.safetensors") == eighths);
  CHECK(sources::FileLoader().open(folder + "single.safetensors")->shape() == std::vector<model::Pos>{3, 4});
}

TEST_CASE("what is not there is said with what is near") {
  CHECK(opening(folder + "model.safetensors").find("holds 5 arrays: name one as") != std::string::npos);
  CHECK(opening(folder + "model.safetensors#wpe.weigth").find("holds no array wpe.weigth; did you mean wpe.weight?") !=
        std::string::npos);
  CHECK(opening(folder + "model.safetensors#__metadata__").find("holds no array __metadata__") != std::string::npos);
  CHECK(opening(folder + "model.safetensors#mask").find("dtype = \"BOOL\": must be F16, BF16, F32, F64 or an integer") !=
        std::string::npos);
  CHECK(opening("none.safetensors#a") == "66: none.safetensors: no such file");
}

TEST_CASE("a header that lies is refused") {
  const auto array = [](const std::string& facts) { return opened(file_of("{\"a\": {" + facts + "}}")); };
  CHECK(array(R"("dtype": "F32", "shape": [2], "data_offsets": [0, 8])") == "nothing");
  for (const char* const span : {"[0, 4]", "[0, 12]", "[8, 0]", "[4, 12]", "[0]", "[0, 9223372036854775807]"})
    CHECK(array(R"("dtype": "F32", "shape": [2], "data_offsets": )" + std::string(span)).find("must span the array's bytes") !=
          std::string::npos);
  CHECK(array(R"("dtype": "F32", "shape": [2], "data_offsets": [-8, 0])").find("must be a list of integers >= 0") !=
        std::string::npos);
  CHECK(array(R"("dtype": "F32", "shape": "2", "data_offsets": [0, 8])").find("shape: must be a list") != std::string::npos);
  CHECK(array(R"("dtype": "F32", "shape": [0], "data_offsets": [0, 0])").find("must have between 1") != std::string::npos);
  CHECK(array(R"("dtype": "F32", "shape": [4611686018427387904, 4], "data_offsets": [0, 8])").find("must have between 1") !=
        std::string::npos);
  CHECK(array(R"("shape": [2], "data_offsets": [0, 8])").find("dtype = none") != std::string::npos);
  CHECK(opened(file_of("[]")).find("header: must be an object") != std::string::npos);
  CHECK(opened(file_of("{\"a\": 1}")).substr(0, 4) == "65: ");
  CHECK(opened(file_of(R"({"a": {}, "a": {}})")).find("a is given twice") != std::string::npos);
  CHECK(opened(std::string(8, '\xff') + "{}").find("ends within its header") != std::string::npos);
}

TEST_CASE("arrays that overlap, leave a hole or end early are refused, as the format's own reader does") {
  const auto two = [](const std::string& a, const std::string& b) {
    return opened(file_of(R"({"a": {"dtype": "U8", "shape": [4], "data_offsets": )" + a +
                          R"(}, "b": {"dtype": "F8_E4M3", "shape": [4], "data_offsets": )" + b + "}}"));
  };
  const auto says = [](const std::string& message, const std::string& words) { return message.find(words) != std::string::npos; };
  CHECK(two("[0, 4]", "[4, 8]") == "nothing");
  CHECK(two("[4, 8]", "[0, 4]") == "nothing");
  CHECK(says(two("[0, 4]", "[2, 6]"), "#b: data_offsets = [2, 6]: must begin at 4, where the array before ends"));
  CHECK(says(two("[0, 4]", "[0, 4]"), "#b: data_offsets = [0, 4]: must begin at 4"));
  CHECK(says(two("[0, 4]", "[5, 8]"), "#b: data_offsets = [5, 8]: must begin at 4"));
  CHECK(says(two("[0, 4]", "[4, 7]"), "has 8 bytes of data, its arrays 7"));
  CHECK(says(two("[0, 4]", "[4, 9]"), "#b: data_offsets = [4, 9]: must span the array's bytes within the file"));
  CHECK(says(two("[0, 4]", "[4]"), "#b: data_offsets = [4]: must span"));
  CHECK(says(two("[0, 4]", "[18446744073709551608, 18446744073709551615]"), "#b: data_offsets: must be a list of integers >= 0"));
}

TEST_CASE("every truncation is refused") {
  const std::string whole = test::bytes_of_file(folder + "single.safetensors");
  for (std::size_t n = 0; n < whole.size(); ++n) {
    const TemporaryFile file("t.safetensors", whole.substr(0, n));
    CHECK(opening(file.path()).substr(0, 4) == "65: ");
  }
}
