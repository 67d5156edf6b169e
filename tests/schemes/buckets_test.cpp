#include "schemes/buckets.hpp"

#include "support/scheme_cases.hpp"

using namespace posenc;
using schemes::LogBuckets;
using schemes::T5Buckets;

namespace {

using Buckets = std::vector<model::Pos>;

Buckets of(const T5Buckets& b, const std::vector<model::Pos>& key_minus_query) {
  const auto bucket = b.function();
  Buckets out;
  for (const model::Pos r : key_minus_query) out.push_back(bucket(10000, 10000 + r));
  return out;
}
Buckets starts(const T5Buckets& b, model::Pos length) {
  const auto bucket = b.function();
  Buckets out;
  for (model::Pos s = 0; s < length; ++s)
    if (s == 0 || bucket(s, 0) != bucket(s - 1, 0)) out.push_back(s);
  return out;
}

}  // namespace

TEST_CASE("T5 buckets of every distance, causal and bidirectional") {
  const auto c = test::scheme_case("t5_bucket")["expect"];
  const auto causal = T5Buckets{}.function(), both = T5Buckets{32, 128, true}.function();
  for (std::size_t s = 0; s < 200; ++s) CHECK(causal(static_cast<model::Pos>(s), 0) == c["causal"][s].get<model::Pos>());
  for (std::size_t i = 0; i < 399; ++i)
    CHECK(both(static_cast<model::Pos>(i), 199) == c["bidirectional_s_from_minus199"][i].get<model::Pos>());
  CHECK(starts({}, 200) == c["causal_starts"].get<Buckets>());
  CHECK(starts({32, 128, true}, 200) == c["one_side_starts"].get<Buckets>());
  CHECK(starts({64, 256, false}, 300) == test::scheme_case("t5_bucket", 1)["expect"]["starts"].get<Buckets>());
}

TEST_CASE(
    "T5 buckets of chosen pairs: powers of two are exact, far keys share the last, later keys the first or the upper half") {
  CHECK(of({32, 128, true}, {0, -1, 1, -7, -8, 8, -16, 16, -32, -64, -127, -128, 128, 1000}) ==
        Buckets{0, 1, 17, 7, 8, 24, 10, 26, 12, 14, 15, 15, 31, 31});
  CHECK(of({}, {1, 0, -1, -15, -16, -17, -18, -19, -20, -31, -32, -64, -100, -112, -113, -127, -128, -1000, -4096}) ==
        Buckets{0, 0, 1, 15, 16, 16, 16, 17, 17, 21, 21, 26, 30, 30, 31, 31, 31, 31, 31});
  CHECK((T5Buckets{32, 128, true}.function()(3, 5) == 18 && T5Buckets{32, 128, true}.function()(5, 3) == 2));
}

TEST_CASE("starts are the smallest integers of their class, by exact comparison") {
  // Class 16 + k begins at the smallest s with (s/16)^16 >= (M/16)^k; M = 16^5 makes every fourth start a power of two exactly.
  const auto at = starts({32, 1048576, false}, 1048577);
  REQUIRE(at.size() == 32);
  CHECK((at[16] == 16 && at[20] == 256 && at[24] == 4096 && at[28] == 65536));
}

TEST_CASE("degenerate bucket settings are refused") {
  CHECK(test::refusal("t5:max-distance=16") == "t5: max-distance = 16: must exceed the number of exact buckets, 16");
  CHECK(test::refusal("t5:buckets=3,bidirectional=true") == "t5: buckets = 3: must be even: half a side");
  CHECK(test::refusal("t5:buckets=2,bidirectional=true") == "t5: buckets = 2: must be >= 4");
  CHECK(test::refusal("t5:table=t5.rab.npy,heads=8") == "t5: table = t5.rab.npy: heads is 4, but heads = 8 is given");
}

TEST_CASE("T5's logits: no division by sqrt(d), unless asked for") {
  const auto c = test::scheme_case("t5");
  test::MemoryLoader loader;
  loader.add("table", c["inputs"]["table"]);
  const model::Encoding e = test::scheme("t5:dim=4,bidirectional=true,table=table", 8, loader)->lower(0);
  for (std::size_t h = 0; h < 2; ++h) {
    const model::Content x = test::content(test::of_head(c["inputs"]["q"], h), test::of_head(c["inputs"]["k"], h));
    test::check_same(model::logits(e, static_cast<model::Index>(h), x), test::matrix(c["expect"]["logits"][h]), 1e-12);
  }
  CHECK(test::scheme("t5:dim=64,scaled=true")->lower(0).logit_scale == 0.125);
  const auto& b = std::get<model::Bias>(e.terms.at(0));
  CHECK((b.buckets == 32 && b.by_lag && b.free));
  CHECK(test::scheme("t5:table=t5.rab.npy")->lower(0).heads == 4);
}

TEST_CASE("DeBERTa's logarithmic buckets, clamped and not") {
  const auto c = test::scheme_case("deberta_log_bucket");
  const LogBuckets repo(256, 512, true), hf(256, 512, false);
  for (std::size_t i = 0; i < c["inputs"]["r"].size(); ++i) {
    const model::Pos r = c["inputs"]["r"][i];
    INFO("r = " << r);
    CHECK(repo.of(r) == c["expect"]["repo"][i].get<model::Pos>());
    CHECK(std::clamp<model::Pos>(repo.of(r) + 256, 0, 511) == c["expect"]["c2p_index_repo"][i].get<model::Pos>());
    CHECK(std::clamp<model::Pos>(hf.of(r) + 256, 0, 511) == c["expect"]["c2p_index_hf"][i].get<model::Pos>());
  }
  // sign(r) (mid + ceil(ln(|r|/mid)/ln((max-1)/mid) (mid-1))), which is far from an integer at these distances.
  for (const model::Pos r : {200, 300, 400, 500})
    CHECK(repo.of(-r) == -128 - static_cast<model::Pos>(std::ceil(127 * std::log(r / 128.0) / std::log(511.0 / 128))));
}
