// dual-chunk, string, lm-infinite, hope-cut, fope, and factors of the query.
#include "model/views/rotary_rows.hpp"
#include "support/rotary_family.hpp"

using namespace posenc;
using test::attention_factor;
using test::check_same;
using test::scheme;
using test::thetas;

namespace {

model::Pos distance(const model::Encoding& e, model::Pos m, model::Pos n) {
  const auto x = e.pair_map(m, n);
  return x[0] - x[1];
}

}  // namespace

TEST_CASE("dual-chunk: every distance of twenty tokens, with the code's cap and the paper's") {
  const auto c = test::scheme_case("dca")["expect"];
  for (const std::string cap : {"code", "paper"}) {
    const model::Encoding e = scheme("dual-chunk:chunk=9,local-window=3,cap=" + cap)->lower(20);
    for (model::Pos m = 0; m < 20; ++m)
      for (model::Pos n = 0; n <= m; ++n) {
        INFO(cap << " " << m << " " << n);
        CHECK(distance(e, m, n) == c[cap][static_cast<std::size_t>(m)][static_cast<std::size_t>(n)].get<model::Pos>());
      }
  }
}

TEST_CASE("dual-chunk: sizes from the training length, magnitude beyond it") {
  const auto s = scheme("dual-chunk:original=4096");
  Fields f = s->fields();
  CHECK((text(*find(f, "chunk")) == "3072" && text(*find(f, "local-window")) == "512"));
  CHECK(!s->lower(0).pair_map);
  CHECK((attention_factor(s->lower(0)) == 1 && attention_factor(s->lower(4096)) == 1));
  CHECK(std::abs(attention_factor(s->lower(16384)) - (0.05 * std::log(4) + 1)) <= 3e-16);
  CHECK(test::refusal("dual-chunk:chunk=8,local-window=8") == "dual-chunk: local-window = 8: must be >= 1 and < chunk = 8");
}

TEST_CASE("string: far keys move to the window") {
  const auto s = scheme("string:original=4096");
  const model::Encoding e = s->lower(4096);
  CHECK((distance(e, 2000, 650) == 1350 && distance(e, 2000, 649) == 128 && distance(e, 4095, 0) == 4095 - 1351 + 128));
  CHECK(std::abs(attention_factor(e) - (0.1 * std::log(2) + 1)) <= 3e-16);
  CHECK(attention_factor(s->lower(0)) == 1);
  CHECK(test::refusal("string:shift=100,window=128") == "string: window = 128: must be <= shift = 100");
}

TEST_CASE("string: the prompt's softmax counts the key at the shift twice") {
  const std::string fields = "string:dim=8,shift=4,window=2,original=16";
  const model::Encoding e = scheme(fields + ",branch=prefill")->lower(16);
  const auto c = test::rotary_family("hyperbolic");
  const model::Content x = test::family_content(c);
  const model::Matrix q = x.q(), k = x.k(), weights = model::attention(e, 0, x);
  const model::Encoding rope = scheme("rope:dim=8")->lower(0);
  const double gain = std::pow(0.1 * std::log(2) + 1, 2) / std::sqrt(8.0);
  const auto at = [&](model::Index m, model::Index n, model::Pos s) {
    model::Matrix a = q.row(m), b = k.row(n);
    model::rotate(rope, test::rotary_of(rope), 0, model::Side::query, s, a);
    return std::exp(gain * a.row(0).dot(b.row(0)));
  };
  for (model::Index m = 0; m < 6; ++m) {
    std::vector<double> expected;
    double sum = 0;
    for (model::Index n = 0; n <= m; ++n) {
      const model::Pos s = m - n;
      expected.push_back(s < 4 ? at(m, n, s) : s == 4 ? at(m, n, 4) + at(m, n, 2) : at(m, n, s - 2));
      sum += expected.back();
    }
    for (model::Index n = 0; n <= m; ++n) CHECK(std::abs(weights(m, n) - expected[static_cast<std::size_t>(n)] / sum) <= 1e-14);
  }
  // Token by token it counts once, at the window.
  const model::Matrix once = model::logits(scheme(fields)->lower(16), 0, x);
  CHECK(std::abs(std::exp(once(5, 1)) - at(5, 1, 2)) <= 1e-13 * at(5, 1, 2));
}

TEST_CASE("lm-infinite: visible keys and distances of the last query") {
  const auto c = test::scheme_case("lm_infinite")["expect"];
  const model::Encoding e = scheme("lm-infinite:global-tokens=2,local-window=6,limit=6")->lower(20);
  for (model::Pos n = 0; n < 20; ++n) {
    CHECK(e.visible(19, n) == (c["visible"][static_cast<std::size_t>(n)].get<int>() == 1));
    CHECK(distance(e, 19, n) == c["distance"][static_cast<std::size_t>(n)].get<model::Pos>());
  }
}

TEST_CASE("hope-cut: pairs that turn at least once within the training length") {
  for (std::size_t i = 0; i < 2; ++i) {
    const auto c = test::scheme_case("frequency_cut", i);
    const auto t = thetas(scheme("hope-cut", c["inputs"]["L"].get<model::Pos>())->lower(0));
    CHECK(std::count(t.begin(), t.end(), 0.0) == c["expect"]["zeroed"].get<int>());
    CHECK(t[0] == 1);
  }
}

