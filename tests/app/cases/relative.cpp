#include "model/views/traits.hpp"
#include "schemes/buckets.hpp"
#include "support/cases.hpp"

namespace posenc::test {
namespace {

using model::Index;
using model::Pos;

const model::RelativeVectors& vectors(const model::Encoding& e) { return *model::form<model::RelativeVectors>(e); }

/// Number of different rows that `length` queries and keys read.
std::size_t distinct_rows(const model::Encoding& e, Pos length) {
  std::set<Pos> rows;
  for (Pos m = 0; m < length; ++m)
    for (Pos n = 0; n < length; ++n) rows.insert(vectors(e).at_query->index(m, n));
  return rows.size();
}

/// Row s is the unit vector of channel s, zero where there is no such channel.
struct UnitRows : model::Rows {
  explicit UnitRows(Index size) : size_(size) {}
  Index channels() const override { return size_; }
  void block(Pos first, Eigen::Ref<model::Matrix> out) const override {
    out.setZero();
    for (Index i = 0; i < out.rows(); ++i)
      if (first + i >= 0 && first + i < size_) out(i, first + i) = 1;
  }
  Index size_;
};

const CaseChecks checks{
    {"shaw-01",
     [](Case& c) {
       const model::Encoding e = scheme("shaw:clip=" + c.text("clip_k"))->lower(0);
       c.equals("rows", static_cast<double>(*vectors(e).at_query->rows->count()));
       c.equals("index", static_cast<double>(vectors(e).at_query->index(c.in("query"), c.in("key"))));
     }},
    {"shaw-02",
     [](Case& c) {
       const Pos length = c.in("length");
       const auto ours = static_cast<double>(distinct_rows(scheme("shaw:clip=64")->lower(0), length));
       c.equals("value", ours);
       for (const auto& wrong : c.expect("wrong")) CHECK(ours != wrong.get<double>());
     }},
    {"shaw-03",
     [](Case& c) {
       const Pos queries = c.in("q_len"), keys = c.in("k_len"), clip = c.in("clip_k");
       const model::Encoding e = scheme("shaw:clip=" + c.text("clip_k"))->lower(0);
       for (Pos i = 0; i < queries; ++i)
         for (Pos n = 0; n < keys; ++n)
           CHECK(vectors(e).at_query->index(keys - queries + i, n) - clip ==
                 c.expect("value")[static_cast<std::size_t>(i)][static_cast<std::size_t>(n)].get<Pos>());
     }},
    {"txl-01",
     [](Case& c) {
       c.prose({"valid"});
       // Score of query m and distance s is the matrix's [m][size - 1 - s]: queries of these channels, unit vectors as distances.
       const model::Matrix given = matrix(c.in("matrix")), shifted = matrix(c.expect("value"));
       const Index size = given.rows();
       model::Encoding e = scheme("transformer-xl:dim=4,heads=1")->lower(0);
       auto& r = std::get<model::RelativeVectors>(e.terms.at(0));
       r.u.reset(), r.v.reset();
       r.head_dim = e.head_dim = e.width = size;
       r.at_query->rows = std::make_shared<UnitRows>(size);
       r.at_query->weights = model::Matrix::Identity(size, size);
       const model::Content x = content(given.rowwise().reverse(), model::Matrix::Zero(size, size));
       check_same(model::terms(e, 0, x).sum(), shifted, 0, Part::lower);
     }},
    {"txl-03",
     [](Case& c) {
       const Pos length = c.in("q_len");
       REQUIRE(c.in("k_len") == length);
       REQUIRE(c.in("bidirectional") == true);
       // Causal: what would stand above the diagonal is masked. Bidirectional: every pair has a distance of its own.
       const model::Encoding causal = scheme("transformer-xl")->lower(0), both = scheme("transformer-xl:causal=false")->lower(0);
       for (Pos m = 0; m < length; ++m)
         for (Pos n = m + 1; n < length; ++n) {
           CHECK_FALSE(model::sees(causal, m, n));
           CHECK(model::sees(both, m, n));
           CHECK(vectors(both).at_query->index(m, n) == m - n);
         }
       CHECK(c.expect("error").get<std::string>().find("= " + std::to_string(distinct_rows(both, length)) +
                                                       " relative positions") != std::string::npos);
     }},
    {"deb-01",
     [](Case& c) {
       const std::string encoding = "deberta:buckets=" + c.text("bucket_size") + ",max-distance=" + c.text("max_position");
       const Pos half = c.in("bucket_size"), query = 4096;
       for (const char* beyond : {"repo", "hf"}) {
         const model::Encoding e = scheme(encoding + ",beyond=" + beyond)->lower(0);
         std::vector<double> ours;
         for (const auto& rel : c.in("rel"))
           ours.push_back(static_cast<double>(vectors(e).at_query->index(query, query - rel.get<Pos>()) - half));
         c.equals("value", ours);
       }
     }},
    {"deb-03",
     [](Case& c) {
       const char* terms[] = {",c2p=false,p2c=false", ",c2p=true,p2c=false", ",c2p=true,p2c=true"};
       std::vector<double> ours;
       for (const auto& count : c.in("terms"))
         ours.push_back(scheme("deberta:dim=128,heads=2,head-dim=" + c.text("head_dim") + terms[count.get<std::size_t>()])
                            ->lower(0)
                            .logit_scale);
       c.equals("value", ours);
     }},
    {"tupe-01",
     [](Case& c) {
       const Index tokens = c.in("tokens"), width = 8;
       const model::Encoding e = scheme("tupe:dim=8,heads=1,class-token=true,reset=paper,theta1=" + c.text("theta_from_cls") +
                                        ",theta2=" + c.text("theta_to_cls"))
                                     ->lower(0);
       const model::Matrix nothing = model::Matrix::Zero(tokens, width);
       const model::Matrix ours = model::logits(e, 0, content(nothing, nothing));
       CHECK(c.expect("shape") == nlohmann::json{ours.rows(), ours.cols()});
       const auto same = [](double logit, const nlohmann::json& reference) {  // divided by the logit scale and multiplied again
         CHECK(logit == Approx(reference.get<double>()).epsilon(1e-15));
       };
       for (Index n = 0; n < tokens; ++n) same(ours(0, n), c.expect("row0")[static_cast<std::size_t>(n)]);
       for (Index m = 1; m < tokens; ++m) same(ours(m, 0), c.expect("col0_rows_1_to_3")[static_cast<std::size_t>(m - 1)]);
     }},
};

}  // namespace
}  // namespace posenc::test
