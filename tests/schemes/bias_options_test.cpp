// Options of t5, sandwich, fox, nope; swin's second version; window.
#include "schemes/log_coordinates.hpp"
#include "support/custom_scheme.hpp"
#include "support/scheme_variants.hpp"

using namespace posenc;
using test::check_same;
using test::scheme;
using test::tolerance;

namespace {

const model::Bias& bias_of(const model::Encoding& e) { return std::get<model::Bias>(e.terms.at(0)); }

/// Of biases of 1024 buckets and 64 heads.
model::Matrix drawn(const std::string& init) {
  const model::Encoding e = scheme("t5:dim=4,heads=64,buckets=1024,max-distance=4096,init=" + init)->lower(0);
  model::Matrix out(64, 512);
  for (model::Index h = 0; h < 64; ++h)
    for (model::Index s = 0; s < 512; ++s) out(h, s) = bias_of(e).value(h, s, 0);  // a bucket each
  return out;
}

}  // namespace

TEST_CASE("t5: drawn biases have the law of mesh-tensorflow or of Hugging Face") {
  // 32768 draws: the deviation is known to 0.39 % (normal) and less (uniform); four of it.
  const model::Matrix mesh = drawn("mesh"), hf = drawn("hf");
  const double uniform = std::sqrt(2.0 / (64 + 1024)), normal = 1 / std::sqrt(4.0 * 64);
  CHECK(mesh.cwiseAbs().maxCoeff() <= std::sqrt(3.0) * uniform);
  CHECK(std::abs(std::sqrt(mesh.array().square().mean()) / uniform - 1) <= 0.0156);
  CHECK(std::abs(std::sqrt(hf.array().square().mean()) / normal - 1) <= 0.0156);
  CHECK(hf.cwiseAbs().maxCoeff() > 3 * normal);
}

TEST_CASE("sandwich: dbar apart from the head's channels, and keys after the query") {
  const auto c = test::scheme_variant("sandwich_dbar");
  const model::Encoding e = scheme("sandwich:dim=4,dbar=6,base=100,heads=2,causal=false")->lower(0);
  CHECK((!e.causal && e.logit_scale == 0.5));
  for (std::size_t h = 0; h < 2; ++h)
    for (std::size_t i = 0; i < 4; ++i) {
      const model::Pos s = c["inputs"]["s"][i];
      CHECK(std::abs(bias_of(e).value(static_cast<model::Index>(h), 100 + s, 100) - c["expect"]["bias"][h][i].get<double>()) <=
            1e-14);
    }
  CHECK(test::refusal("sandwich:dim=5") == "sandwich: dim = 5: must be even, or dbar given");
}

TEST_CASE("swin: the second version's biases and cosine attention") {
  const auto c = test::scheme_variant("swin_2");
  const auto loader = test::inputs(c, {"w1", "b1", "w2"});
  const model::Encoding e =
      scheme("swin:version=2,window=3,pretrained-window=2,dim=2,temperature=0.25,w1=w1,b1=b1,w2=w2", 9, loader)->lower(0);
  CHECK((e.cosine && e.logit_scale == 4 && e.heads == 2));
  const model::Content x = test::content(test::matrix(c["inputs"]["q"]), test::matrix(c["inputs"]["k"]));
  for (std::size_t h = 0; h < 2; ++h) {
    const auto head = static_cast<model::Index>(h);
    check_same(test::bias(e, head, 9), test::matrix(c["expect"]["bias"][h]), tolerance);
    check_same(model::logits(e, head, x), test::matrix(c["expect"]["logits"][h]), tolerance);
  }
  // Longer queries and keys do not change it.
  model::Content longer = x;
  longer.w_query *= 7, longer.w_key *= 0.3;
  check_same(model::logits(e, 0, longer), model::logits(e, 0, x), tolerance);
}

