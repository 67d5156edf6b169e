// randomized: drawn positions and offsets under other schemes.
#include "support/scheme_variants.hpp"

#include <map>

using namespace posenc;
using test::check_same;
using test::scheme;

namespace {

test::MemoryLoader drawn() {
  test::MemoryLoader loader;
  loader.add("drawn", nlohmann::json::parse("[2, 3, 7, 11]"));
  return loader;
}
const std::array<model::Pos, 4> at{2, 3, 7, 11};

}  // namespace

TEST_CASE("randomized: a table's rows, a rotation and a bias at the drawn positions") {
  const auto loader = drawn();
  const std::string of = "randomized:indices=drawn,max-position=16,dim=8,heads=2,of=";
  const model::Encoding table = scheme(of + "learned", 4, loader)->lower(4);
  const model::Matrix all = test::table(scheme("learned:dim=8,original=16", 4)->lower(0), 0, 16);
  for (model::Index p = 0; p < 4; ++p) CHECK(test::table(table, p, 1) == all.row(at[static_cast<std::size_t>(p)]));

  std::srand(3);
  const model::Matrix q = model::Matrix::Random(4, 8), k = model::Matrix::Random(4, 8);
  // The same content at the places of twelve tokens where it was drawn.
  model::Matrix wide_q = model::Matrix::Zero(12, 8), wide_k = wide_q;
  for (std::size_t p = 0; p < 4; ++p) {
    wide_q.row(at[p]) = q.row(static_cast<model::Index>(p));
    wide_k.row(at[p]) = k.row(static_cast<model::Index>(p));
  }
  for (const std::string name : {"rope", "alibi", "t5", "shaw", "transformer-xl"}) {
    INFO(name);
    const bool heads = name == "transformer-xl";
    const model::Encoding e = scheme(of + name, 4, loader)->lower(4);
    const model::Index d = e.head_dim;
    const std::string own = name + ":dim=8" + (name == "rope" || name == "shaw" ? "" : ",heads=2");
    const model::Encoding plain = scheme(own, 16, loader)->lower(0);
    const model::Matrix ours = model::logits(e, 0, test::content(q.leftCols(d), k.leftCols(d)));
    const model::Matrix theirs = model::logits(plain, 0, test::content(wide_q.leftCols(d), wide_k.leftCols(d)));
    CHECK(heads == (d == 4));
    for (model::Index m = 0; m < 4; ++m)
      for (model::Index n = 0; n <= m; ++n)
        CHECK(std::abs(ours(m, n) - theirs(at[static_cast<std::size_t>(m)], at[static_cast<std::size_t>(n)])) <= 1e-12);
  }
}

TEST_CASE("randomized: offsets are distinct, in order, mirrored or drawn on both sides") {
  const auto lag = [](const model::Encoding& e, model::Pos m, model::Pos n) {
    const auto x = e.pair_map(m, n);
    return x[0] - x[1];
  };
  const model::Encoding mirrored = scheme("randomized:of=alibi,form=offsets,max-position=64", 16)->lower(0);
  const model::Encoding both = scheme("randomized:of=alibi,form=two-sided-offsets,max-position=64", 16)->lower(0);
  bool differ = false;
  for (model::Pos s = 0; s < 16; ++s) {
    CHECK(lag(mirrored, s, 0) == lag(mirrored, 20 + s, 20));
    CHECK(lag(mirrored, 0, s) == -lag(mirrored, s, 0));
    CHECK((lag(both, s, 0) < 64 && lag(both, 0, s) > -64));
    differ |= lag(both, 0, s) != -lag(both, s, 0);
    if (s > 0) CHECK((lag(mirrored, s, 0) > lag(mirrored, s - 1, 0) && lag(both, 0, s) < lag(both, 0, s - 1)));
  }
  CHECK(lag(mirrored, 5, 5) == 0);
  CHECK(differ);
  // All of 1 .. 15 are drawn where there are no more.
  const model::Encoding all = scheme("randomized:of=rope,form=offsets,max-position=16", 16)->lower(0);
  for (model::Pos s = 0; s < 16; ++s) CHECK(lag(all, s, 0) == s);
}

TEST_CASE("randomized: every offset is drawn about equally often") {
  // 15 of 63 offsets in each of 400 draws: 95.2 of each expected, deviation sqrt(400 p (1 - p)) = 8.5; five of it.
  std::map<model::Pos, int> count;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const model::Encoding e = scheme("randomized:of=alibi,form=offsets,max-position=64", 16, test::NpyLoader(), seed)->lower(0);
    for (model::Pos s = 1; s < 16; ++s) ++count[e.pair_map(s, 0)[0]];
  }
  CHECK(count.size() == 63);
  for (const auto& [offset, times] : count) {
    INFO(offset);
    CHECK(std::abs(times - 95.2) <= 43);
  }
}

TEST_CASE("randomized: schemes that do not take positions so are refused") {
  CHECK(test::refusal("randomized:of=tupe").find("randomized: of = tupe: must be an added table") == 0);
  CHECK(test::refusal("randomized:of=cope").find("randomized: of = cope: must be an added table") == 0);
  CHECK(test::refusal("randomized:of=nope").find("randomized: of = nope: must be an added table") == 0);
  CHECK(test::refusal("randomized:form=offsets") ==
        "randomized: form = offsets: needs of = a rotation, relative vectors or a bias by distance");
  CHECK(test::refusal("randomized:of=fire,form=offsets") ==
        "randomized: form = offsets: needs of = a rotation, relative vectors or a bias by distance");
  CHECK(test::refusal("randomized:of=randomized") == "randomized: of = randomized: must be another scheme");
  CHECK(test::refusal("randomized:of=ropes") == "unknown scheme 'ropes': did you mean 'rope'?");
  CHECK(test::refusal("randomized:dim=7") == "randomized: dim = 7: must be even for of=sinusoidal");
}
