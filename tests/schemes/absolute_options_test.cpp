// Options of sinusoidal, tupe, cape and learnable-fourier; complex-order and floater.
#include "support/scheme_variants.hpp"

using namespace posenc;
using test::check_same;
using test::scheme;
using test::tolerance;

namespace {

model::Matrix rows_at(const model::Encoding& e, const std::vector<model::Pos>& positions) {
  model::Matrix out(static_cast<model::Index>(positions.size()), e.width);
  for (std::size_t i = 0; i < positions.size(); ++i) out.row(static_cast<model::Index>(i)) = test::table(e, positions[i], 1);
  return out;
}

}  // namespace

TEST_CASE("sinusoidal: learned frequencies from a file, in both layouts") {
  const auto c = test::scheme_variant("sinusoidal_given");
  const auto loader = test::inputs(c, {"frequencies"});
  const auto positions = c["inputs"]["positions"].get<std::vector<model::Pos>>();
  const model::Encoding e = scheme("sinusoidal:frequencies=frequencies", 8, loader)->lower(0);
  CHECK(e.width == 6);
  check_same(rows_at(e, positions), test::matrix(c["expect"]["interleaved"]), 1e-15);
  check_same(rows_at(scheme("sinusoidal:frequencies=frequencies,layout=concat", 8, loader)->lower(0), positions),
             test::matrix(c["expect"]["concat"]), 1e-15);
  CHECK(std::get<model::AbsoluteTable>(e.terms.at(0)).rows->spectrum()->size() == 3);
  CHECK(test::refusal("sinusoidal:frequencies=frequencies,dim=8", loader) ==
        "sinusoidal: frequencies = frequencies: dim is 6, but dim = 8 is given");
}

TEST_CASE("sinusoidal: the padding's row is zero, position 0 has the next one") {
  const model::Encoding e = scheme("sinusoidal:dim=8,padding-index=1,layout=concat,exponent=t2t")->lower(0);
  const model::Encoding plain = scheme("sinusoidal:dim=8,layout=concat,exponent=t2t")->lower(0);
  CHECK(test::table(e, 0, 5) == test::table(plain, 2, 5));
  const auto& t = std::get<model::AbsoluteTable>(e.terms.at(0));
  model::Matrix first(3, 8);
  t.rows->block(0, first);
  CHECK(first.row(1).isZero(0));
  CHECK(first.row(0) == test::table(plain, 0, 1));
  CHECK(test::refusal("sinusoidal:padding-index=1,start-index=1") ==
        "sinusoidal: start-index = 1: must be padding-index + 1 beside it");
}

TEST_CASE("tupe: the paper's free parameters of the class token, no layer norm, no extra row") {
  const auto c = test::scheme_variant("tupe_paper");
  auto loader = test::inputs(c, {"table", "theta1", "theta2", "rel"});
  loader.add("q.weight.npy", c["inputs"]["uq"]), loader.add("q.bias.npy", c["inputs"]["bq"]);
  loader.add("k.weight.npy", c["inputs"]["uk"]), loader.add("k.bias.npy", c["inputs"]["bk"]);
  const std::string paper =
      "tupe:table=table,uq=q,uk=k,heads=2,class-token=true,reset=paper,layer-norm=false,theta1=theta1,theta2=theta2";
  const model::Matrix nothing = model::Matrix::Zero(4, 2);
  for (std::size_t h = 0; h < 2; ++h) {
    const auto head = static_cast<model::Index>(h);
    const auto logits = [&](const std::string& rest) {
      return model::logits(scheme(paper + rest, 8, loader)->lower(0), head, test::content(nothing, nothing));
    };
    check_same(logits(",relative=false"), test::matrix(c["expect"]["a"][h]), tolerance);
    check_same(logits(",bias=rel"), test::matrix(c["expect"]["r"][h]), tolerance);
  }
  CHECK(scheme(paper + ",relative=false", 8, loader)->train_length() == 4);
  CHECK(test::refusal("tupe:theta1=0.5") == "tupe: theta1 = 0.5: needs class-token=true,reset=paper");
  CHECK(test::refusal("tupe:layer-norm=false,norm=tupe.pln") == "tupe: norm = tupe.pln: needs layer-norm=true");
  const model::Encoding two = scheme("tupe:dim=8,heads=2,class-token=true,reset=paper,theta1=2,theta2=3")->lower(0);
  const model::Matrix four = model::Matrix::Zero(4, 4);
  const model::Matrix reset = model::logits(two, 0, test::content(four, four));
  CHECK((reset.row(0).array() - 2).abs().maxCoeff() <= 1e-15);
  CHECK((reset.col(0).tail(3).array() - 3).abs().maxCoeff() <= 1e-15);
  // A drawn theta is one number for the whole row.
  const model::Encoding drawn = scheme("tupe:class-token=true,reset=paper,dim=8,heads=2")->lower(0);
  const model::Matrix zero = model::Matrix::Zero(5, 4);
  const model::Matrix s = model::logits(drawn, 1, test::content(zero, zero));
  CHECK((s.row(0).array() == s(0, 0)).all());
  CHECK(s(0, 0) != s(1, 0));
}