TEST_CASE("swin: log coordinates of a window of three") {
  const auto expected = test::scheme_case("swin")["expect"]["v2_coord"];
  for (model::Pos offset = -2; offset <= 2; ++offset)
    CHECK(std::abs(schemes::log_coordinate(offset, 3) - expected[static_cast<std::size_t>(offset + 2)].get<double>()) <= 1e-15);
}

TEST_CASE("swin: drawn tables are normal of deviation 0.02, fields of the other version are refused") {
  const model::Encoding e = scheme("swin:window=16,heads=64")->lower(0);
  double square = 0, largest = 0;
  for (model::Index h = 0; h < 64; ++h)
    for (model::Pos n = 0; n < 256; ++n) {
      const double b = bias_of(e).value(h, 255, n);
      square += b * b, largest = std::max(largest, std::abs(b));
    }
  // 16384 draws: the deviation is known to 0.55 %; four of it. A law cut at two deviations would have 0.88 of it.
  CHECK(std::abs(std::sqrt(square / 16384) / 0.02 - 1) <= 0.022);
  CHECK(largest > 0.05);
  CHECK(test::refusal("swin:w1=x") == "swin: w1 = x: needs version=2");
  CHECK(test::refusal("swin:version=2,table=x") == "swin: table = x: needs version=1");
  CHECK(test::refusal("swin:version=2,window=1") == "swin: window = 1: must be >= 2 with version=2, or pretrained-window given");
}

TEST_CASE("cosine attention has no moments of logits, and decay says so") {
  const model::Encoding e = scheme("swin:version=2,window=4,heads=2")->lower(0);
  model::Request request;
  request.length = 16;
  const test::MemorySink sink = test::run_custom("decay", e, request);
  const auto skipped = [&](const std::string& name) {
    for (const auto& [variable, reason] : sink.schema().not_applicable)
      if (variable == name) return reason;
    return std::string();
  };
  for (const char* name : {"logit_mean", "logit_std", "logit_quantile"})
    CHECK(skipped(name) == "queries and keys enter as unit vectors: logits of Gaussian content have no closed moments");
  CHECK(sink.data("score")[3] == bias_of(e).value(0, 15, 12));
}

TEST_CASE("fox: fixed gates are a bias that training leaves, no gates are no term") {
  CHECK(bias_of(scheme("fox:gate=bias-only")->lower(0)).free);
  const model::Encoding fixed = scheme("fox:gate=fixed,heads=2,decay-min=10,decay-max=100")->lower(0);
  CHECK(!bias_of(fixed).free);
  CHECK(std::abs(bias_of(fixed).value(1, 50, 0) + 0.5) <= 1e-14);
  CHECK(scheme("fox:gate=none")->lower(0).terms.empty());
  CHECK(test::refusal("fox:gate=fixed") == "fox: gate = fixed: needs decay-min and decay-max, or offsets");
  CHECK(test::refusal("fox:gate=none,decay-min=1,decay-max=2") ==
        "fox: gate = none: has no offsets: decay-min, decay-max and offsets must not be given");
  CHECK(test::refusal("fox:gate=bias-only,weights=x").substr(0, 3) != "acc");
}

TEST_CASE("nope without the causal mask, and within a window") {
  CHECK(!scheme("nope:causal=false")->lower(0).causal);
  const model::Encoding e = scheme("window:window=3,dim=4")->lower(0);
  CHECK((e.terms.empty() && e.causal));
  const model::Matrix ones = model::Matrix::Ones(6, 4);
  model::Matrix w = model::logits(e, 0, test::content(ones, ones));
  model::softmax_rows(e, 0, w);
  for (model::Index m = 0; m < 6; ++m)
    for (model::Index n = 0; n < 6; ++n) {
      const bool seen = n <= m && m - n < 3;
      CHECK(w(m, n) == Approx(seen ? 1.0 / static_cast<double>(std::min<model::Index>(m + 1, 3)) : 0).margin(1e-16));
    }
}
