#include "app/tables.hpp"

#include "core/error.hpp"
#include "support/catch.hpp"

#include <string>

using namespace posenc;

namespace {
Exit code_of(const std::string& file) {
  try {
    app::Tables().open(file);
  } catch (const Error& e) {
    return e.code();
  }
  return Exit::ok;
}
}  // namespace

TEST_CASE("a name that begins with @ is in the data that comes with the program") {
  CHECK(app::Tables().open("@trained/learned.wpe.npy")->shape() == std::vector<model::Pos>{64, 32});
  CHECK(app::Tables().open("@longrope/ft_la2_256k.row0.npy")->size() == 64);
  CHECK(code_of("@trained/gone.npy") == Exit::no_input);
}

TEST_CASE("every kind of file is opened by its own reader") {
  CHECK(app::Tables().open(POSENC_TEST_DATA "/npz/stored.npz#wpe")->size() == 12);
  CHECK(app::Tables().open(POSENC_TEST_DATA "/sharded/model.safetensors.index.json#wpe.weight")->size() == 12);
  CHECK(code_of("gone.h5#/a") == Exit::no_input);
  CHECK(code_of(POSENC_TEST_DATA "/npz/stored.npz#gone") == Exit::bad_data);
  CHECK(code_of(POSENC_TEST_DATA "/npz/stored.xyz") == Exit::bad_data);
}
