#include "app/cases/report.hpp"

namespace posenc::test {
namespace {

using nlohmann::json;

/// theta of yarn in use / theta of rope with the same base.
std::vector<double> ratios(const std::string& head, const std::string& fields) {
  std::vector<double> out = thetas(scheme("yarn:" + head + fields)->lower(16384));
  const auto plain = thetas(scheme("rope:" + head)->lower(0));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] /= plain[i];
  return out;
}
/// The pairs where the blend begins and ends: the line through the shares g_i = (1 - ratio)/(1 - 1/factor) strictly between.
std::vector<double> blend(const std::string& head, const std::string& fields) {
  const auto r = ratios(head, fields + ",factor=4");
  std::vector<double> index, share;
  for (std::size_t i = 0; i < r.size(); ++i) {
    const double g = (1 - r[i]) / 0.75;
    if (g > 1e-12 && g < 1 - 1e-12) index.push_back(static_cast<double>(i)), share.push_back(g);
  }
  REQUIRE(index.size() > 2);
  const double step = (share.back() - share.front()) / (index.back() - index.front()), low = index.front() - share.front() / step;
  return {low, low + 1 / step};
}
std::string head(Case& c) { return "dim=" + c.text("d") + ",base=" + c.text("base"); }
std::string betas(Case& c) {
  return ",original=" + c.text("original") + ",beta-fast=" + c.text("beta_fast") + ",beta-slow=" + c.text("beta_slow");
}

double factor_in_use(const std::string& fields) { return attention_factor(scheme("yarn:" + fields)->lower(4096)); }

/// A Llama with yarn from 4096 positions.
sources::ModelReport yarn_model(json scaling, json model = json::object()) {
  scaling["rope_type"] = "yarn";
  if (!scaling.contains("original_max_position_embeddings")) scaling["original_max_position_embeddings"] = 4096;
  model["rope_scaling"] = scaling;
  return inspected(model);
}

const CaseChecks checks{
    {"yarn-01",
     [](Case& c) {
       c.equals("raw", blend(head(c), betas(c) + ",truncate=false"));
       c.equals("truncated", blend(head(c), betas(c) + ",truncate=true"));
     }},
    {"yarn-02",
     [](Case& c) {
       const std::string fast = c.text("beta_fast"), slow = c.text("beta_slow");
       CHECK(names_all(refusal("yarn:" + head(c) + betas(c)),
                       {"yarn: beta-fast = " + fast + ": ", "must be >= beta-slow = " + slow}));
       // A model's file is read as the tools read it: the blend runs backwards, and a warning says so.
       std::size_t low = 0, high = 0;
       REQUIRE(std::sscanf(c.expect("error").get<std::string>().c_str(), "range is empty: low %zu > high %zu", &low, &high) == 2);
       const auto report = yarn_model({{"factor", 4},
                                       {"beta_fast", c.in("beta_fast")},
                                       {"beta_slow", c.in("beta_slow")},
                                       {"original_max_position_embeddings", c.in("original")}},
                                      {{"max_position_embeddings", 16384}, {"rope_theta", c.in("base")}});
       CHECK(report.errors == std::vector<std::string>{});
       CHECK(warns_of(report, {"rope_scaling.beta_fast = " + fast, "beta_slow = " + slow}));
       const auto plain = thetas(scheme("rope:" + head(c))->lower(0));
       const auto& ours = report.layers.at(0).inv_freq;
       REQUIRE(ours.size() == plain.size());
       for (std::size_t i = 0; i < plain.size(); ++i) {
         const double interpolated =
             std::clamp((static_cast<double>(low) - static_cast<double>(i)) / static_cast<double>(low - high), 0.0, 1.0);
         CHECK(ours[i] == Approx(plain[i] * (1 - interpolated * 0.75)).epsilon(1e-14));
       }
     }},
    {"yarn-03",
     [](Case& c) {
       std::vector<double> ours, of_files;
       for (const auto& factor : c.in("factor")) {
         ours.push_back(factor_in_use("factor=" + factor.dump()));
         of_files.push_back(yarn_model({{"factor", factor}}).layers.at(0).attention_factor);
       }
       c.equals("value", ours);
       c.equals("value", of_files);
     }},
    {"yarn-04",
     [](Case& c) {
       const double ours = factor_in_use("factor=" + c.text("factor") + ",attention-factor=" + c.text("attention_factor"));
       c.equals("value", ours);
       c.differs("wrong", ours);
       c.equals("wrong", factor_in_use("factor=" + c.text("factor")));  // the computed one
       const auto report = yarn_model({{"factor", c.in("factor")}, {"attention_factor", c.in("attention_factor")}});
       c.equals("value", report.layers.at(0).attention_factor);
     }},
    {"yarn-05",
     [](Case& c) {
       // A final value given to the field stays what it is: it is no multiplier.
       const double computed = factor_in_use("factor=" + c.text("factor"));
       const double given = factor_in_use("factor=" + c.text("factor") + ",attention-factor=" + number_text(computed));
       c.equals("single", computed);
       c.equals("single", given);
       c.differs("double", given);
       c.equals("double", computed * computed);
       c.equals("relative_excess", computed * computed / given - 1);
     }},
    {"yarn-07",
     [](Case& c) {
       c.prose({"must"});
       const double given = c.in("attn_factor");
       const auto report = yarn_model({{"factor", c.in("factor")}, {"attn_factor", given}});
       const double ours = report.layers.at(0).attention_factor;
       c.equals("ignored", ours);
       c.equals("as_multiplier", given * ours);
       c.equals("as_final", factor_in_use("factor=" + c.text("factor") + ",attention-factor=" + number_text(given)));
       CHECK(key_of(report, "rope_scaling.attn_factor").status == sources::KeyStatus::ignored);
       CHECK(warns_of(report, {"rope_scaling.attn_factor", "not used"}));
     }},
    {"yarn-08",
     [](Case& c) {
       c.prose({"must"});
       const auto report = yarn_model(
           {{"factor", c.in("factor")}, {"original_max_position_embeddings", c.in("original_max_position_embeddings")}},
           {{"max_position_embeddings", c.in("max_position_embeddings")}});
       CHECK(warns_of(report, {"rope_scaling.factor = " + c.text("factor") + " is used",
                               "= " + number_text(c.expect("implied_factor").get<double>())}));
       CHECK(report.layers.at(0).inv_freq.back() ==
             Approx(std::pow(10000.0, -126.0 / 128) / c.in("factor").get<double>()).epsilon(1e-15));
     }},
    {"yarn-09",
     [](Case& c) {
       const auto pair = c.in("pair").get<std::size_t>();
       const double ours = thetas(scheme("yarn:" + head(c) + ",original=4096,factor=" + c.text("factor"))->lower(16384)).at(pair);
       c.equals("value", ours);
       c.differs("wrong", ours);
       // ntk changes the base, and with it every pair but the first.
       c.equals("wrong", thetas(scheme("ntk:" + head(c) + ",factor=" + c.text("factor"))->lower(16384)).at(pair));
     }},
};

}  // namespace
}  // namespace posenc::test
