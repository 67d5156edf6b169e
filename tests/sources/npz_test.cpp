#include "sources/npz.hpp"

#include "sources/opened.hpp"
#include "sources/temporary_file.hpp"
#include "sources/thrown.hpp"
#include "support/catch.hpp"

using namespace posenc;
using test::all_of, test::opening;
using test::TemporaryFile;
using test::thrown;

namespace {

// Written by numpy.savez, numpy.savez_compressed, and by hand for the 64-bit extension (numpy.load reads it).
const std::string folder = POSENC_TEST_DATA "/npz/";

std::string opened(const std::string& bytes, const std::string& name) {
  const TemporaryFile file("t.npz", bytes);
  return opening(file.path() + (name.empty() ? "" : "#" + name));
}
bool says(const std::string& message, const std::string& words) { return message.find(words) != std::string::npos; }

std::vector<double> eighths() {
  std::vector<double> out;
  for (int k = 0; k < 12; ++k) out.push_back(k / 8.0);
  return out;
}

}  // namespace

TEST_CASE("stored and deflated arrays, and the 64-bit extension") {
  CHECK(all_of(folder + "stored.npz#wpe") == eighths());
  CHECK(all_of(folder + "stored.npz#wpe.npy") == eighths());
  CHECK(all_of(folder + "stored.npz#half") == eighths());
  CHECK(all_of(folder + "stored.npz#ids") == std::vector<double>{1, -2, 3});
  CHECK(all_of(folder + "deflated.npz#wpe") == eighths());
  CHECK(all_of(folder + "deflated.npz#big") == std::vector<double>(4096, 0.0));
  CHECK(all_of(folder + "single.npz") == eighths());
  CHECK(all_of(folder + "zip64.npz#wpe") == eighths());
  CHECK(sources::FileLoader().open(folder + "deflated.npz#wpe")->shape() == std::vector<model::Pos>{3, 4});
}

TEST_CASE("what is not there is said with what is near") {
  CHECK(says(opening(folder + "stored.npz"), "stored.npz: holds 3 arrays: name one as"));
  CHECK(says(opening(folder + "stored.npz#wpee"), "holds no array wpee; did you mean wpe?"));
  CHECK(opening("none.npz#a") == "66: none.npz: no such file");
}

TEST_CASE("an archive that lies is refused") {
  const std::string whole = test::bytes_of_file(folder + "deflated.npz");
  const auto entry = whole.find("PK\x01\x02");
  REQUIRE(entry != std::string::npos);
  const auto with = [&](std::size_t at, std::initializer_list<int> bytes) {
    std::string out = whole;
    for (const int b : bytes) out[at++] = static_cast<char>(b);
    return opened(out, "wpe");
  };
  CHECK(says(with(entry + 8, {1}), "#wpe.npy: is encrypted"));
  CHECK(says(with(entry + 46, {0}), "its directory holds a name with a NUL"));
  CHECK(says(with(entry + 10, {12}), "method = 12: must be stored (0) or deflated (8)"));
  CHECK(says(with(entry + 16, {0, 0, 0, 0}), "its checksum does not hold"));
  CHECK(says(with(entry + 24, {0, 0, 0, 0x70}), "bytes can hold"));
  CHECK(says(with(entry + 24, {1, 0, 0, 0}), "its compressed bytes are damaged"));
  CHECK(says(with(entry + 42, {7}), "is not where the directory says"));
  CHECK(says(with(entry + 20, {0xf0, 0xff, 0xff, 0}), "ends within its directory"));
  CHECK(says(with(entry, {'X'}), "its directory holds something else than members"));
  const auto end = whole.rfind("PK\x05\x06");
  CHECK(says(with(end + 10, {0xff, 0xff}), "its directory is shorter than its number of members"));
  CHECK(says(with(end + 16, {0xff, 0xff, 0xff}), "ends within its directory"));
  CHECK(says(with(end + 4, {1}), "must be an archive in one file"));
  CHECK(says(opened("", ""), "must end as a zip archive"));
  CHECK(says(opened(std::string(100, 'P'), ""), "must end as a zip archive"));
  std::string twice = whole;
  const auto second = twice.find("big.npy", entry);
  REQUIRE(second != std::string::npos);
  twice.replace(second, 3, "wpe");
  CHECK(says(opened(twice, "wpe"), "names a member twice"));
}
