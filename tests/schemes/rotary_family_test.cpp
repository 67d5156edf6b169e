// rope-pp, hope-hyperbolic, grape-m, linear-rope, selective-rope, irope, drope, abf.
#include "support/rotary_family.hpp"
#include "schemes/selective_angles.hpp"

#include <numbers>

using namespace posenc;
using test::check_same;
using test::family_content;
using test::Part;
using test::rotary_family;
using test::rotary_of;
using test::scheme;
using test::thetas;

TEST_CASE("rope-pp: imaginary heads are the imaginary part, real ones rope") {
  const auto c = rotary_family("imaginary");
  const model::Content x = family_content(c);
  const model::Matrix plain = model::terms(scheme("rope:dim=8")->lower(0), 0, x).sum(), imaginary = test::matrix(c["scores"]);
  const auto check = [&](const std::string& fields, const std::vector<bool>& heads) {
    const model::Encoding e = scheme("rope-pp:dim=8," + fields)->lower(0);
    REQUIRE(e.heads == static_cast<model::Index>(heads.size()));
    for (model::Index h = 0; h < e.heads; ++h)
      check_same(model::terms(e, h, x).sum(), heads[static_cast<std::size_t>(h)] ? imaginary : plain, 1e-13);
  };
  check("heads=4", {false, true, false, true});
  check("heads=2,mode=imag2", {false, true, false, true});
  check("heads=4,mode=imagh", {false, false, true, true});
  check("heads=2,mode=imago", {true, true});
  CHECK(test::refusal("rope-pp:heads=3") == "rope-pp: heads = 3: must be even: mode imag1 has two a projection");
  CHECK(test::refusal("rope-pp:heads=3,mode=imag2") == "accepted");
}

TEST_CASE("rope-pp: the imaginary scores of the interleaved case") {
  const auto c = test::scheme_case("rope");
  const model::Content x = test::content(test::matrix(c["inputs"]["q"]), test::matrix(c["inputs"]["k"]));
  const model::Encoding e = scheme("rope-pp:dim=8,heads=2,layout=interleaved")->lower(0);
  check_same(model::terms(e, 0, x).sum(), test::matrix(c["expect"]["interleaved"]), 1e-12);
  check_same(model::terms(e, 1, x).sum(), test::matrix(c["expect"]["imaginary_interleaved"]), 1e-12);
}

TEST_CASE("hope-hyperbolic: scores of vectors transformed at their own positions") {
  const auto c = rotary_family("hyperbolic");
  const model::Encoding e = scheme("hope-hyperbolic:dim=8")->lower(0);
  check_same(model::terms(e, 0, family_content(c)).sum(), test::matrix(c["scores"]), 1e-13, Part::lower);
  // The value at the start of training, softplus(1.5) + 1.0001.
  for (const double z : rotary_of(e).log_damping) CHECK(std::abs(z + c["damping"].get<double>()) <= 5e-16);
  CHECK(test::refusal("hope-hyperbolic:damping=1.5") == "accepted");
}

TEST_CASE("hope-hyperbolic: the damping must outweigh the fastest pair") {
  const auto s = schemes::registry().make("hope-hyperbolic");
  Fields f = s->fields();
  CHECK_THROWS_WITH(set("hope-hyperbolic", *find(f, "damping"), "1"), "hope-hyperbolic: damping = 1: must be > 1");
}

TEST_CASE("hope-hyperbolic: finite at any position") {
  const model::Encoding e = scheme("hope-hyperbolic:dim=8")->lower(0);
  const model::Matrix ones = model::Matrix::Ones(3, 8);
  const model::Matrix near = model::terms(e, 0, test::content(ones, ones)).sum();
  for (const model::Pos start : {model::Pos{100000}, model::Pos{1} << 52})
    check_same(model::terms(e, 0, test::content(ones, ones), start).sum(), near, 0, Part::lower);
}

