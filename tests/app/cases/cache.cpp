// Where queries and cached keys stand.
#include "cli/program.hpp"
#include "support/cases.hpp"

namespace posenc::test {
namespace {

using model::Index;
using model::Pos;

/// Score of one query and key of rope at these positions.
double score(Pos query, Pos key) {
  static const model::Encoding e = scheme("rope:dim=16")->lower(0);
  static const model::Matrix q = model::Matrix::Constant(1, 16, 1), k = model::Matrix::NullaryExpr(1, 16, [](Index, Index j) {
                                                                      return std::sqrt(static_cast<double>(j + 1));
                                                                    });
  const model::Matrix one = model::Matrix::Identity(16, 16);
  return model::terms(e, 0, model::Tokens{{query}, {key}, q, k, one, one}).sum()(0, 0);
}

/// Rad per position of the only pair at a length in use.
double theta_at(model::Scheme& s, Pos length) { return thetas(s.lower(length)).at(0); }

const CaseChecks checks{
    {"rope-16",
     [](Case& c) {
       const Pos query = c.in("true_pos"), key = c.in("key_pos"), evicted = c.in("evicted");
       // Sums of 16 products of up to 4: 1e-13.
       CHECK(std::abs(score(query, key) - score(c.expect("correct").get<Pos>(), 0)) <= 1e-13);
       CHECK(std::abs(score(query - evicted, key) - score(0, -c.expect("wrong").get<Pos>())) <= 1e-13);
       CHECK(std::abs(score(query, key) - score(query - evicted, key)) > 0.1);
     }},
    {"rope-17",
     [](Case& c) {
       // The last queries of the whole sequence against all of its keys.
       const Index queries = c.in("q_len"), keys = c.in("k_len");
       const auto positions = c.expect("value").get<std::vector<Pos>>();
       const model::Encoding e = scheme("rope:dim=8")->lower(0);
       const model::Matrix q =
           model::Matrix::NullaryExpr(keys, 8, [](Index i, Index j) { return std::cos(3.0 * static_cast<double>(i + 8 * j)); });
       const model::Matrix k =
           model::Matrix::NullaryExpr(keys, 8, [](Index i, Index j) { return std::sin(5.0 * static_cast<double>(i + 8 * j)); });
       const model::Matrix one = model::Matrix::Identity(8, 8);
       std::vector<Pos> all;
       for (Pos n = 0; n < keys; ++n) all.push_back(n);
       const model::Matrix whole = model::terms(e, 0, content(q, k)).sum();
       const model::Matrix cached = model::terms(e, 0, model::Tokens{positions, all, q.bottomRows(queries), k, one, one}).sum();
       check_same(cached, whole.bottomRows(queries), 1e-14);
     }},
    {"rope-18",
     [](Case& c) {
       const auto offsets = c.in("offsets").get<std::vector<Pos>>();
       std::vector<double> ours;
       for (std::size_t i = 0; i < offsets.size(); ++i) {
         const auto sink =
             run("encodings", "rope:dim=" + c.text("d"), {{"length", c.text("length")}, {"start", std::to_string(offsets[i])}});
         const double angle = c.expect("angles")[i];
         REQUIRE(sink.data("cos").size() == 1);
         CHECK(std::abs(sink.data("cos")[0] - std::cos(angle)) <= 1e-15);
         CHECK(std::abs(sink.data("sin")[0] - std::sin(angle)) <= 1e-15);
         ours.push_back(
             std::fmod(std::atan2(sink.data("sin")[0], sink.data("cos")[0]) + 2 * std::numbers::pi, 2 * std::numbers::pi));
       }
       c.differs("wrong", ours);
     }},
    {"lr-04",
     [](Case& c) {
       c.prose({"property"});
       REQUIRE(c.in("w") == 1.0);  // the first pair, whatever the base
       const std::string encoding =
           "longrope:original=64,dim=" + c.text("d") + ",short=" + c.text("short") + ",long=" + c.text("long");
       const auto s = scheme(encoding, 64);
       std::vector<double> ours;
       for (const auto& pair : c.in("pairs"))
         ours.push_back(pair[0].get<double>() * theta_at(*s, 65) - pair[1].get<double>() * theta_at(*s, 64));
       c.equals("angle_differences", ours);
       const auto compared = Folder().run("compare " + encoding + " " + encoding + " --length 64 --at 65 --json");
       CHECK(compared.code == 0);
       CHECK(names_all(compared.out, {"scores do not stay relative while a sequence grows"}));
     }},
};

}  // namespace
}  // namespace posenc::test
