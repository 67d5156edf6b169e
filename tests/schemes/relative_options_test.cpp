// Options of shaw, transformer-xl, deberta and t5's contextual form.
#include "support/scheme_variants.hpp"

#include <set>

using namespace posenc;
using test::check_same;
using test::scheme;
using test::tolerance;

namespace {

model::Matrix query_rows(const model::Encoding& e, model::Index count) {
  const auto& r = std::get<model::RelativeVectors>(e.terms.at(0));
  model::Matrix out(count, r.at_query->rows->channels());
  r.at_query->rows->block(0, out);
  return out;
}

}  // namespace

TEST_CASE("shaw: sinusoids in place of learned vectors") {
  const auto c = test::scheme_variant("shaw_sinusoid");
  const auto loader = test::inputs(c, {"frequencies"});
  const std::string two = "shaw:dim=4,clip=2,vectors=sinusoid";
  check_same(query_rows(scheme(two + ",frequencies=frequencies", 8, loader)->lower(0), 5), test::matrix(c["expect"]["given"]),
             1e-15);
  const model::Encoding e = scheme(two + ",base=100")->lower(0);
  check_same(query_rows(e, 5), test::matrix(c["expect"]["base"]), 1e-15);
  CHECK(std::get<model::RelativeVectors>(e.terms.at(0)).value != nullptr);
  CHECK(test::refusal("shaw:vectors=sinusoid,dim=7") == "shaw: dim = 7: must be even with vectors=sinusoid");
  CHECK(test::refusal("shaw:vectors=sinusoid,clip=8,dim=8,table=shaw.rk.npy") ==
        "shaw: table = shaw.rk.npy: needs vectors=learned");
  CHECK(test::refusal("shaw:frequencies=frequencies", loader) == "shaw: frequencies = frequencies: needs vectors=sinusoid");
}

TEST_CASE("shaw: distances of the last two of five tokens, and how many there are") {
  const model::Encoding e = scheme("shaw:clip=16")->lower(0);
  const auto& side = *std::get<model::RelativeVectors>(e.terms.at(0)).at_query;
  const model::Pos expected[2][5] = {{-3, -2, -1, 0, 1}, {-4, -3, -2, -1, 0}};
  for (model::Pos m = 3; m < 5; ++m)
    for (model::Pos n = 0; n < 5; ++n) CHECK(side.index(m, n) - 16 == expected[m - 3][n]);
  std::set<model::Pos> rows;
  for (model::Pos m = 0; m < 4; ++m)
    for (model::Pos n = 0; n < 4; ++n) rows.insert(side.index(m, n));
  CHECK(rows.size() == 7);
}

TEST_CASE("shaw: drawn vectors are uniform of deviation 1/sqrt(2K + 1)") {
  const model::Matrix a = query_rows(scheme("shaw:dim=512,clip=50")->lower(0), 101);
  const double spread = 1 / std::sqrt(101.0);
  CHECK(a.cwiseAbs().maxCoeff() <= std::sqrt(3.0) * spread);
  // 51712 draws of a uniform law: the deviation is known to sqrt(1/5)/sqrt(n) = 0.2 %; four of it.
  CHECK(std::abs(std::sqrt(a.array().square().mean()) / spread - 1) <= 0.008);
}

TEST_CASE("transformer-xl: keys after the query meet R at negative distances, clamped on both sides") {
  const auto c = test::scheme_variant("transformer_xl_bidirectional");
  const auto loader = test::inputs(c, {"u", "v", "wkr"});
  const model::Content x = test::content(test::matrix(c["inputs"]["q"]), test::matrix(c["inputs"]["k"]));
  const model::Encoding e = scheme("transformer-xl:causal=false,u=u,v=v,wkr=wkr", 8, loader)->lower(0);
  CHECK(!e.causal);
  check_same(model::logits(e, 0, x), test::matrix(c["expect"]["free"]), tolerance);
  check_same(model::logits(scheme("transformer-xl:causal=false,clamp-len=2,u=u,v=v,wkr=wkr", 8, loader)->lower(0), 0, x),
             test::matrix(c["expect"]["clamped"]), tolerance);
}