TEST_CASE("grape-m: the exponential of the generator, for given logarithms of frequencies") {
  const auto c = rotary_family("grape");
  const model::Content x = family_content(c);
  test::MemoryLoader loader;
  loader.add("shared", c["log_frequencies"]);
  loader.add("own", nlohmann::json::array({{0, 0, 0}, c["log_frequencies"]}));
  const model::Encoding e = scheme("grape-m:dim=6,log-frequencies=shared", 64, loader)->lower(0);
  check_same(model::terms(e, 0, x).sum(), test::matrix(c["scores"]), 1e-13);
  CHECK_FALSE(rotary_of(e).per_head);
  const model::Encoding own = scheme("grape-m:dim=6,log-frequencies=own", 64, loader)->lower(0);
  CHECK((own.heads == 2 && rotary_of(own).per_head));
  check_same(model::terms(own, 1, x).sum(), test::matrix(c["scores"]), 1e-13);
  CHECK(test::refusal("grape-m:dim=8,log-frequencies=shared", loader) ==
        "grape-m: log-frequencies = shared: shape [3] must be [4] or [heads, 4]");
  CHECK(test::refusal("grape-m:dim=6,heads=3,log-frequencies=own", loader) ==
        "grape-m: log-frequencies = own: heads is 2, but heads = 3 is given");
}

TEST_CASE("grape-m: at the start of training, rope of reflected channels") {
  const auto c = rotary_family("imaginary");
  model::Matrix q = test::matrix(c["q"]), k = test::matrix(c["k"]);
  const model::Matrix ours = model::terms(scheme("grape-m:dim=8")->lower(0), 0, test::content(q, k)).sum();
  q.rightCols(4) *= -1, k.rightCols(4) *= -1;  // S R(p) S = R(-p)
  check_same(ours, model::terms(scheme("rope:dim=8")->lower(0), 0, test::content(q, k)).sum(), 1e-14);
}

TEST_CASE("linear-rope: outputs and denominators, rotation in the numerator alone") {
  const auto c = test::scheme_case("rope_linear_attention");
  const model::Content x = test::content(test::matrix(c["inputs"]["q"]), test::matrix(c["inputs"]["k"]));
  const model::Encoding e = scheme("linear-rope:dim=8")->lower(0);
  check_same(model::attention(e, 0, x) * test::matrix(c["inputs"]["v"]), test::matrix(c["expect"]["out"]), 1e-12);
  const model::Matrix plain = model::terms(e, 0, x).cc;
  for (model::Index m = 0; m < 4; ++m)
    CHECK(std::abs(plain.row(m).sum() - c["expect"]["denominator"][static_cast<std::size_t>(m)].get<double>()) <= 1e-12);
}

TEST_CASE("linear-rope: a causal row sums over the keys up to the query") {
  const auto c = test::scheme_case("rope_linear_attention");
  const model::Content x = test::content(test::matrix(c["inputs"]["q"]), test::matrix(c["inputs"]["k"]));
  const model::Encoding both = scheme("linear-rope:dim=8")->lower(0), causal = scheme("linear-rope:dim=8,causal=true")->lower(0);
  const model::Matrix a = model::attention(causal, 0, x), b = model::attention(both, 0, x), plain = model::terms(both, 0, x).cc;
  CHECK(std::abs(a(0, 0) - 1) <= 1e-15);  // one key, no rotation between it and the query
  for (model::Index m = 0; m < 4; ++m)
    for (model::Index n = 0; n < 4; ++n) {
      const double expected = n <= m ? b(m, n) * plain.row(m).sum() / plain.row(m).head(m + 1).sum() : 0;
      CHECK(std::abs(a(m, n) - expected) <= 1e-14);
    }
}

TEST_CASE("selective-rope: angles and scores of given projections, filters and gates") {
  const auto c = rotary_family("selective");
  const auto temperature = c["temperature"].get<std::vector<double>>();
  const model::Matrix angles = schemes::running_angles(test::matrix(c["phi"]), test::matrix(c["kernel"]), test::matrix(c["gate"]),
                                                       1, Eigen::Map<const model::Vector>(temperature.data(), 2));
  check_same(angles, test::matrix(c["angles"]), 1e-14);
  check_same(schemes::unit_parts(test::matrix(c["x"]), 2), test::matrix(c["parts"]), 1e-15);
  check_same(schemes::selectively_rotated_scores(test::matrix(c["q"]), test::matrix(c["k"]), angles), test::matrix(c["scores"]),
             1e-13, Part::lower);
}

