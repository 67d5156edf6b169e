#include "support/scheme_cases.hpp"

using namespace posenc;

TEST_CASE("no term: equal logits weigh the first token 1/(t+1) under the causal mask") {
  const model::Encoding e = test::scheme("nope:dim=4")->lower(0);
  CHECK(e.terms.empty());
  CHECK(e.logit_scale == 0.5);
  CHECK(e.causal);
  const model::Matrix ones = model::Matrix::Ones(5, 4);
  model::Matrix w = model::logits(e, 0, test::content(ones, ones));
  model::softmax_rows(e, 0, w);
  const auto expected = test::scheme_case("nope")["expect"]["weight"];
  for (std::size_t t = 0; t < 5; ++t) CHECK(std::abs(w(static_cast<model::Index>(t), 0) - expected[t].get<double>()) <= 1e-15);
}
