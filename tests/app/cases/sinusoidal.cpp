#include "cli/program.hpp"
#include "model/views/lag_statistics.hpp"
#include "support/cases.hpp"

namespace posenc::test {
namespace {

/// The word of sinusoidal's field `exponent`.
std::string exponent(Case& c) {
  const std::string& words = c.in("exponent").get_ref<const std::string&>();
  if (words == "2i/d") return "paper";
  REQUIRE(words == "i/(d/2-1)");
  return "t2t";
}
std::string sinusoidal(Case& c) { return "sinusoidal:dim=" + c.text("d") + ",base=" + c.text("base"); }

/// One row as `posenc encode` writes it.
std::vector<double> row_at(const std::string& encoding, const std::string& position) {
  return run("encodings", encoding, {{"length", "1"}, {"start", position}}).data("table");
}
std::vector<double> spectrum(const std::string& encoding) {
  const model::Encoding e = scheme(encoding)->lower(0);
  std::vector<double> out;
  for (const model::Frequency& f : *std::get<model::AbsoluteTable>(e.terms.at(0)).rows->spectrum()) out.push_back(f.theta);
  return out;
}
double product(const model::Encoding& e, model::Pos p, model::Pos q) { return table(e, p, 1).row(0).dot(table(e, q, 1).row(0)); }

const CaseChecks checks{
    {"sin-01",
     [](Case& c) {
       const std::string encoding = sinusoidal(c) + ",layout=" + c.in("layout").get<std::string>() + ",exponent=" + exponent(c);
       c.equals("value", row_at(encoding, c.text("pos")));
     }},
    {"sin-02",
     [](Case& c) {
       const std::string concat = sinusoidal(c) + ",layout=" + c.in("layout").get<std::string>();
       c.equals("value", row_at(concat, c.text("pos")));
       const auto compared = Folder().run("compare " + sinusoidal(c) + " " + concat + " --length 64 --json");
       CHECK(compared.code == 0);
       CHECK(nlohmann::json::parse(compared.out)["comparisons"][0]["channel_order"] ==
             c.expect("permutation_interleaved_to_concat"));
     }},
    {"sin-03",
     [](Case& c) {
       c.equals("value", spectrum(sinusoidal(c) + ",exponent=" + exponent(c)));
       c.equals("paper_value", spectrum(sinusoidal(c) + ",exponent=paper"));
     }},
    {"sin-04",
     [](Case& c) {
       const auto row =
           row_at(sinusoidal(c) + ",layout=" + c.in("layout").get<std::string>() + ",exponent=" + exponent(c), c.text("pos"));
       std::vector<double> ours;
       for (const auto& column : c.in("columns")) ours.push_back(row.at(column.get<std::size_t>()));
       c.equals("value", ours);
     }},
    {"sin-05",
     [](Case& c) {
       c.prose({"or_error"});
       c.equals("value", spectrum(sinusoidal(c) + ",exponent=" + exponent(c)));
       for (const double x : row_at(sinusoidal(c) + ",exponent=" + exponent(c), "3")) CHECK(std::isfinite(x));
     }},
    {"sin-06",
     [](Case& c) {
       const std::string encoding = sinusoidal(c) + ",layout=" + c.in("layout").get<std::string>() + ",exponent=" + exponent(c);
       c.equals("value", row_at(encoding, c.text("pos")));
     }},
    {"sin-08",
     [](Case& c) {
       c.prose({"property"});
       REQUIRE(c.text("pos") == "1");
       const nlohmann::json faulty = {{0, 1, 0, 1}, c.in("row")};  // every sine of position 0 is 0, every cosine 1
       MemoryLoader loader;
       loader.add("faulty", faulty);
       const model::Encoding given = scheme("learned:table=faulty", 2, loader)->lower(0);
       c.equals("row_norm_sq", table(given, 1, 1).squaredNorm());
       const model::Encoding ours = scheme(sinusoidal(c))->lower(0);
       for (const model::Pos p : {0, 1, 777, 1 << 20}) c.equals("correct_row_norm_sq", table(ours, p, 1).squaredNorm());
       // The command that tells them apart: from position 1 and the first cosine on.
       const Folder folder;
       std::string lines;
       for (const auto& row : faulty) {
         const std::string list = row.dump();
         lines += list.substr(1, list.size() - 2) + "\n";
       }
       write_file(folder / "faulty.csv", lines);
       const auto compared = folder.run("compare faulty.csv " + sinusoidal(c) + " --length 2 --json");
       CHECK(compared.code == 1);
       const auto array = nlohmann::json::parse(compared.out)["comparisons"][0]["arrays"][0];
       CHECK(array["variable"] == "table");
       CHECK(array["first"] == nlohmann::json{{"position", 1}, {"channel", 1}});
     }},
    {"sin-09",
     [](Case& c) {
       c.prose({"also"});
       const model::Encoding e = scheme(sinusoidal(c))->lower(0);
       const auto p = c.in("positions").get<std::vector<model::Pos>>();
       const model::Pos lag = p.at(1) - p.at(0);
       for (const model::Pos first : {p.at(0), model::Pos{100}, model::Pos{1} << 40})
         c.equals("value", product(e, first, first + lag));
       double score = 0;  // of rows of squared length d/2
       model::lag_statistics(e, 0, {p.at(0), lag + 1})->score(lag, {&score, 1});
       c.equals("value", score * c.in("d").get<double>() / 2);
     }},
    {"sin-10",
     [](Case& c) {
       std::vector<double> ours;
       for (const auto& base : c.in("base")) {
         const std::string encoding = "sinusoidal:dim=" + c.text("d") + ",base=" + number_text(base.get<double>());
         ours.push_back(2 * std::numbers::pi / spectrum(encoding).back());
       }
       c.equals("value", ours);
     }},
};

}  // namespace
}  // namespace posenc::test
