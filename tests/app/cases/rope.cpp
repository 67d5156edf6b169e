#include "app/cases/report.hpp"
#include "cli/program.hpp"

#include <numbers>

namespace posenc::test {
namespace {

using model::Index;
using model::Pos;

std::string rope(Case& c) { return "rope:dim=" + c.text("d") + ",base=" + c.text("base"); }

/// x turned as the query at `position`: its scores against unit keys at position 0.
std::vector<double> rotated(const std::string& encoding, const std::vector<double>& x, Pos position) {
  const auto d = static_cast<Index>(x.size());
  const model::Matrix one = model::Matrix::Identity(d, d);
  const model::Matrix query = Eigen::Map<const model::Matrix>(x.data(), 1, d);
  const model::Tokens tokens{{position}, std::vector<Pos>(x.size(), 0), query, one, one, one};
  const model::Matrix out = model::terms(scheme(encoding)->lower(0), 0, tokens).sum();
  return {out.data(), out.data() + d};
}
double squared(const std::vector<double>& x) {
  return Eigen::Map<const model::Vector>(x.data(), static_cast<Index>(x.size())).squaredNorm();
}

/// The order of channels that `posenc compare` finds.
nlohmann::json channel_order(const std::string& a, const std::string& b) {
  const auto out = Folder().run("compare " + a + " " + b + " --length 64 --json");
  CHECK(out.code == 0);
  return nlohmann::json::parse(out.out)["comparisons"][0]["channel_order"];
}

const CaseChecks checks{
    {"rope-01",
     [](Case& c) {
       std::vector<double> last, longest;
       for (const auto& base : c.in("base")) {
         const auto sink =
             run("encodings", "rope:dim=" + c.text("d") + ",base=" + number_text(base.get<double>()), {{"length", "1"}});
         c.equals_closely("first_freq", sink.data("frequency").front());
         last.push_back(sink.data("frequency").back());
         longest.push_back(sink.data("wavelength").back());
       }
       c.equals_closely("last_freq", last);
       c.equals("longest_wavelength", longest);
     }},
    {"rope-02",
     [](Case& c) {
       const double first = thetas(scheme(rope(c))->lower(0)).at(0);
       c.equals("correct_first", first);
       c.differs("wrong_first", first);
     }},
    {"rope-03",
     [](Case& c) {
       const auto x = c.in("x").get<std::vector<double>>();
       for (const char* layout : {"interleaved", "half_split"})
         c.equals(layout, rotated(rope(c) + ",layout=" + layout, x, c.in("pos")));
     }},
    {"rope-04",
     [](Case& c) {
       const std::string half = "rope:dim=" + c.text("head_dim"), interleaved = half + ",layout=interleaved";
       CHECK(channel_order(half, interleaved) == c.expect("interleaved_to_half"));
       CHECK(channel_order(interleaved, half) == c.expect("half_to_interleaved"));
     }},
    {"rope-06",
     [](Case& c) {
       c.prose({"property"});
       const auto x = c.in("x").get<std::vector<double>>();
       for (const char* layout : {"interleaved", "half_split"}) {
         const double norm = squared(rotated(rope(c) + ",layout=" + layout, x, c.in("pos")));
         c.equals("correct_norm_sq", norm);
         c.differs("norm_sq", norm);
       }
     }},
    {"rope-08",
     [](Case& c) {
       CHECK(names_all(c.expect("error"), {"rotary width must be even"}));
       const std::string width = c.text("rotary_dim");
       CHECK(names_all(refusal("rope:dim=64,rotary-dim=" + width), {"rope: rotary-dim = " + width + ": ", "even"}));
       const auto report = inspected({{"rotary_dim", c.in("rotary_dim")}});
       REQUIRE(report.errors.size() == 1);
       CHECK(names_all(report.errors[0], {"rotary dim", " = " + width + ": ", "even"}));
     }},
    {"rope-09",
     [](Case& c) {
       const auto s = scheme("rope:dim=" + c.text("head_dim") + ",partial=" + c.text("partial") + ",base=" + c.text("base"));
       c.equals("rotary_dim", std::stod(field_text(*s, "rotary-dim")));
       const model::Encoding e = s->lower(0);
       const auto theta = thetas(e);
       c.equals("num_freqs", static_cast<double>(theta.size()));
       c.equals("freq_1", theta.at(1));
       c.differs("wrong_freq_1", theta.at(1));
       c.equals("wrong_freq_1", thetas(scheme("rope:dim=" + c.text("head_dim") + ",base=" + c.text("base"))->lower(0)).at(1));
       // Channels that no pair turns leave as they came.
       std::vector<double> x(c.in("head_dim").get<std::size_t>(), 1);
       const auto turned = rotated("rope:dim=" + c.text("head_dim") + ",partial=" + c.text("partial"), x, 1);
       c.equals("pass_through", static_cast<double>(std::count(turned.begin(), turned.end(), 1.0)));
     }},
    {"rope-11",
     [](Case& c) {
       c.prose({"result"});
       const std::string encoding = "rope:dim=" + c.text("head_dim") + ",partial=" + c.text("partial");
       c.equals("rotary_dim", std::stod(field_text(*scheme(encoding), "rotary-dim")));
       std::vector<double> x;
       for (std::size_t i = 0; i < c.in("head_dim").get<std::size_t>(); ++i) x.push_back(std::sqrt(static_cast<double>(i + 1)));
       CHECK(rotated(encoding, x, 12345) == x);
     }},
    {"rope-12",
     [](Case& c) {
       const auto turn = [&](const char* base) {
         const model::Encoding e = scheme("rope:dim=" + c.text("d") + ",base=" + c.text(base))->lower(0);
         return std::get<model::Rotary>(e.terms.at(0)).at(0, 0, c.in("pair")).turn;
       };
       const math::Turn apart = turn("base_used") - turn("base_config");
       Pos p = 0;
       while (std::abs(math::signed_turns(math::times(p, apart))) < 0.25) ++p;
       c.equals("value", static_cast<double>(p));
       // compare names the pair's difference: 0.0014142 against 0.01.
       const auto compared =
           Folder().run("compare rope:base=" + c.text("base_config") + " rope:base=" + c.text("base_used") + " --length 64 -q");
       CHECK(compared.code == 1);
     }},
    {"rope-13",
     [](Case& c) {
       const auto sink = run("decay", rope(c), {{"length", "2048"}});
       const double first = sink.scalar("first_negative"), pairs = c.in("d").get<double>() / 2;
       c.equals("value", first);
       c.equals("sum_before", pairs * sink.at("score", {{"lag", first - 1}}));
       c.equals("sum_at", pairs * sink.at("score", {{"lag", first}}));
       c.equals("value", run("context", rope(c), {{"length", "1024"}}).scalar("first_negative_lag"));
     }},
    {"rope-14",
     [](Case& c) {
       const auto x = c.in("x").get<std::vector<double>>();
       const auto half = rotated(rope(c) + ",layout=half_split", x, c.in("pos")),
                  other = rotated(rope(c) + ",layout=interleaved", x, c.in("pos"));
       double largest = 0;
       for (std::size_t i = 0; i < x.size(); ++i) largest = std::max(largest, std::abs(half[i] - other[i]));
       c.equals("value", largest);
       CHECK(rotated(rope(c) + ",layout=half_split", x, 1000) != rotated(rope(c) + ",layout=interleaved", x, 1000));
     }},
    {"rope-15",
     [](Case& c) {
       CHECK(names_all(c.expect("error"), {"entry 0"}));
       const Folder folder;
       std::string lines;
       for (const auto& w : c.in("inv_freq")) lines += w.dump() + "\n";
       write_file(folder / "inv_freq.csv", lines);
       // No scheme makes such a vector; with entry 0 as it should be, it is rope's.
       CHECK(folder.run("identify inv_freq.csv -q").code == 1);
       auto right = c.in("inv_freq");
       right[0] = 1;
       std::string right_lines;
       for (const auto& w : right) right_lines += w.dump() + "\n";
       write_file(folder / "right.csv", right_lines);
       const auto known = folder.run("identify right.csv --json");
       CHECK(known.code == 0);
       const auto best = nlohmann::json::parse(known.out)["explanations"][0];
       CHECK(best["scheme"] == "rope");
       CHECK(std::stod(best["values"]["base"].get<std::string>()) == Approx(c.in("base").get<double>()).epsilon(1e-12));
       const std::string due = "sinusoidal:dim=" + c.text("d") + ",base=" + c.text("base");
       const auto compared = folder.run("compare sinusoidal:frequencies=inv_freq.csv " + due + " --length 16 --json");
       CHECK(compared.code == 1);
       const auto array = nlohmann::json::parse(compared.out)["comparisons"][0]["arrays"][0];
       CHECK(array["variable"] == "table");
       CHECK(array["first"] == nlohmann::json{{"position", 1}, {"channel", 0}});  // sine of entry 0
       CHECK(array["at"]["channel"].get<int>() < 2);                              // and of no other
     }},
};

}  // namespace
}  // namespace posenc::test