TEST_CASE("transformer-xl: the shift of the code keeps the entries of keys not after the query") {
  // Dai 2019 App. B on a 3 x 3 matrix: pad a zero column left, read as 4 x 3, drop the first row. Column c held distance 2 - c.
  const int before[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, after[3][3] = {{3, 0, 4}, {5, 6, 0}, {7, 8, 9}};
  const model::Encoding e = scheme("transformer-xl")->lower(0);
  const auto& side = *std::get<model::RelativeVectors>(e.terms.at(0)).at_query;
  for (model::Pos m = 0; m < 3; ++m)
    for (model::Pos n = 0; n <= m; ++n) CHECK(before[m][2 - side.index(m, n)] == after[m][n]);
}

TEST_CASE("deberta: projections of its own with an offset, and the term of two positions") {
  const auto c = test::scheme_variant("deberta_own");
  const auto loader = test::inputs(c, {"table", "wkr", "wqr", "bqr"});
  const std::string own = "deberta:heads=2,table=table,wkr=wkr,wqr=wqr,bqr=bqr,original=4,p2p=";
  for (const std::string p2p : {"none", "code", "scaled"}) {
    INFO(p2p);
    const model::Encoding e = scheme(own + p2p, 4, loader)->lower(0);
    for (std::size_t h = 0; h < 2; ++h) {
      const model::Content x = test::content(test::of_head(c["inputs"]["q"], h), test::of_head(c["inputs"]["k"], h));
      check_same(model::logits(e, static_cast<model::Index>(h), x), test::matrix(c["expect"][p2p][h]), tolerance);
    }
  }
  CHECK(test::refusal("deberta:p2p=code") == "deberta: p2p = code: needs projections=own, or wkr and wqr");
  CHECK(test::refusal("deberta:p2p=code,projections=own") ==
        "deberta: p2p = code: needs clip (or buckets) >= the length in use, 8192");
  const auto side = [](const std::string& options) {
    return *std::get<model::RelativeVectors>(scheme("deberta" + options)->lower(0).terms.at(0)).at_query;
  };
  CHECK(side("").through == model::RelativeVectors::Through::content);
  CHECK(side(":projections=own").through == model::RelativeVectors::Through::given);
}

TEST_CASE("deberta: a layer norm of the table without files") {
  const model::Encoding e = scheme("deberta:layer-norm=true,buckets=256")->lower(0);
  const model::Matrix p = query_rows(e, 16);
  for (model::Index i = 0; i < 16; ++i) {
    CHECK(std::abs(p.row(i).mean()) <= 1e-14);
    // Variance v/(v + 1e-5) of rows drawn with v near 4e-4.
    CHECK((p.row(i).array().square().mean() < 1 && p.row(i).array().square().mean() > 0.95));
  }
}

TEST_CASE("t5: the query meets a vector a bucket and head") {
  const auto c = test::scheme_variant("t5_contextual");
  const auto loader = test::inputs(c, {"vectors"});
  const model::Encoding e =
      scheme("t5:form=contextual,dim=2,heads=2,buckets=8,max-distance=16,vectors=vectors", 8, loader)->lower(0);
  for (std::size_t h = 0; h < 2; ++h) {
    const model::Content x = test::content(test::of_head(c["inputs"]["q"], h), test::of_head(c["inputs"]["k"], h));
    check_same(model::logits(e, static_cast<model::Index>(h), x), test::matrix(c["expect"]["logits"][h]), tolerance,
               test::Part::lower);
  }
  CHECK(test::refusal("t5:form=contextual,scaled=true") == "t5: scaled = true: must be false with form=contextual");
  CHECK(test::refusal("t5:vectors=t5.rab.npy") == "t5: vectors = t5.rab.npy: needs form=contextual");
}
