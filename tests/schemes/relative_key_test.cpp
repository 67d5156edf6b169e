// relative-key and music-transformer.
#include "support/scheme_cases.hpp"

using namespace posenc;
using test::check_same;
using test::scheme;

TEST_CASE("relative-key: logits with and without the key's term") {
  const auto c = test::scheme_case("shaw_hf_relative_key");
  test::MemoryLoader loader;
  loader.add("table", c["inputs"]["E"]);
  const model::Content x = test::content(test::matrix(c["inputs"]["q"]), test::matrix(c["inputs"]["k"]));
  const auto one = scheme("relative-key:table=table", 4096, loader),
             both = scheme("relative-key:table=table,with-query=true", 4096, loader);
  CHECK(one->train_length() == 5);
  check_same(model::logits(one->lower(0), 0, x), test::matrix(c["expect"]["relative_key"]), 1e-12);
  check_same(model::logits(both->lower(0), 0, x), test::matrix(c["expect"]["relative_key_query"]), 1e-12);
  CHECK(test::refusal("relative-key:table=learned.wpe.npy") ==
        "relative-key: table = learned.wpe.npy: 64 rows must be odd, 2 original - 1");
  const model::Encoding drawn = scheme("relative-key", 100)->lower(0);
  CHECK(std::get<model::RelativeVectors>(drawn.terms.at(0)).at_query->rows->count() == 199);
}

TEST_CASE("music-transformer: one vector a distance and head, none beyond") {
  const nlohmann::json table = {{{1, 2}, {3, 4}, {5, 6}},
                                {{-1, 0}, {0, -1}, {2, 2}}};  // [head][row][channel], row 2 is distance 0
  test::MemoryLoader loader;
  loader.add("table", table);
  const model::Encoding e = scheme("music-transformer:table=table", 8, loader)->lower(0);
  CHECK((e.heads == 2 && e.head_dim == 2 && e.causal));
  const model::Matrix q = model::Matrix::Ones(5, 2), k = model::Matrix::Zero(5, 2);
  for (model::Index h = 0; h < 2; ++h) {
    const model::Matrix s = model::terms(e, h, test::content(q, k)).sum();
    for (model::Index m = 0; m < 5; ++m)
      for (model::Index n = 0; n <= m; ++n) {
        const auto lag = static_cast<std::size_t>(m - n);
        const double expected = lag < 3 ? table[static_cast<std::size_t>(h)][2 - lag][0].get<double>() +
                                              table[static_cast<std::size_t>(h)][2 - lag][1].get<double>()
                                        : 0;
        CHECK(s(m, n) == expected);
      }
  }
  CHECK(std::get<model::RelativeVectors>(scheme("music-transformer:shared=true,heads=4")->lower(0).terms.at(0)).shared);
  CHECK(test::refusal("music-transformer:table=learned.wpe.npy") ==
        "music-transformer: table = learned.wpe.npy: shape [64, 32] must be [heads, K, dim]");
}