TEST_CASE("selective-rope: steps of one are rope") {
  // A projection of 1e-9 leaves angles of at most 1e-8 beside the bias.
  const model::Matrix x = model::Matrix::Random(9, 16), wq = model::Matrix::Random(16, 8), wk = model::Matrix::Random(16, 8);
  const model::Encoding rope = scheme("rope:dim=8,base=500000")->lower(0);
  for (const std::string projection : {"low-rank", "per-head"}) {
    const bool low = projection == "low-rank";
    const model::Encoding e = scheme("selective-rope:dim=16,heads=2,bias=true,std=1e-9,projection=" + projection)->lower(0);
    for (model::Index head = 0; head < 2; ++head) {
      const model::Matrix ours = model::logits(e, head, {x, wq, wk}), expected = model::logits(rope, 0, {x, wq, wk});
      if (low) check_same(ours, expected, 1e-7, Part::lower);
      // Normalised columns do not vanish with the deviation of their draws.
      if (!low) CHECK((ours - expected).cwiseAbs().maxCoeff() > 1e-3);
    }
  }
}

TEST_CASE("selective-rope: a gate of one half halves the steps, every kind of gate is used") {
  const model::Matrix x = model::Matrix::Random(7, 16), wq = model::Matrix::Random(16, 8), wk = model::Matrix::Random(16, 8);
  const std::string common = "selective-rope:dim=16,heads=2,bias=true,std=1e-9";
  // sigmoid(0) = 1/2 at every step: the rotation of half the frequency.
  const model::Encoding half = scheme("pi:dim=8,base=500000,factor=2")->lower(1);
  for (const std::string gate : {"head", "pair"})
    check_same(model::logits(scheme(common + ",gate=" + gate)->lower(0), 1, {x, wq, wk}), model::logits(half, 0, {x, wq, wk}),
               1e-7, Part::lower);
  CHECK(test::refusal("selective-rope:dim=24,heads=8,head-dim=3") == "selective-rope: head-dim = 3: must be even");
  CHECK(test::refusal("selective-rope:dim=20,heads=8,head-dim=4") ==
        "selective-rope: dim = 20: must be a multiple of heads = 8: each has a part");
}

TEST_CASE("irope: which layers have positions, their chunks and the temperature of the others") {
  const auto c = test::scheme_case("irope_temperature");
  std::vector<int> without;
  for (int layer = 0; layer < 8; ++layer)
    if (scheme("irope:layer=" + std::to_string(layer))->lower(1).terms.empty()) without.push_back(layer);
  CHECK(without == c["expect"]["nope_layers"].get<std::vector<int>>());
  const model::Encoding global = scheme("irope:layer=3")->lower(1), local = scheme("irope")->lower(1);
  for (std::size_t i = 0; i < c["inputs"]["positions"].size(); ++i)
    CHECK(std::abs(global.query_scale(c["inputs"]["positions"][i]) - c["expect"]["scale"][i].get<double>()) <= 1e-14);
  CHECK((!global.visible && !scheme("irope:layer=3,temperature=false")->lower(1).query_scale && !local.query_scale));
  CHECK((local.visible(8191, 0) && !local.visible(8192, 8191) && local.visible(16383, 8192)));
  CHECK(rotary_of(local).channel[1] == std::array<model::Index, 2>{2, 3});
}

TEST_CASE("drope: rope as trained, nothing in use") {
  const auto s = scheme("drope:dim=64");
  CHECK(thetas(s->lower(0)) == thetas(scheme("rope:dim=64")->lower(0)));
  CHECK((s->lower(64).terms.empty() && s->lower(64).logit_scale == 0.125));
}

TEST_CASE("abf: a larger base, trained and used alike") {
  // arXiv 2309.16039 sec. 2.1: "from 10,000 to 500,000"; the same base in Meta's own Llama 3 parameters.
  for (const model::Pos n : {0, 4096, 32768})
    CHECK(thetas(scheme("abf")->lower(n)) == thetas(scheme("rope:base=500000")->lower(0)));
}

TEST_CASE("longrope: rotations across the border of the first tokens") {
  const auto c = rotary_family("early");
  const model::Encoding e = scheme("longrope:dim=8,factor=4,original=4096,factors=1.5/2.25/6/8,start-tokens=2")->lower(8192);
  check_same(model::terms(e, 0, family_content(c)).sum(), test::matrix(c["scores"]), 1e-13);
}
