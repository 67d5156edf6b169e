// dape; gate keys of cope, given weights of fox, grape-a and grape-ap.
#include "support/scheme_variants.hpp"

using namespace posenc;
using test::check_same;
using test::Part;
using test::scheme;
using test::tolerance;

namespace {

model::Content content_of(const nlohmann::json& x, std::size_t head) {
  return {test::matrix(x["inputs"]["x"]), test::matrix(x["inputs"]["wq"][head]), test::matrix(x["inputs"]["wk"][head])};
}
model::Content weights_of(const nlohmann::json& x) {
  return {test::matrix(x["inputs"]["x"]), test::matrix(x["inputs"]["wq"]), test::matrix(x["inputs"]["wk"])};
}

}  // namespace

TEST_CASE("dape: a perceptron of all heads' logits and the biases of alibi, kerple and fire") {
  const auto c = test::scheme_variant("dape");
  auto loader = test::inputs(c, {"w1", "b1", "w2", "b2", "r1", "r2"});
  for (const char* name : {"w1", "b1", "w2", "b2"}) loader.add(std::string("fire-") + name, c["inputs"]["fire"][name]);
  const std::string files = "dape:dim=3,w1=w1,b1=b1,w2=w2,b2=b2,bias=";
  for (const std::string base :
       {"alibi", "kerple,r1=r1,r2=r2", "fire,threshold=2,fire-w1=fire-w1,fire-b1=fire-b1,fire-w2=fire-w2,fire-b2=fire-b2"}) {
    INFO(base);
    const model::Encoding e = scheme(files + base, 8, loader)->lower(0);
    CHECK((e.heads == 2 && e.head_dim == 3 && e.width == 6));
    for (std::size_t h = 0; h < 2; ++h) {
      model::Content x = content_of(c, h);
      for (std::size_t all = 0; all < 2; ++all) {
        const model::Content one = content_of(c, all);
        x.every_head.push_back({one.w_query, one.w_key});
      }
      check_same(model::logits(e, static_cast<model::Index>(h), x), test::matrix(c["expect"][base.substr(0, base.find(','))][h]),
                 tolerance, Part::lower);
    }
  }
}

TEST_CASE("dape: without the weights of all heads nothing is computed") {
  const auto c = test::scheme_variant("dape");
  const model::Encoding e = scheme("dape:dim=3,heads=2")->lower(0);
  const model::Content x = content_of(c, 0);
  try {
    model::logits(e, 0, x);
    FAIL("computed");
  } catch (const std::logic_error& error) {
    CHECK(std::string(error.what()) == "terms: 0 of 2 heads have weights: the scores of a head need the products of all");
  }
  CHECK(test::refusal("dape:bias=kerple,r1=kerple.r1.npy,heads=8") ==
        "dape: r1 = kerple.r1.npy: heads is 4, but heads = 8 is given");
  CHECK(test::refusal("dape:bias=alibi,r1=1") == "dape: r1 = 1: needs bias=kerple");
  CHECK(test::refusal("dape:fire-w1=x") == "dape: fire-w1 = x: needs bias=fire");
}

TEST_CASE("cope: gates by a key of their own, or by the value") {
  const auto c = test::scheme_variant("cope_gate_key");
  const auto loader = test::inputs(c, {"gate_weights", "table"});
  for (const std::string gate : {"separate", "value"}) {
    const model::Encoding e = scheme("cope:heads=2,table=table,gate-weights=gate_weights,gate-key=" + gate, 8, loader)->lower(0);
    CHECK((e.heads == 2 && e.width == 4 && e.head_dim == 2));
    check_same(model::logits(e, 1, weights_of(c)), test::matrix(c["expect"]["logits"]), tolerance, Part::lower);
  }
  CHECK(test::refusal("cope:table=table,gate-weights=gate_weights", loader) ==
        "cope: gate-weights = gate_weights: needs gate-key=separate or gate-key=value");
}

TEST_CASE("fox: given gates summed between key and query") {
  const auto c = test::scheme_variant("fox");
  const auto loader = test::inputs(c, {"w", "c"});
  const model::Encoding e = scheme("fox:weights=w,offsets=c", 8, loader)->lower(0);
  const model::Content x{test::matrix(c["inputs"]["x"]), model::Matrix::Identity(4, 2), model::Matrix::Ones(4, 2)};
  for (std::size_t h = 0; h < 2; ++h)
    check_same(test::added(e, static_cast<model::Index>(h), x), test::matrix(c["expect"]["bias"][h]), tolerance, Part::lower);
}

TEST_CASE("grape-a: given directions and factors by head") {
  const auto c = test::scheme_variant("grape_a");
  const auto loader = test::inputs(c, {"u", "factor"});
  const model::Encoding e = scheme("grape-a:u=u,factor=factor", 8, loader)->lower(0);
  const model::Matrix k = test::matrix(c["inputs"]["k"]);
  for (std::size_t h = 0; h < 2; ++h)
    check_same(test::added(e, static_cast<model::Index>(h), test::content(k, k)), test::matrix(c["expect"]["bias"][h]), tolerance,
               Part::lower);
  CHECK(test::refusal("grape-a:factor=-1").substr(0, 29) == "grape-a: factor = -1: must be");
}

TEST_CASE("grape-ap: paths of a narrow projection, and of the values") {
  const auto c = test::scheme_variant("grape_ap_projected");
  const auto loader = test::inputs(c, {"weights"});
  const model::Content x{test::matrix(c["inputs"]["x"]), model::Matrix::Identity(4, 2), model::Matrix::Ones(4, 2)};
  for (const std::string how : {"source=own,path-dim=2", "source=own", "source=value"}) {
    const model::Encoding e = scheme("grape-ap:heads=2,weights=weights," + how, 8, loader)->lower(0);
    for (std::size_t h = 0; h < 2; ++h)
      check_same(test::added(e, static_cast<model::Index>(h), x), test::matrix(c["expect"]["bias"][h]), tolerance, Part::lower);
  }
  CHECK(test::refusal("grape-ap:source=query,path-dim=8") == "grape-ap: path-dim = 8: must be head-dim = 16 unless source=own");
  CHECK(test::refusal("grape-ap:source=key,weights=weights", loader) ==
        "grape-ap: weights = weights: needs source=own or source=value");
  CHECK(scheme("grape-ap:path-dim=8,heads=2,head-dim=64")->lower(0).head_dim == 64);
}
