#include "app/cases/report.hpp"

namespace posenc::test {
namespace {

using model::Pos;

std::vector<double> used(const std::string& encoding, Pos length = 4096) { return thetas(scheme(encoding)->lower(length)); }

/// theta of the scheme / theta of rope, pair by pair.
std::vector<double> ratios(const std::string& encoding, const std::string& plain, Pos length = 4096) {
  std::vector<double> out = used(encoding, length), rope = used(plain);
  REQUIRE(out.size() == rope.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] /= rope[i];
  return out;
}
std::string head(Case& c) { return "dim=" + c.text("d") + ",base=" + c.text("base"); }

/// alpha at each length of the case: how much slower the slowest pair is.
std::vector<double> alphas(Case& c, const std::string& fields) {
  std::vector<double> out;
  for (const auto& n : c.in("lengths"))
    out.push_back(1 / ratios("dynamic-ntk:original=" + c.text("trained") + fields, "rope", n).back());
  return out;
}

/// Pairs kept, blended, divided by the factor.
struct Bands {
  std::vector<std::size_t> keep, blend, scale;
  double last = 0;
  std::vector<double> of_context;  // numbers of pairs as the analysis counts them
};
Bands llama3_bands(Case& c) {
  const double factor = c.in("factor");
  const std::string encoding = "llama3:" + head(c) + ",factor=" + c.text("factor") + ",low-freq-factor=" + c.text("low") +
                               ",high-freq-factor=" + c.text("high") + ",original=" + c.text("original");
  const auto r = ratios(encoding, "rope:" + head(c));
  Bands out;
  out.last = r.back();
  for (std::size_t i = 0; i < r.size(); ++i)
    (r[i] == 1 ? out.keep : std::abs(r[i] * factor - 1) < 1e-15 ? out.scale : out.blend).push_back(i);
  out.of_context = run("context", encoding, {{"length", "1024"}}).data("bands");
  return out;
}
void check_bands(Case& c, const Bands& b) {
  c.equals("keep", static_cast<double>(b.keep.size()));
  c.equals("blend", static_cast<double>(b.blend.size()));
  c.equals("scale", static_cast<double>(b.scale.size()));
  CHECK(b.of_context ==
        std::vector{c.expect("keep").get<double>(), c.expect("blend").get<double>(), c.expect("scale").get<double>()});
}

const CaseChecks checks{
    {"scl-01",
     [](Case& c) {
       REQUIRE(c.in("w") == 1.0);  // the first pair
       const double first = used("pi:factor=" + c.text("factor")).at(0);
       c.equals("freq_scale", first);
       c.equals("angle", c.in("pos").get<double>() * first);
       c.differs("wrong_angle", c.in("pos").get<double>() * first);
       const std::string reciprocal = "pi:factor=" + number_text(1 / c.in("factor").get<double>());
       c.equals("wrong_angle", c.in("pos").get<double>() * used(reciprocal).at(0));
       const auto report = inspected({{"rope_scaling", {{"type", "linear"}, {"factor", c.in("factor")}}}});
       c.equals("freq_scale", report.layers.at(0).inv_freq.at(0));
     }},
    {"scl-02",
     [](Case& c) {
       const std::string encoding = "ntk:" + head(c) + ",factor=" + c.text("alpha");
       c.equals("new_base", std::pow(used(encoding).at(1), -c.in("d").get<double>() / 2));
       c.equals_closely("last_freq_ratio", ratios(encoding, "rope:" + head(c)).back());
       c.equals_closely("first_freq_ratio", ratios(encoding, "rope:" + head(c)).front());
     }},
    {"scl-03",
     [](Case& c) {
       const std::string plain = "rope:dim=" + c.text("d"),
                         more = plain + ",base=" + number_text(10000 * c.in("multiplier").get<double>());
       c.equals("value", 1 / ratios(more, plain).back());
     }},
    {"scl-04",
     [](Case& c) {
       const std::string factor = ",factor=" + c.text("factor");
       c.equals_closely("alpha", alphas(c, factor));
       // "fixed" is that rule by name: the same at every length in use.
       for (const double alpha : alphas(c, factor + ",rule=fixed")) c.equals_closely("static_bug_alpha", alpha);
     }},
    {"scl-06",
     [](Case& c) {
       c.equals_closely("stepwise", alphas(c, ",factor=1,rule=stepwise"));
       c.equals_closely("linear", alphas(c, ",factor=1,rule=linear"));
     }},
    {"l3-01",
     [](Case& c) {
       const Bands b = llama3_bands(c);
       check_bands(c, b);
       c.equals("blend_pairs", std::vector<double>(b.blend.begin(), b.blend.end()));
     }},
    {"l3-02",
     [](Case& c) {
       const Bands b = llama3_bands(c);
       check_bands(c, b);
       c.equals("last_ratio", b.last);
     }},
    {"lr-01",
     [](Case& c) {
       const auto s = scheme("longrope:dim=2,original=" + c.text("original") + ",short=2,long=4");
       std::vector<std::string> ours;
       for (const auto& n : c.in("lengths")) {
         const double first = thetas(s->lower(n)).at(0);
         ours.push_back(first == 0.5 ? "short" : first == 0.25 ? "long" : "neither");
       }
       CHECK(c.expect("value") == ours);
     }},
    {"lr-02",
     [](Case& c) {
       const Pos maximum = c.in("maximum");
       c.equals("value", attention_factor(scheme("longrope:original=" + c.text("original"))->lower(maximum)));
       const nlohmann::json list(64, 1.0);
       const auto report = inspected({{"max_position_embeddings", maximum},
                                      {"original_max_position_embeddings", c.in("original")},
                                      {"rope_scaling", {{"type", "longrope"}, {"short_factor", list}, {"long_factor", list}}}});
       c.equals("value", report.layers.at(0).attention_factor);
     }},
    {"lr-03",
     [](Case& c) {
       int expected = 0, width = 0, given = 0;
       REQUIRE(std::sscanf(c.expect("error").get<std::string>().c_str(), "%d factors expected (rotary width %d), %d given",
                           &expected, &width, &given) == 3);
       const auto count = c.in("factor_count").get<std::size_t>();
       REQUIRE(static_cast<int>(count) == given);
       std::string list = "1";
       for (std::size_t i = 1; i < count; ++i) list += "/1";
       const std::string line =
           refusal("longrope:dim=" + c.text("head_dim") + ",partial=" + c.text("partial") + ",factors=" + list);
       CHECK(names_all(line, {"longrope: factors = " + list,
                              fmt::format("must have {} numbers (rotary width {}), not {}", expected, width, given)}));
       const nlohmann::json ones(count, 1.0);
       const auto report = inspected({{"head_dim", c.in("head_dim")},
                                      {"partial_rotary_factor", c.in("partial")},
                                      {"original_max_position_embeddings", 4096},
                                      {"rope_scaling", {{"type", "longrope"}, {"short_factor", ones}, {"long_factor", ones}}}});
       REQUIRE_FALSE(report.errors.empty());
       CHECK(names_all(report.errors[0], {"rope_scaling.short_factor", fmt::format("must be {} numbers", expected),
                                          fmt::format("rotary dimension {}", width), fmt::format("has {}", given)}));
     }},
};

}  // namespace
}  // namespace posenc::test
