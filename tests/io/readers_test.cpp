// The sample file in every reader of the field, and damaged copies of it, which the check must refuse.
#include "io/sample_file.hpp"
#include "support/catch.hpp"

#include <cstdlib>

using namespace posenc::test;

namespace {

int python(const std::string& script, const std::string& argument) {
  const std::string command =
      std::string("'") + POSENC_PYTHON + "' '" + POSENC_SOURCE_DIR + "/tests/interop/" + script + "' '" + argument + "'";
  return std::system(command.c_str());
}

}  // namespace

TEST_CASE("every reader opens the file and sees the same") {
  const Folder folder;
  for (const int deflate : {0, 4}) {
    const std::string path = folder / ("sample" + std::to_string(deflate) + ".h5");
    write_sample(path, {.deflate = deflate, .threads = 2});
    CHECK(python("readers.py", path) == 0);
  }
}

TEST_CASE("the check of readers refuses a file that breaks one rule") {
  const Folder folder;
  write_sample(folder / "sample.h5");
  CHECK(python("broken_rules.py", folder / "sample.h5") == 0);
}
