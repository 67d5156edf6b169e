// xpos, resonance, p-rope, m-rope, longrope and self-extend.
#include "support/scheme_cases.hpp"

using namespace posenc;
using test::attention_factor;
using test::check_same;
using test::scheme;
using test::thetas;

namespace {

const model::Rotary& rotary(const model::Encoding& e) { return std::get<model::Rotary>(e.terms.at(0)); }

}  // namespace

TEST_CASE("xpos: decay, scores and the centred exponent") {
  const auto c = test::scheme_case("xpos");
  const model::Encoding e = scheme("xpos:dim=8")->lower(5);
  const auto& r = rotary(e);
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(std::abs(std::exp(512 * r.log_damping[i]) - c["expect"]["zeta"][i].get<double>()) <= 2e-15);
  for (std::size_t p = 0; p < 5; ++p)
    CHECK((static_cast<double>(p) - r.damping_centre) / 512 == c["expect"]["exponents_centred"][p].get<double>());
  const model::Content x = test::content(test::matrix(c["inputs"]["q"]), test::matrix(c["inputs"]["k"]));
  check_same(model::terms(e, 0, x).sum(), test::matrix(c["expect"]["scores"]), 1e-12);
}

TEST_CASE("resonance: wavelengths become integers, half to even") {
  const auto c = test::scheme_case("resonance")["expect"];
  const auto all = thetas(scheme("resonance:dim=32", 64)->lower(64));
  check_same(all, c["frequencies"].get<std::vector<double>>(), 0, 1e-15);
  const auto critical = thetas(scheme("resonance:dim=32,rounding=paper-pre-critical", 64)->lower(64));
  const auto plain = thetas(scheme("rope:dim=32")->lower(0));
  int rounded = 0;
  for (std::size_t i = 0; i < 16; ++i) {
    CHECK(critical[i] == (c["wavelengths"][i] < 64 ? all[i] : plain[i]));
    rounded += critical[i] == all[i];
  }
  CHECK(rounded == c["pairs_with_rounded_wavelength_le_L"].get<int>());
  CHECK(thetas(scheme("resonance:dim=32,rounding=paper_pre_critical", 64)->lower(64)) == critical);
  // A whole number of positions turns by exactly one.
  const model::Encoding e = scheme("resonance:dim=32")->lower(0);
  CHECK(std::abs(math::signed_turns(math::times(6, rotary(e).frequency[0].turn))) <= 0x1p-63);
  for (const char* other : {"ntk", "linear", "none"})
    CHECK(attention_factor(scheme("resonance:factor=4,scaling=" + std::string(other))->lower(1)) == 1);
  CHECK(attention_factor(scheme("resonance:scaling=yarn,factor=4")->lower(1)) ==
        attention_factor(scheme("yarn:factor=4")->lower(1)));
}

TEST_CASE("p-rope: the fastest pairs turn") {
  for (std::size_t i = 0; i < 3; ++i) {
    const auto c = test::scheme_case("p_rope", i);
    const model::Encoding e =
        scheme(fmt::format("p-rope:dim={},keep={}", c["inputs"]["d"].get<int>(), c["inputs"]["p"].get<double>()))->lower(0);
    check_same(thetas(e), c["expect"]["frequencies"].get<std::vector<double>>(), 1e-15);
  }
  CHECK(thetas(scheme("p-rope:keep=0.5")->lower(0)) == thetas(scheme("proportional:partial=0.5")->lower(0)));
}

TEST_CASE("m-rope: scores on a grid of (t, h, w) points") {
  const auto c = test::scheme_case("mrope");
  model::Encoding e = scheme("m-rope:dim=16,sections=2/3/3")->lower(0);
  const auto& r = rotary(e);
  for (model::Index i = 0; i < 8; ++i)
    for (model::Index axis = 0; axis < 3; ++axis)
      CHECK((r.at(0, axis, i).theta != 0) == (c["expect"]["axis_of_pair"][static_cast<std::size_t>(i)].get<int>() == axis));
  const auto points = c["inputs"]["positions_thw"];
  e.point = [points](model::Pos p) { return points[static_cast<std::size_t>(p)].get<model::Point>(); };
  const model::Content x = test::content(test::matrix(c["inputs"]["q"]), test::matrix(c["inputs"]["k"]));
  check_same(model::terms(e, 0, x).sum(), test::matrix(c["expect"]["scores"]), 1e-12);
}

TEST_CASE("m-rope: axes of both arrangements, and sections that do not fit") {
  const auto axis = [](const std::string& encoding, model::Index pair) {
    const model::Encoding e = scheme(encoding)->lower(0);
    for (model::Index a = 0; a < 3; ++a)
      if (rotary(e).at(0, a, pair).theta != 0) return a;
    return model::Index{-1};
  };
  CHECK(axis("m-rope:sections=16/24/24", 17) == 1);
  CHECK(axis("m-rope:sections=16/24/24,interleaved=true", 17) == 2);
  // Qwen3-VL: 24/20/20; h and w alternate below pair 60, the rest is temporal.
  const std::string qwen = "m-rope:sections=24/20/20,interleaved=true";
  CHECK((axis(qwen, 0) == 0 && axis(qwen, 1) == 1 && axis(qwen, 2) == 2 && axis(qwen, 58) == 1 && axis(qwen, 59) == 2));
  CHECK((axis(qwen, 60) == 0 && axis(qwen, 61) == 0 && axis(qwen, 62) == 0 && axis(qwen, 63) == 0));
  CHECK(axis("m-rope", 17) == 1);  // default: 16/24/24
  CHECK(axis("m-rope:interleaved=true", 59) == 2);
  CHECK(test::refusal("m-rope:sections=16/24/25") ==
        "m-rope: sections = 16/24/25: must be three integers with sum 64, half the rotary width");
  CHECK(test::refusal("m-rope:sections=32/32") ==
        "m-rope: sections = 32/32: must be three integers with sum 64, half the rotary width");
}

