// shape, cape, randomized and learnable-fourier.
#include "support/scheme_cases.hpp"

#include <set>

using namespace posenc;
using test::check_same;
using test::scheme;

TEST_CASE("shape: rows of a drawn offset in training, of K or 0 in use") {
  const auto c = test::scheme_case("shape")["expect"];
  const std::string encoding = "shape:dim=8,shift=5,offset=2";
  check_same(test::table(scheme(encoding)->lower(0), 0, 3), test::matrix(c["train"]), 1e-15);
  check_same(test::table(scheme(encoding)->lower(3), 0, 3), test::matrix(c["eval_reference_code"]), 1e-15);
  check_same(test::table(scheme(encoding + ",evaluate=zero")->lower(3), 0, 3), test::matrix(c["eval_zero"]), 1e-15);
  std::set<model::Pos> offsets;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    offsets.insert(
        std::get<model::AbsoluteTable>(scheme("shape:shift=5", 64, test::NpyLoader(), seed)->lower(0).terms.at(0)).first_row);
  CHECK(offsets == std::set<model::Pos>{0, 1, 2, 3, 4});
}

TEST_CASE("cape: given shifts with and without the mean, and plain positions in use") {
  const auto c = test::scheme_case("cape_augmented");
  test::MemoryLoader loader;
  loader.add("local", c["inputs"]["local_shift"]);
  const std::string given = "cape:dim=8,layout=interleaved,global-shift=1.5,global-scale=1.02,local-shifts=local";
  check_same(test::table(scheme(given + ",normalize=false", 4, loader)->lower(0), 0, 4), test::matrix(c["expect"]["rows"]),
             1e-14);
  const model::Matrix normalized = test::table(scheme(given, 4, loader)->lower(0), 0, 4);
  for (std::size_t p = 0; p < 4; ++p)  // the first pair turns one radian a position
    CHECK(std::abs(normalized(static_cast<model::Index>(p), 0) -
                   std::sin(c["expect"]["positions_normalized"][p].get<double>())) <= 1e-14);
  const model::Matrix used = test::table(scheme("cape:dim=8")->lower(4), 0, 4);
  for (model::Index p = 0; p < 4; ++p) {
    CHECK(std::abs(used(p, 0) - std::sin(static_cast<double>(p) - 1.5)) <= 1e-15);
    CHECK(std::abs(used(p, 7) - std::cos((static_cast<double>(p) - 1.5) * 0.001)) <= 1e-15);
  }
}

TEST_CASE("cape: draws stay within their intervals") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto s = scheme("cape:max-global=10,max-local=1", 16, test::NpyLoader(), seed);
    Fields f = s->fields();
    CHECK(std::abs(std::stod(text(*find(f, "global-shift")))) <= 5);
    const double scale = std::stod(text(*find(f, "global-scale")));
    CHECK((scale >= 1 / 1.1 && scale <= 1.1));
  }
}

TEST_CASE("randomized: given positions, and sorted distinct draws") {
  const auto c = test::scheme_case("randomized_pe");
  test::MemoryLoader loader;
  loader.add("drawn", c["inputs"]["drawn"]);
  check_same(test::table(scheme("randomized:dim=8,max-position=512,indices=drawn", 4, loader)->lower(0), 0, 4),
             test::matrix(c["expect"]["P"]), 1e-14);
  // With as many positions as there are, the draw is all of them in order: the concatenated sinusoid itself.
  const model::Matrix all = test::table(scheme("randomized:dim=8,max-position=64", 64)->lower(64), 0, 64);
  check_same(all, test::table(scheme("sinusoidal:dim=8,layout=concat")->lower(0), 0, 64), 1e-15);
  CHECK(test::refusal("randomized:max-position=512,indices=kerple.r1.npy").find("must be an integer below max-position = 512") !=
        std::string::npos);
  CHECK(test::refusal("randomized:max-position=4096") == "randomized: max-position = 4096: must be >= the 8192 tokens in use");
}

TEST_CASE("learnable-fourier: encodings of points") {
  const auto c = test::scheme_case("learnable_fourier");
  test::MemoryLoader loader;
  for (const char* name : {"W_r", "W1", "b1", "W2", "b2", "x"}) loader.add(name, c["inputs"][name]);
  const auto s = scheme("learnable-fourier:coordinates=x,w=W_r,w1=W1,b1=b1,w2=W2,b2=b2", 3, loader);
  CHECK(s->train_length() == 3);
  check_same(test::table(s->lower(0), 0, 3), test::matrix(c["expect"]["pe"]), 1e-12);
  CHECK(test::refusal("learnable-fourier:w=learned.wpe.npy") ==
        "learnable-fourier: w = learned.wpe.npy: shape [64, 32] must be [any, 1]");
}