TEST_CASE("fope: scores with as many frequencies as mixed pairs, and with more") {
  for (std::size_t i = 0; i < 2; ++i) {
    const auto c = test::scheme_case("fope", i);
    const auto positions = c["inputs"]["positions"].get<std::vector<model::Index>>();
    test::MemoryLoader loader;
    loader.add("cosines", nlohmann::json::array({c["inputs"]["cos_coef"]}));
    loader.add("sines", nlohmann::json::array({c["inputs"]["sin_coef"]}));
    const model::Encoding e =
        scheme("fope:dim=16,cosines=cosines,sines=sines", c["inputs"]["L"].get<model::Pos>(), loader)->lower(0);
    model::Matrix q = model::Matrix::Zero(15, 16), k = q;
    for (std::size_t p = 0; p < 3; ++p) {
      q.row(positions[p]) = test::matrix(c["inputs"]["q"]).row(static_cast<model::Index>(p));
      k.row(positions[p]) = test::matrix(c["inputs"]["k"]).row(static_cast<model::Index>(p));
    }
    const model::Matrix all = model::terms(e, 0, test::content(q, k)).sum(), expected = test::matrix(c["expect"]["scores"]);
    for (std::size_t m = 0; m < 3; ++m)
      for (std::size_t n = 0; n < 3; ++n)
        CHECK(std::abs(all(positions[m], positions[n]) - expected(static_cast<model::Index>(m), static_cast<model::Index>(n))) <=
              1e-11);
  }
}

TEST_CASE("fope: coefficients start at a stepped identity, and the identity is rope on the pairs it mixes") {
  const auto c = test::scheme_case("fope", 1)["expect"];
  const model::Encoding e = scheme("fope:dim=16,gain=0,original=100000,heads=2")->lower(0);
  const auto& r = std::get<model::Rotary>(e.terms.at(0));
  for (const auto* set : {&r.mix_cosine, &r.mix_sine})
    for (const model::Matrix& m : *set) check_same(m.topLeftCorner(8, 4), test::matrix(c["step_eye"]), 0);
  CHECK((r.per_head && r.heads == 2 && r.mix_cosine.size() == 2));
  CHECK(test::refusal("fope:cosines=learned.wpe.npy").find("must be [heads, 46, 32]") != std::string::npos);
}

TEST_CASE("fope: one basis, one set for all heads, and slow frequencies kept at zero") {
  const auto mixes = [](const std::string& fields) {
    const auto r = std::get<model::Rotary>(scheme("fope:dim=16,original=512,heads=3" + fields)->lower(0).terms.at(0));
    return std::tuple(r.per_head, r.mix_cosine, r.mix_sine);
  };
  const auto [own, cosines, sines] = mixes("");
  CHECK((own && cosines.size() == 3 && sines.size() == 3 && cosines[0] != cosines[1] && cosines[0] != sines[0]));
  const auto [one_basis, c, s] = mixes(",separate-basis=false");
  CHECK((one_basis && c.size() == 3));
  for (std::size_t h = 0; h < 3; ++h) check_same(c[h].topLeftCorner(4, 4), s[h].topLeftCorner(4, 4), 0);
  CHECK(c[0].bottomRightCorner(1, 4) != s[0].bottomRightCorner(1, 4));  // the pairs that are not mixed: sqrt 2 and 0
  const auto [per_head, shared, others] = mixes(",separate-heads=false");
  CHECK((!per_head && shared.size() == 1 && others.size() == 1));
  CHECK(scheme("fope:dim=16,heads=3,separate-heads=false")->lower(0).heads == 3);
  // Of the 8 pairs 4 turn within 512 positions; kept zeros add their cosine of 1 to every pair.
  const auto [zeros, all, sine] = mixes(",keep-zero=true,gain=0");
  CHECK(all[0].topLeftCorner(8, 8) == model::Matrix::Identity(8, 8));
  const model::Encoding e = scheme("fope:dim=16,original=512,keep-zero=true,gain=0,heads=1")->lower(0);
  const model::Content x = test::content(model::Matrix::Ones(5, 16), model::Matrix::Ones(5, 16));
  check_same(model::terms(e, 0, x).sum(), model::terms(scheme("hope-cut:dim=16,original=512")->lower(0), 0, x).sum(), 1e-13);
  CHECK(test::refusal("fope:separate-basis=false,sines=x.npy") == "fope: sines = x.npy: must not be given where S = C");
}

TEST_CASE("queries grow with their position where a model says so") {
  const auto c = test::scheme_case("irope_temperature");
  const model::Encoding llama4 = scheme("nope:attn-scale=0.1")->lower(0);
  for (std::size_t i = 0; i < c["inputs"]["positions"].size(); ++i)
    CHECK(std::abs(llama4.query_scale(c["inputs"]["positions"][i]) - c["expect"]["scale"][i].get<double>()) <= 1e-14);
  CHECK(!scheme("nope")->lower(0).query_scale);
  // ln(p + 1)/ln(4096) from position 4096 on: 2 at 4096^2 - 1.
  for (const char* name : {"rope", "dynamic-ntk"}) {
    const auto s = scheme(std::string(name) + ":log-scale=true,original=4096");
    CHECK(!s->lower(0).query_scale);
    CHECK((s->lower(1).query_scale(4095) == 1 && std::abs(s->lower(1).query_scale(16777215) - 2) <= 1e-15));
  }
  const auto ministral = scheme("yarn:query-beta=0.1,original=16384,factor=16");
  CHECK(ministral->lower(1).query_scale(16383) == 1);
  CHECK(std::abs(ministral->lower(1).query_scale(16384) - (1 + 0.1 * std::log(2))) <= 1e-15);
  CHECK(!ministral->lower(0).query_scale);
}
