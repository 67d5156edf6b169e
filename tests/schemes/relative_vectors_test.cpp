// shaw, transformer-xl and deberta.
#include "support/scheme_cases.hpp"

using namespace posenc;
using test::check_same;
using test::scheme;

TEST_CASE("shaw: logits, and values met at the same rows") {
  const auto c = test::scheme_case("shaw");
  test::MemoryLoader loader;
  loader.add("key", c["inputs"]["aK"]);
  loader.add("value", c["inputs"]["aV"]);
  const model::Encoding e = scheme("shaw:table=key,value-table=value", 8, loader)->lower(0);
  const model::Content x = test::content(test::matrix(c["inputs"]["q"]), test::matrix(c["inputs"]["k"]));
  model::Matrix w = model::logits(e, 0, x);
  check_same(w, test::matrix(c["expect"]["logits"]), 1e-12);
  model::softmax_rows(e, 0, w);
  check_same(w, test::matrix(c["expect"]["weights"]), 1e-12);
  const auto& r = std::get<model::RelativeVectors>(e.terms.at(0));
  const model::Matrix v = test::matrix(c["inputs"]["v"]);
  model::Matrix out = w * v, row(1, v.cols());
  for (model::Index m = 0; m < v.rows(); ++m)
    for (model::Index n = 0; n < v.rows(); ++n) {
      r.value->block(r.at_query->index(m, n), row);
      out.row(m) += w(m, n) * row;
    }
  check_same(out, test::matrix(c["expect"]["out"]), 1e-12);
}

TEST_CASE("shaw: table size and index") {
  const model::Encoding e = scheme("shaw:clip=2")->lower(0);
  const auto& r = std::get<model::RelativeVectors>(e.terms.at(0));
  CHECK(r.at_query->rows->count() == 5);
  CHECK(r.at_query->index(0, 5) == 4);
  CHECK((r.at_query->index(5, 0) == 0 && r.at_query->index(4, 4) == 2));
  CHECK(!e.causal);
  CHECK(scheme("shaw:causal=true")->lower(0).causal);
  CHECK(std::get<model::RelativeVectors>(scheme("shaw:values=false")->lower(0).terms.at(0)).value == nullptr);
}

TEST_CASE("shaw: one layer of a trained table, and what does not fit") {
  const auto first = [](const std::string& encoding) {
    const model::Encoding e = scheme(encoding)->lower(0);
    model::Matrix out(1, 8);
    std::get<model::RelativeVectors>(e.terms.at(0)).at_query->rows->block(8, out);
    return out;
  };
  CHECK(first("shaw:table=shaw.rk.npy,clip=8,layer=0") != first("shaw:table=shaw.rk.npy,clip=8,layer=1"));
  CHECK(test::refusal("shaw:table=shaw.rk.npy,layer=2") == "shaw: layer = 2: shaw.rk.npy has 2 layers");
  CHECK(test::refusal("shaw:table=shaw.rk.npy,clip=16") == "shaw: table = shaw.rk.npy: clip is 8, but clip = 16 is given");
  CHECK(test::refusal("shaw:table=learned.wpe.npy") == "shaw: table = learned.wpe.npy: 64 rows must be odd, 2K+1");
}

TEST_CASE("transformer-xl: scores with a memory of two") {
  const auto c = test::scheme_case("transformer_xl");
  test::MemoryLoader loader;
  for (const char* name : {"u", "v"}) loader.add(name, c["inputs"][name]);
  // Given as [input][output]; files are [output][input].
  const model::Matrix weights = test::matrix(c["inputs"]["W_kR"]).transpose();
  nlohmann::json rows = nlohmann::json::array();
  for (model::Index i = 0; i < weights.rows(); ++i)
    rows.push_back(std::vector<double>(weights.row(i).data(), weights.row(i).data() + weights.cols()));
  loader.add("W_kR", rows);
  const model::Encoding e = scheme("transformer-xl:u=u,v=v,wkr=W_kR", 8, loader)->lower(0);
  CHECK((e.heads == 2 && e.head_dim == 3 && e.width == 6 && e.causal));
  for (std::size_t h = 0; h < 2; ++h) {
    const model::Matrix k = test::of_head(c["inputs"]["k"], h);
    model::Matrix q = model::Matrix::Zero(5, 3);  // the memory asks nothing
    q.bottomRows(3) = test::of_head(c["inputs"]["q"], h);
    const model::Matrix ours = model::logits(e, static_cast<model::Index>(h), test::content(q, k)).bottomRows(3),
                        theirs = test::matrix(c["expect"]["scores"][h]);
    for (model::Index m = 0; m < 3; ++m)
      for (model::Index n = 0; n <= m + 2; ++n) CHECK(std::abs(ours(m, n) - theirs(m, n)) <= 1e-12);
  }
}