TEST_CASE("longrope: the list follows the length, strictly beyond the training length") {
  const std::string lists = "longrope:dim=4,original=4096,factor=32,short=1/2,long=4/8";
  const auto plain = thetas(scheme("rope:dim=4")->lower(0));
  CHECK(thetas(scheme(lists)->lower(0)) == plain);
  for (const model::Pos n : {4095, 4096}) CHECK(thetas(scheme(lists)->lower(n)) == std::vector{plain[0], plain[1] / 2});
  CHECK(thetas(scheme(lists)->lower(4097)) == std::vector{plain[0] / 4, plain[1] / 8});
  // sqrt(1 + ln 32 / ln 4096), for both lists.
  for (const model::Pos n : {1, 4096, 131072})
    CHECK(std::abs(attention_factor(scheme(lists)->lower(n)) - 1.1902380714238083) <= 3e-16);
  CHECK(attention_factor(scheme(lists)->lower(0)) == 1);
  CHECK(attention_factor(scheme(lists + ",attention-factor=0.5")->lower(1)) == 0.5);
  CHECK(std::abs(attention_factor(scheme(lists + ",attention=yarn")->lower(1)) - (0.1 * std::log(32) + 1)) <= 3e-16);
  CHECK(attention_factor(scheme("longrope:dim=4,factor=1,factors=1/2")->lower(1)) == 1);
}

TEST_CASE("longrope: the first tokens keep the plain rotation, the dynamic lists grow") {
  const model::Encoding e = scheme("longrope:dim=4,factor=4,factors=2/4,start-tokens=3")->lower(8192);
  CHECK(rotary(e).early_until == 3);
  CHECK(rotary(e).early[1].theta == 0.01);
  const auto grown = [](model::Pos n) {
    return thetas(scheme("longrope:dim=4,original=100,factor=5,factors=3/9,dynamic=true")->lower(n));
  };
  CHECK(grown(100) == std::vector{1.0, 0.01});
  CHECK(grown(300) == std::vector{1.0 / 2, 0.01 / 5});  // half way: 1 + (lambda - 1)/2
  CHECK(grown(500) == std::vector{1.0 / 3, 0.01 / 9});
  CHECK(grown(900) == grown(500));
}

TEST_CASE("longrope: lists that do not fit are refused") {
  CHECK(test::refusal("longrope:dim=8,factors=1/2/3") ==
        "longrope: factors = 1/2/3: must have 4 numbers (rotary width 8), not 3");
  CHECK(test::refusal("longrope:dim=4,factors=1/-2") == "longrope: factors = 1/-2: must have numbers > 0, not -2");
  CHECK(test::refusal("longrope:dim=4,short=1/2") == "longrope: short = 1/2: needs short and long both");
  CHECK(test::refusal("longrope:dim=4,factors=1/2,long=1/2") ==
        "longrope: factors = 1/2: must not be given beside short and long");
  CHECK(test::refusal("longrope:factors=kerple.r1.npy") ==
        "longrope: factors = kerple.r1.npy: must have 64 numbers (rotary width 128), not 4");
  CHECK(test::refusal("longrope:dynamic=true") ==
        "longrope: dynamic = true: needs a factor: the length where the lists are reached");
}

TEST_CASE("self-extend: effective distances of the last query") {
  const auto c = test::scheme_case("self_extend")["expect"]["floor_div"];
  const model::Encoding e = scheme("self-extend:group=4,window=6")->lower(24);
  for (model::Pos n = 0; n < 24; ++n) {
    const auto x = e.pair_map(23, n);
    CHECK(x[0] - x[1] == c[static_cast<std::size_t>(n)].get<model::Pos>());
  }
  CHECK(!scheme("self-extend")->lower(0).pair_map);
  // window / group as it is: distances in steps of a half, frequencies to match.
  const auto exact = test::scheme_case("self_extend")["expect"]["true_div"];
  const model::Encoding half = scheme("self-extend:group=4,window=6,rounding=true,dim=32")->lower(24);
  const auto plain = thetas(scheme("rope:dim=32")->lower(0)), finer = thetas(half);
  for (model::Pos n = 0; n < 24; ++n) {
    const auto x = half.pair_map(23, n);
    CHECK(static_cast<double>(x[0] - x[1]) == 2 * exact[static_cast<std::size_t>(n)].get<double>());
  }
  for (std::size_t i = 0; i < 16; ++i) CHECK(finer[i] == plain[i] / 2);
  // A window of whole groups leaves nothing to round.
  const model::Encoding whole = scheme("self-extend:rounding=true")->lower(8192), floor = scheme("self-extend")->lower(8192);
  CHECK(thetas(whole) == thetas(floor));
  for (const model::Pos n : {0, 777, 8000}) CHECK(whole.pair_map(8191, n) == floor.pair_map(8191, n));
  CHECK(test::refusal("self-extend:rounding=true,group=2048") ==
        "self-extend: rounding = true: needs group <= 1024 and window <= 2^40: positions count in steps of 1/group");
  const model::Encoding scaled = scheme("self-extend:log-scale=true,original=4096")->lower(1);
  CHECK(scaled.query_scale(10) == 1);
  CHECK(std::abs(scaled.query_scale(16777215) - 2) <= 1e-15);
}