TEST_CASE("cape: the port's layout and mean, positions of a step, and its wider shifts") {
  const auto c = test::scheme_variant("cape_port");
  const auto loader = test::inputs(c, {"local"});
  const std::string port = "cape:variant=port,dim=4,step=0.5,global-shift=1.5,global-scale=1.02,local-shifts=local";
  check_same(test::table(scheme(port, 3, loader)->lower(0), 0, 3), test::matrix(c["expect"]["train"]), 1e-14);
  check_same(test::table(scheme(port, 3, loader)->lower(3), 0, 3), test::matrix(c["expect"]["use"]), 1e-15);
  double largest = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto s = scheme("cape:variant=port,max-global=10", 16, test::NpyLoader(), seed);
    Fields f = s->fields();
    largest = std::max(largest, std::abs(std::stod(text(*find(f, "global-shift")))));
  }
  // 50 draws from +-10 all stay within +-5 with probability 2^-50.
  CHECK((largest > 5 && largest <= 10));
}

TEST_CASE("learnable-fourier: groups of coordinates share the weights") {
  const auto c = test::scheme_variant("learnable_fourier_groups");
  const auto loader = test::inputs(c, {"x", "W", "W1", "b1", "W2", "b2"});
  const auto s = scheme("learnable-fourier:groups=2,coordinates=x,w=W,w1=W1,b1=b1,w2=W2,b2=b2", 3, loader);
  check_same(test::table(s->lower(0), 0, 3), test::matrix(c["expect"]["pe"]), tolerance);
  CHECK(scheme("learnable-fourier:groups=2,coordinates=x,dim=10", 3, loader)->lower(0).width == 10);
  CHECK(test::refusal("learnable-fourier:groups=3,coordinates=x", loader) ==
        "learnable-fourier: groups = 3: must divide the columns of coordinates");
  CHECK(test::refusal("learnable-fourier:groups=2") == "learnable-fourier: groups = 2: must divide the columns of coordinates");
}

TEST_CASE("complex-order: one word's vectors, of the code and of the paper") {
  const auto c = test::scheme_variant("complex_order");
  const auto loader = test::inputs(c, {"amplitudes", "frequencies", "phases"});
  const std::string files = "complex-order:amplitudes=amplitudes,frequencies=frequencies,word=1";
  check_same(test::table(scheme(files, 4, loader)->lower(0), 0, 4), test::matrix(c["expect"]["code"]), 2e-15);
  const model::Encoding paper = scheme(files + ",form=paper,phases=phases", 4, loader)->lower(0);
  check_same(test::table(paper, 0, 4), test::matrix(c["expect"]["paper"]), 2e-15);
  // The word's embedding is the table: content adds nothing.
  const model::Content x{model::Matrix::Ones(4, 6), model::Matrix::Identity(6, 6), model::Matrix::Identity(6, 6)};
  const model::Terms t = model::terms(paper, 0, x);
  CHECK((t.cc.isZero(0) && t.cp.isZero(0) && t.pc.isZero(0)));
  const model::Matrix p = test::matrix(c["expect"]["paper"]);
  check_same(t.pp, p * p.transpose(), 1e-14);
  CHECK(test::refusal(files + ",phases=phases", loader) == "complex-order: phases = phases: needs form=paper");
  CHECK(test::refusal("complex-order:words=4,word=4") == "complex-order: word = 4: must be below words = 4");
}

TEST_CASE("floater: both methods against the matrix exponential where h is linear") {
  const auto c = test::scheme_variant("floater");
  const auto loader = test::inputs(c, {"w1", "b1", "w2", "b2", "start"});
  const std::string files = "floater:w1=w1,b1=b1,w2=w2,b2=b2,p0=start,dt=0.25";
  const model::Matrix exact = test::matrix(c["expect"]["rows"]);
  // The tolerance of one step, grown by at most e^(K t) with K t < 2 over some 16 steps.
  check_same(test::table(scheme(files + ",method=dopri5,tolerance=1e-12", 9, loader)->lower(0), 0, 9), exact, 1e-10);
  const auto error = [&](const char* steps) {
    const model::Matrix ours = test::table(scheme(files + ",steps=" + steps, 9, loader)->lower(0), 0, 9);
    return (ours - exact).cwiseAbs().maxCoeff();
  };
  const double coarse = error("5"), fine = error("10");
  CHECK(coarse < 1e-9);
  // Order four: half the step, a sixteenth of the error, to within the next order.
  CHECK(std::abs(coarse / fine - 16) < 2);
}

TEST_CASE("floater: rows do not depend on who asks first, kinks included, and end where the sequence does") {
  const auto s = scheme("floater:dim=16,dt=0.5", 64);
  const model::Matrix late = test::table(s->lower(128), 100, 3), all = test::table(s->lower(128), 0, 128);
  CHECK(late == all.middleRows(100, 3));
  const auto again = scheme("floater:dim=16,dt=0.5", 64);
  CHECK(test::table(again->lower(0), 0, 64) == all.topRows(64));
  CHECK(std::get<model::AbsoluteTable>(s->lower(0).terms.at(0)).rows->count() == 64);
  // Steps so fine that the kinks cost less than 1e-6, against steps controlled to 1e-11.
  const auto rows = [](const char* how) {
    return test::table(scheme(std::string("floater:dim=16,dt=0.5,") + how, 8)->lower(0), 0, 8);
  };
  check_same(rows("steps=400"), rows("method=dopri5,tolerance=1e-11"), 1e-6);
  try {
    scheme("floater")->lower(1 << 21);
    FAIL("accepted");
  } catch (const UsageError& e) {
    CHECK(std::string(e.what()) == "floater: length = 2097152: must be <= 1048576: all rows are kept");
  }
}
