#include "math/formats.hpp"
#include "support/cases.hpp"

namespace posenc::test {
namespace {

double rounded(const std::string& format, double x) {
  if (format == "bf16") return math::round_bf16(x);
  REQUIRE(format == "fp16");
  return math::round_f16(x);
}
std::vector<double> rope_thetas(Case& c) {
  return thetas(scheme("rope:dim=" + c.text("d") + ",base=" + c.text("base"))->lower(0));
}

const CaseChecks checks{
    {"prc-01",
     [](Case& c) {
       std::vector<double> first, becomes;
       for (const auto& format : c.in("formats")) {
         double p = 0;
         while (rounded(format, p) == p) ++p;
         first.push_back(p), becomes.push_back(rounded(format, p));
       }
       c.equals("value", first);
       c.equals("rounds_to", becomes);
       // The lower of the two positions that meet, in the analysis.
       const auto sink = run("precision", "rope:dim=4", {{"length", "16"}, {"position-horizon", "4096"}});
       for (std::size_t i = 0; i < first.size(); ++i)
         CHECK(sink.at("first_collision", {{"dtype", c.in("formats")[i].get<std::string>()}}) == becomes[i]);
     }},
    {"prc-02",
     [](Case& c) {
       std::set<double> values;
       for (int p = 0; p < c.in("positions").get<int>(); ++p) values.insert(rounded(c.in("format"), p));
       c.equals("value", static_cast<double>(values.size()));
       const auto sink = run("precision", "rope:dim=4", {{"length", "16"}, {"position-horizon", c.text("positions")}});
       c.equals("value", sink.at("distinct_positions", {{"dtype", c.in("format").get<std::string>()}}));
     }},
    {"prc-04",
     [](Case& c) {
       std::vector<double> due, ours;
       for (const auto& v : c.expect("value")) due.push_back(v.is_string() ? std::stod(v.get<std::string>()) : v.get<double>());
       for (const auto& p : c.in("pos")) ours.push_back(rounded(c.in("format"), p));
       CHECK(ours == due);
     }},
    {"prc-05",
     [](Case& c) {
       const double theta = rope_thetas(c).at(c.in("pair")), position = c.in("pos");
       c.equals("exact", position * theta);
       const double narrow = math::round_f16(theta);
       c.equals("fp16_freq", narrow);
       c.equals("fp16", math::round_f16(math::round_f16(position) * narrow));
     }},
    {"prc-06",
     [](Case& c) {
       std::vector<double> errors;
       for (const double theta : rope_thetas(c))
         errors.push_back(c.in("pos").get<double>() * std::abs(math::round_bf16(theta) - theta));
       const auto worst = std::max_element(errors.begin(), errors.end());
       c.equals("worst_pair", static_cast<double>(worst - errors.begin()));
       c.equals("worst_phase_error", *worst);
     }},
    {"prc-07",
     [](Case& c) {
       // Of 2^19 numbers, many of them in [1/2, 1), the largest error comes within 2^-9/2^13 of the bound: it is attained.
       const double halfway = 0.5 + c.expect("bound").get<double>();  // between two neighbours above 1/2
       c.equals("bound", std::abs(rounded(c.in("format"), halfway) - halfway));
       double near = 0, far = 0;
       for (const char* start : {"0", "1M"}) {
         const auto sink = run("encodings", "rope:dim=128", {{"length", "4096"}, {"start", start}});
         double& largest = start[0] == '0' ? near : far;
         for (const char* name : {"cos", "sin"})
           for (const double x : sink.data(name)) largest = std::max(largest, std::abs(rounded(c.in("format"), x) - x));
       }
       for (const double largest : {near, far}) {  // independent of position
         CHECK(largest <= c.expect("bound").get<double>());
         CHECK(largest >= c.expect("largest_seen_in_sample").get<double>() - c.tolerance());
       }
     }},
    {"prc-09",
     [](Case& c) {
       const double theta = rope_thetas(c).at(c.in("pair")), position = c.in("pos");
       const double exact = position * theta;
       c.equals("angle", exact);
       c.equals("value", std::abs(math::round_f32(math::round_f32(position) * math::round_f32(theta)) - exact));
     }},
};

}  // namespace
}  // namespace posenc::test