TEST_CASE("transformer-xl: sizes from files, clamped distances, and what does not fit") {
  const model::Encoding e = scheme("transformer-xl:u=txl.u.npy,v=txl.v.npy,wkr=txl.wkr.0.weight.npy")->lower(0);
  CHECK((e.heads == 4 && e.head_dim == 8 && e.width == 32));
  const auto index = [](const std::string& encoding, model::Pos m, model::Pos n) {
    const model::Encoding x = scheme(encoding)->lower(0);
    return std::get<model::RelativeVectors>(x.terms.at(0)).at_query->index(m, n);
  };
  CHECK(index("transformer-xl", 5000, 3) == 4997);
  CHECK(index("transformer-xl:clamp-len=1000", 5000, 3) == 1000);
  CHECK(test::refusal("transformer-xl:heads=3") ==
        "transformer-xl: dim = 128: must be a multiple of heads = 3, or head-dim given");
  CHECK(test::refusal("transformer-xl:wkr=txl.wkr.0.weight.npy,heads=4,head-dim=16") ==
        "transformer-xl: wkr = txl.wkr.0.weight.npy: has 32 outputs, must have heads x head-dim = 4 x 16");
}

TEST_CASE("deberta: terms and logits of the code and of the paper") {
  const auto c = test::scheme_case("deberta");
  // Content weights pick q from the first half of x and k from the second; rows [q_r | k_r] make them pick kr = k_r, qr = q_r.
  nlohmann::json table = nlohmann::json::array();
  for (std::size_t i = 0; i < 6; ++i) {
    nlohmann::json row = c["inputs"]["q_r"][i];
    for (const auto& x : c["inputs"]["k_r"][i]) row.push_back(x);
    table.push_back(row);
  }
  test::MemoryLoader loader;
  loader.add("table", table);
  const model::Content x = test::content(test::matrix(c["inputs"]["q_c"]), test::matrix(c["inputs"]["k_c"]));
  for (const std::string form : {"code", "paper"}) {
    const model::Encoding e = scheme("deberta:heads=2,table=table,key-row=" + form, 8, loader)->lower(0);
    check_same(model::logits(e, 0, x), test::matrix(c["expect"]["logits_" + form]), 1e-12);
    const model::Terms t = model::terms(e, 0, x);
    check_same(t.cc * e.logit_scale, test::matrix(c["expect"]["c2c"]), 1e-12);
    check_same(t.cp * e.logit_scale, test::matrix(c["expect"]["c2p"]), 1e-12);
    check_same(t.pc * e.logit_scale, test::matrix(c["expect"]["p2c_" + form]), 1e-12);
    const auto& r = std::get<model::RelativeVectors>(e.terms.at(0));
    for (model::Pos m = 0; m < 5; ++m)
      for (model::Pos n = 0; n < 5; ++n)
        CHECK(r.at_query->index(m, n) ==
              c["expect"]["delta"][static_cast<std::size_t>(m)][static_cast<std::size_t>(n)].get<model::Pos>());
  }
}

TEST_CASE("deberta: the scale counts the terms, the buckets set the rows") {
  const auto scale = [](const std::string& options) { return scheme("deberta:head-dim=64" + options)->lower(0).logit_scale; };
  CHECK(std::abs(scale(",c2p=false,p2c=false") - 0.125) <= 1e-16);
  CHECK(std::abs(scale(",p2c=false") - 0.08838834764831843) <= 1e-16);
  CHECK(std::abs(scale("") - 0.07216878364870323) <= 1e-16);
  const model::Encoding e = scheme("deberta:buckets=256")->lower(0);
  const auto& r = std::get<model::RelativeVectors>(e.terms.at(0));
  CHECK(r.at_query->rows->count() == 512);
  CHECK((r.at_query->index(600, 0) == 511 && r.at_query->index(0, 600) == 1));
  const model::Encoding hf = scheme("deberta:buckets=256,beyond=hf")->lower(0);
  CHECK(std::get<model::RelativeVectors>(hf.terms.at(0)).at_query->index(0, 600) == 0);
  CHECK(test::refusal("deberta:buckets=256,max-distance=129") == "deberta: max-distance = 129: must be > buckets/2 + 1 = 129");
  CHECK(test::refusal("deberta:buckets=256,clip=512") == "deberta: clip = 512: must be buckets = 256");
  CHECK(test::refusal("deberta:table=deberta.pe.npy,clip=32") ==
        "deberta: table = deberta.pe.npy: clip is 64, but clip = 32 is given");
}

TEST_CASE("deberta: projections of its own replace the content's") {
  const auto c = test::scheme_case("deberta");
  const std::vector<std::vector<double>> identity{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  test::MemoryLoader loader;
  loader.add("table", c["inputs"]["k_r"]);
  loader.add("wkr", identity);
  const model::Encoding e = scheme("deberta:heads=1,table=table,wkr=wkr,p2c=false", 8, loader)->lower(0);
  const model::Content x = test::content(test::matrix(c["inputs"]["q_c"]), test::matrix(c["inputs"]["k_c"]));
  // Two terms instead of three: the same products under another scale.
  check_same(model::terms(e, 0, x).cp / std::sqrt(12.0), test::matrix(c["expect"]["c2p"]), 1e-12);
}
