#include "support/scheme_cases.hpp"

#include <numeric>

using namespace posenc;
using test::scheme;

namespace {

const model::AbsoluteTable& form(const model::Encoding& e) { return std::get<model::AbsoluteTable>(e.terms.at(0)); }
std::string field(model::Scheme& s, std::string_view name) {
  Fields fields = s.fields();
  return text(*find(fields, name));
}
/// Mean and standard deviation of the first 512 rows.
std::array<double, 2> moments(const std::string& encoding) {
  const model::Matrix t = test::table(scheme(encoding)->lower(0), 0, 512);
  const double mean = t.mean();
  return {mean, std::sqrt((t.array() - mean).square().mean())};
}

}  // namespace

TEST_CASE("a table from a file sets width, rows and training length") {
  const auto s = scheme("learned:table=learned.wpe.npy");
  CHECK(field(*s, "dim") == "32");
  CHECK(field(*s, "rows") == "64");
  CHECK(s->train_length() == 64);
  const model::Encoding e = s->lower(0);
  CHECK(form(e).rows->count() == 64);
  CHECK(e.logit_scale == 1 / std::sqrt(32.0));
  // Recorded when the table was trained.
  const model::Matrix t = test::table(e, 0, 64);
  CHECK(std::abs(t.mean() + 0.0002280671615153551) <= 1e-9);
  CHECK(std::abs(t.minCoeff() + 0.5934572815895081) <= 1e-9);
  CHECK(std::abs(t.maxCoeff() - 0.4226873219013214) <= 1e-9);
}

TEST_CASE("offset and padding index shift the rows and take them from the usable length") {
  const auto opt = scheme("learned:offset=2,original=2048");
  CHECK(field(*opt, "rows") == "2050");
  CHECK(form(opt->lower(0)).row(0) == 2);
  for (const auto& [padding, usable] : {std::pair{1, 512}, std::pair{3, 510}}) {
    const auto s = scheme("learned:rows=514,padding-index=" + std::to_string(padding));
    CHECK(s->train_length() == usable);
    CHECK(form(s->lower(0)).row(0) == padding + 1);
  }
  CHECK(scheme("learned:original=100,rows=50")->train_length() == 100);
  CHECK(field(*scheme("learned", 77), "rows") == "77");
}

TEST_CASE("drawn tables have the spread of the models that they are named after") {
  // 512 x 128 draws: the deviation is known to 1/sqrt(2 * 65536) = 0.28 %, four of which are allowed.
  const auto close = [](const std::string& encoding, double deviation) {
    INFO(encoding);
    const auto [mean, std] = moments(encoding);
    CHECK(std::abs(mean) <= 4 * deviation / 256);
    CHECK(std::abs(std / deviation - 1) <= 0.0112);
  };
  close("learned", 0.02);
  close("learned:init=gpt2", 0.01);
  close("learned:init=fairseq", 1 / std::sqrt(128.0));
  close("learned:std=0.5", 0.5);
  // A standard normal within two deviations has deviation 0.87962566.
  close("learned:init=bert", 0.02 * 0.8796256610342398);
  const model::Matrix t = test::table(scheme("learned:init=bert")->lower(0), 0, 512);
  CHECK(t.cwiseAbs().maxCoeff() <= 0.04);
}

TEST_CASE("contradictions are refused in one line") {
  CHECK(test::refusal("learned:table=learned.wpe.npy,dim=64") ==
        "learned: table = learned.wpe.npy: dim is 32, but dim = 64 is given");
  CHECK(test::refusal("learned:table=learned.wpe.npy,rows=65") ==
        "learned: table = learned.wpe.npy: rows is 64, but rows = 65 is given");
  CHECK(test::refusal("learned:offset=2,padding-index=1") == "learned: offset = 2: must not be given beside padding-index");
  CHECK(test::refusal("learned:offset=4,rows=4") == "learned: offset = 4: must leave a row of the 4 for position 0");
  CHECK(test::refusal("learned:table=kerple.r1.npy") == "learned: table = kerple.r1.npy: shape [4] must be [rows, channels]");
}
