#include "support/scheme_cases.hpp"

using namespace posenc;
using test::check_same;
using test::scheme;

namespace {

struct Case {
  nlohmann::json c = test::scheme_case("tupe");
  test::MemoryLoader loader;
  Case() {
    const auto& in = c["inputs"];
    loader.add("table", in["table"]);
    loader.add("norm.weight.npy", in["ln_weight"]);
    loader.add("norm.bias.npy", in["ln_bias"]);
    loader.add("q.weight.npy", in["U_Q"]);
    loader.add("q.bias.npy", in["b_Q"]);
    loader.add("k.weight.npy", in["U_K"]);
    loader.add("k.bias.npy", in["b_K"]);
    loader.add("rel", in["rel_table"]);
  }
  model::Encoding encoding(const std::string& options) const {
    return scheme("tupe:table=table,norm=norm,uq=q,uk=k,heads=2" + options, 8, loader)->lower(0);
  }
  model::Matrix positional(const model::Encoding& e, model::Index head) const {
    const model::Matrix nothing = model::Matrix::Zero(4, 3);
    return model::logits(e, head, test::content(nothing, nothing));
  }
};

}  // namespace

TEST_CASE("TUPE-A and TUPE-R with a class token, positions alone and with content") {
  const Case t;
  const model::Encoding a = t.encoding(",class-token=true,relative=false"), r = t.encoding(",class-token=true,bias=rel");
  CHECK((r.heads == 2 && r.head_dim == 3 && !r.causal));
  for (std::size_t h = 0; h < 2; ++h) {
    const auto head = static_cast<model::Index>(h);
    check_same(t.positional(a, head), test::matrix(t.c["expect"]["tupe_a_bias"][h]), 1e-12);
    check_same(t.positional(r, head), test::matrix(t.c["expect"]["tupe_r_bias"][h]), 1e-12);
    const model::Content x = test::content(test::of_head(t.c["inputs"]["xq"], h), test::of_head(t.c["inputs"]["xk"], h));
    check_same(model::logits(a, head, x), test::matrix(t.c["expect"]["tupe_a_logits"][h]), 1e-12);
    check_same(model::logits(r, head, x), test::matrix(t.c["expect"]["tupe_r_logits"][h]), 1e-12);
    const auto& untied = std::get<model::Untied>(std::get<model::AbsoluteTable>(a.terms.at(0)).entry);
    CHECK(std::abs((*untied.class_reset)[0](head) - t.c["expect"]["reset_cls_to_others"][h].get<double>()) <= 1e-12);
    CHECK(std::abs((*untied.class_reset)[1](head) - t.c["expect"]["reset_others_to_cls"][h].get<double>()) <= 1e-12);
  }
}

TEST_CASE("without a class token, row p is position p and nothing is reset") {
  const Case t;
  const model::Encoding e = t.encoding(",relative=false");
  // Rows 1..3 of the table at positions 1..3, as at positions 0..2 behind the class token.
  for (std::size_t h = 0; h < 2; ++h) {
    const auto head = static_cast<model::Index>(h);
    const model::Matrix with = test::matrix(t.c["expect"]["tupe_a_bias"][h]);
    CHECK(std::abs(t.positional(e, head)(2, 3) - with(1, 2)) <= 1e-12);
    CHECK(std::abs(t.positional(e, head)(3, 2) - with(2, 1)) <= 1e-12);
  }
}

TEST_CASE("trained parameters fit together, and what does not is named") {
  const std::string files = "table=tupe.wpe.npy,norm=tupe.pln,uq=tupe.uq,uk=tupe.uk";
  const auto s = scheme("tupe:" + files + ",bias=tupe.rab.npy");
  const model::Encoding e = s->lower(0);
  CHECK((e.heads == 4 && e.head_dim == 8 && e.width == 32));
  CHECK(std::abs(e.logit_scale - 0.25) <= 1e-16);
  CHECK(s->train_length() == 64);
  CHECK(test::refusal("tupe:" + files + ",bias=tupe.rab.npy,heads=8") ==
        "tupe: bias = tupe.rab.npy: heads is 4, but heads = 8 is given");
  CHECK(test::refusal("tupe:" + files + ",heads=4,head-dim=4") ==
        "tupe: uq = tupe.uq.weight.npy: has 32 outputs, must have heads x head-dim = 4 x 4");
  CHECK(test::refusal("tupe:table=tupe.wpe.npy,uq=none,heads=4") == "none.weight.npy: no such file");
}
