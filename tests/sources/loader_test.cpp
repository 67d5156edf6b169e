#include "sources/loader.hpp"

#include "sources/temporary_file.hpp"
#include "sources/thrown.hpp"
#include "support/catch.hpp"

using namespace posenc;
using test::thrown;

namespace {
const std::string folder = POSENC_TEST_DATA "/npy";
std::string opening(const sources::FileLoader& loader, const std::string& file) {
  return thrown([&] { loader.open(file); });
}
}  // namespace

TEST_CASE("a table opens by its suffix") {
  const sources::FileLoader loader;
  CHECK(loader.open(folder + "/cube.npy")->shape() == std::vector<model::Pos>{2, 3, 4});
  CHECK(opening(loader, folder + "/cube.npy#x").find("holds one array, without a name") != std::string::npos);
  CHECK(sources::table_suffixes() == ".npy, .csv, .npz, .gguf, .safetensors, .safetensors.index.json");
  CHECK(opening(loader, folder + "/cube.npyx").find("unknown table format: must end in .npy, ") != std::string::npos);
  CHECK(opening(loader, "nowhere.npy") == "66: nowhere.npy: no such file");
  CHECK(sources::is_table("a.npy"));
  CHECK(sources::is_table("a.npy#b"));
  CHECK(sources::is_table("m.safetensors.index.json#wpe"));
  CHECK_FALSE(sources::is_table("npy"));
  CHECK_FALSE(sources::is_table("config.json"));
}
