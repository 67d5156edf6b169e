#include "model/views/traits.hpp"
#include "support/cases.hpp"

namespace posenc::test {
namespace {

using model::Pos;

// ------------------------------------------------------------------------------------------------------------------- T5

std::string t5(Case& c) { return "t5:buckets=" + c.text("num_buckets") + ",max-distance=" + c.text("max_distance"); }
std::string with_sides(Case& c) { return t5(c) + ",bidirectional=" + c.text("bidirectional"); }

/// Buckets of key - query.
std::vector<double> buckets(const std::string& encoding, const std::vector<Pos>& relative) {
  const model::Encoding e = scheme(encoding)->lower(0);
  constexpr Pos query = 1 << 20;
  std::vector<double> out;
  for (const Pos r : relative) out.push_back(static_cast<double>(model::form<model::Bias>(e)->bucket(query, query + r)));
  return out;
}
std::vector<double> buckets_of_case(Case& c, const std::string& encoding) {
  return buckets(encoding, c.in("rel").get<std::vector<Pos>>());
}

const CaseChecks t5_checks{
    {"t5-01", [](Case& c) { c.equals("value", buckets_of_case(c, with_sides(c))); }},
    {"t5-02", [](Case& c) { c.equals("value", buckets_of_case(c, with_sides(c))); }},
    {"t5-03",
     [](Case& c) {
       const auto ours = buckets(t5(c), {c.in("rel").get<Pos>()});
       c.equals("value", ours);
       c.differs("without_minimum", ours);
     }},
    {"t5-04",
     [](Case& c) {
       c.equals("value", buckets_of_case(c, with_sides(c)));
       c.equals("float32_naive", buckets_of_case(c, with_sides(c)));
     }},
    {"t5-06",
     [](Case& c) {
       const Pos query = c.in("query"), key = c.in("key");
       const std::string encoding = "t5:bidirectional=" + c.text("bidirectional");
       c.equals("value_key_minus_query", buckets(encoding, {key - query}));
       c.equals("value_query_minus_key", buckets(encoding, {query - key}));
     }},
    {"t5-07",
     [](Case& c) {
       c.prose({"error"});
       CHECK(names_all(refusal(with_sides(c)),
                       {"t5: max-distance = " + c.text("max_distance") + ": ",
                        "must exceed the number of exact buckets, " + number_text(c.in("num_buckets").get<double>() / 2)}));
     }},
    {"t5-08",
     [](Case& c) {
       c.prose({"note"});
       const auto ours = buckets_of_case(c, with_sides(c));
       c.equals("value", ours);
       const auto by_lag = run("encodings", with_sides(c), {{"length", "4097"}}).data("bucket");
       const auto first = std::find(by_lag.begin(), by_lag.end(), ours.at(0)) - by_lag.begin();
       c.equals("first_distance_of_last_bucket", static_cast<double>(first));
       CHECK(std::all_of(by_lag.begin() + first, by_lag.end(), [&](double b) { return b == ours.at(0); }));
     }},
};

// ---------------------------------------------------------------------------------------------------------------- ALiBi

/// Slopes by head, as the array `bias` shows them at distance 1.
std::vector<double> slopes(const std::string& heads) {
  const auto sink = run("encodings", "alibi:heads=" + heads, {{"length", "2"}});
  std::vector<double> out;
  for (const double h : sink.data("head")) out.push_back(-sink.at("bias", {{"head", h}, {"lag", 1}}));
  return out;
}
/// The head of alibi:heads=8 that has this slope.
model::Index head_of_slope(double slope) {
  const auto all = slopes("8");
  const auto at = std::find(all.begin(), all.end(), slope);
  REQUIRE(at != all.end());
  return at - all.begin();
}
double bias_of_case(Case& c, const std::string& fields) {
  const model::Encoding e = scheme("alibi:heads=8" + fields)->lower(0);
  return model::form<model::Bias>(e)->value(head_of_slope(c.in("slope")), c.in("query"), c.in("key"));
}

const CaseChecks alibi_checks{
    {"ali-01",
     [](Case& c) {
       c.equals("value", slopes(c.text("heads")));
       c.differs("wrong_first", slopes(c.text("heads")).at(0));
     }},
    {"ali-02",
     [](Case& c) {
       c.equals("value", slopes(c.text("heads")));
       c.differs("naive_geometric", slopes(c.text("heads")));
     }},
    {"ali-03",
     [](Case& c) {
       REQUIRE(c.in("heads") == 40);  // 32 of the power below, the first extra one behind
       c.equals("extra_first", slopes("40").at(32));
       c.differs("naive_first", slopes("40").at(0));
       c.differs("naive_first", slopes("40").at(32));
     }},
    {"ali-04",
     [](Case& c) {
       c.prose({"rule"});
       const auto next = slopes("8");  // of the next power of two: every second from the second on, then the others
       std::vector<double> strided;
       for (const std::size_t first : {std::size_t{1}, std::size_t{0}})
         for (std::size_t i = first; i < next.size(); i += 2) strided.push_back(next[i]);
       strided.resize(c.in("heads").get<std::size_t>());
       c.equals("same_as", strided);
       c.equals("value", slopes(c.text("heads")));
     }},
    {"ali-05",
     [](Case& c) {
       c.equals("value", bias_of_case(c, ""));
       c.differs("wrong", bias_of_case(c, ""));
     }},
    {"ali-07",
     [](Case& c) {
       // Biases by key grow by one slope when all positions move by one. dim = 64: the scale 1/8 rounds nothing.
       const model::Index head = head_of_slope(c.in("slope"));
       const model::Encoding e = scheme("alibi:heads=8,dim=64,form=key")->lower(0);
       const model::Matrix zero = model::Matrix::Zero(16, 64);
       const model::Content x = content(zero, zero);
       const model::Matrix first = model::logits(e, head, x), moved = model::logits(e, head, x, c.in("shift_positions"));
       CHECK(moved(15, 3) - first(15, 3) == c.in("slope").get<double>() * c.in("shift_positions").get<double>());
       const model::Matrix change = model::attention(e, head, x) - model::attention(e, head, x, c.in("shift_positions"));
       c.equals("max_probability_change", change.cwiseAbs().maxCoeff());
     }},
    {"ali-08",
     [](Case& c) {
       c.equals("symmetric", bias_of_case(c, ",sides=symmetric"));
       c.equals("causal_formula", bias_of_case(c, ""));
       const Pos query = c.in("query"), key = c.in("key");
       CHECK_FALSE(model::sees(scheme("alibi")->lower(0), query, key));
       CHECK(model::sees(scheme("alibi:sides=symmetric")->lower(0), query, key));
     }},
};

}  // namespace
}  // namespace posenc::test
