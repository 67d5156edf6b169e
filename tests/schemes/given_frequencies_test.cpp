// rope by frequencies of a file, and yarn of divided frequencies: what agrees with what, and what is refused.
#include "sources/lowered.hpp"
#include "sources/temporary_file.hpp"
#include "sources/thrown.hpp"
#include "support/catch.hpp"

#include <cmath>

using namespace posenc;
using test::TemporaryFile;
using test::thrown;
using Values = std::vector<std::pair<std::string, std::string>>;

namespace {
model::Encoding rope(const std::string& file, Values values = {}) {
  values.emplace_back("inv-freq", file);
  return test::resolved({"rope", "", std::move(values)})->lower(4096);
}
std::string refused(const std::string& file, Values values) {
  return thrown([&] { rope(file, std::move(values)); });
}
}  // namespace

TEST_CASE("the frequencies are those of the file, two channels each") {
  const TemporaryFile file("f.csv", "1,0.25,-0.5,0\n");
  const model::Encoding e = rope(file.path(), {{"dim", "8"}});
  CHECK(test::frequencies(e) == std::vector<double>{1, 0.25, -0.5, 0});
  const auto& r = *model::form<model::Rotary>(e);
  CHECK(e.head_dim == 8);
  CHECK(r.channel.front() == std::array<model::Index, 2>{0, 4});
  const model::Encoding wide = rope(file.path(), {{"dim", "32"}, {"rotary-dim", "8"}, {"layout", "interleaved"}});
  CHECK(wide.head_dim == 32);
  CHECK(wide.logit_scale == 1 / std::sqrt(32.0));
  CHECK(model::form<model::Rotary>(wide)->channel.back() == std::array<model::Index, 2>{6, 7});
}

TEST_CASE("what contradicts the file is refused") {
  const TemporaryFile file("f.csv", "1,0.25,0.5\n"), table("t.csv", "1,2\n3,4\n");
  CHECK(refused(file.path(), {{"base", "20000"}}) == "64: rope: base = 20000: must not be given beside inv-freq");
  CHECK(refused(file.path(), {{"partial", "0.5"}}) == "64: rope: partial = 0.5: must not be given beside inv-freq");
  CHECK(refused(file.path(), {{"frequencies", "single"}}) == "64: rope: frequencies = single: must not be given beside inv-freq");
  CHECK(refused(file.path(), {{"rotary-dim", "8"}}).find("rotary-dim is 6, but rotary-dim = 8 is given") != std::string::npos);
  CHECK(refused(file.path(), {{"dim", "4"}, {"rotary-dim", "6"}}) == "64: rope: rotary-dim = 6: must be <= dim = 4");
  CHECK(refused(file.path(), {}) ==
        "64: rope: dim = 128: must be 6, two channels for each number of inv-freq, or rotary-dim=6 be given too");
  CHECK(refused(table.path(), {}).find("shape [2, 2] must be [any]") != std::string::npos);
}

TEST_CASE("yarn of divided frequencies") {
  const auto yarn = [](Values values) {
    Values all{{"dim", "8"}, {"factor", "4"}, {"original", "64"}};
    all.insert(all.end(), values.begin(), values.end());
    return test::resolved({"yarn", "", all});
  };
  const auto plain = test::frequencies(yarn({})->lower(64)),
             halved = test::frequencies(yarn({{"divisors", "2/2/2/2"}})->lower(64));
  // The blend runs along the index of undivided pairs, so that one divisor for all divides all.
  for (std::size_t i = 0; i < 4; ++i) CHECK(halved[i] == Approx(plain[i] / 2).epsilon(1e-15));
  CHECK(test::frequencies(yarn({{"divisors", "2/2/2/2"}})->lower(0))[1] == Approx(0.05).epsilon(1e-15));
  CHECK(thrown([&] { yarn({{"divisors", "2/2"}}); }).find("must have 4 numbers") != std::string::npos);
  CHECK(thrown([&] { yarn({{"divisors", "2/2/2/2"}, {"ramp", "paper"}}); }) == "64: yarn: divisors = 2/2/2/2: needs ramp=code");
}
