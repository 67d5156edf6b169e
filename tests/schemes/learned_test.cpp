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

// L = 64 rows at N = 253 positions: m 63/252 = m/4, so that every fourth position is a row.
TEST_CASE("beyond the last row: none, the last row, or the table stretched over the length in use") {
  const std::string file = "learned:table=learned.wpe.npy";
  const model::Matrix rows = test::table(scheme(file)->lower(0), 0, 64);
  CHECK(form(scheme(file)->lower(253)).rows->count() == 64);

  const auto clamped = scheme(file + ",beyond=clamp");
  for (const model::Pos n : {0, 64, 253}) {
    const model::Matrix t = test::table(clamped->lower(n), 0, 253);
    CHECK((t.topRows(64) == rows));
    for (model::Index i = 64; i < 253; ++i) CHECK((t.row(i) == rows.row(63)));
  }

  const auto linear = scheme(file + ",beyond=linear");
  for (const model::Pos n : {0, 32, 64}) {
    CHECK((test::table(linear->lower(n), 0, 64) == rows));
    CHECK(form(linear->lower(n)).rows->count() == 64);
  }
  const model::Encoding e = linear->lower(253);
  CHECK(form(e).rows->count() == 253);
  model::Matrix t(253, 32);
  form(e).rows->block(0, t);
  for (model::Index i = 0; i < 253; ++i) {
    const model::Index low = i / 4, high = std::min<model::Index>(low + 1, 63);
    const double share = static_cast<double>(i % 4) / 4;
    CHECK((t.row(i) - (1 - share) * rows.row(low) - share * rows.row(high)).cwiseAbs().maxCoeff() <= 2e-16);
  }
  model::Matrix part(3, 32);  // a block is the same rows
  form(e).rows->block(250, part);
  CHECK((part == t.bottomRows(3)));

  const auto padded = scheme("learned:rows=10,padding-index=1,beyond=linear,dim=4");  // 8 usable rows from row 2 on
  const model::Matrix all = test::table(scheme("learned:rows=10,dim=4")->lower(0), 0, 10),
                      odd = test::table(padded->lower(15), 0, 15);
  CHECK((odd.row(0) == all.row(2)));
  CHECK((odd.row(14) == all.row(9)));
  CHECK((odd.row(3) - (all.row(3) + all.row(4)) / 2).cwiseAbs().maxCoeff() <= 1e-17);
  const auto one = scheme("learned:rows=1,beyond=linear");
  CHECK((test::table(one->lower(5), 4, 1) == test::table(one->lower(0), 0, 1)));
}

TEST_CASE("contradictions are refused in one line") {
  CHECK(test::refusal("learned:table=learned.wpe.npy,dim=64") ==
        "learned: table = learned.wpe.npy: dim is 32, but dim = 64 is given");
  CHECK(test::refusal("learned:table=learned.wpe.npy,rows=65") ==
        "learned: table = learned.wpe.npy: rows is 64, but rows = 65 is given");
  CHECK(test::refusal("learned:offset=2,padding-index=1") == "learned: offset = 2: must not be given beside padding-index");
  CHECK(test::refusal("learned:original=100,rows=50,beyond=clamp") ==
        "learned: beyond = clamp: needs a row for each of the 100 training positions, there are 50");
  CHECK(test::refusal("learned:offset=4,rows=4") == "learned: offset = 4: must leave a row of the 4 for position 0");
  CHECK(test::refusal("learned:table=kerple.r1.npy") == "learned: table = kerple.r1.npy: shape [4] must be [rows, channels]");
}
