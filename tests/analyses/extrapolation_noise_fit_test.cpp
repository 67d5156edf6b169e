// Fits to noise (position interpolation, fig. 2) and the reconstruction error of independent rows. The arithmetic itself:
// tests/math/exact_fit_test.cpp; published numbers: data/published/pi.toml.
#include "analyses/extrapolation_tables.hpp"
#include "support/catch.hpp"
#include "support/run_analysis.hpp"

#include <cmath>

using namespace posenc;
using test::run;

namespace {

const test::Options small{{"length", "64"}, {"extend", "2"}, {"attention-error", "no"}};
test::Options with(test::Options more) {
  more.insert(more.end(), small.begin(), small.end());
  return more;
}

}  // namespace

TEST_CASE("a fit is made when asked for, and for cosines and sines of the lag alone") {
  CHECK(run("extrapolation", "rope:dim=8", small).reason("fit_largest").find("ask with fit") != std::string::npos);
  CHECK(run("extrapolation", "alibi", with({{"fit", "svd"}})).reason("fit_largest").find("cosines") != std::string::npos);
  CHECK(run("extrapolation", "xpos:dim=8", with({{"fit", "svd"}})).reason("fit_curve").find("cosines") != std::string::npos);
  CHECK(run("extrapolation", "rope:dim=128", with({{"fit", "svd"}})).reason("fit_curve") ==
        "fewer training lags than coefficients");
  CHECK(run("extrapolation", "rope:dim=8", with({{"fit", "exact"}})).reason("fit_largest") == "fit=exact draws no noise");
  CHECK(run("extrapolation", "rope:dim=8", with({{"fit", "svd"}})).reason("fit_deviation") == "fit is not exact");
}

TEST_CASE("quantiles are of the draws, the curve is the first, and pass-through pairs are no coefficients") {
  const auto r = run("extrapolation", "rope:dim=8,base=10", with({{"fit", "ridge"}, {"ridge", "0.1"}, {"fit-draws", "20"}}));
  const auto& q = r.data("fit_largest");
  CHECK(std::is_sorted(q.begin(), q.end()));
  double largest = 0;
  const auto& curve = r.data("fit_curve");
  REQUIRE(curve.size() == 128);
  for (std::size_t s = 64; s < 128; ++s) largest = std::max(largest, std::abs(curve[s]));
  CHECK(largest <= q.back());
  CHECK(largest >= run("extrapolation", "rope:dim=8,base=10", with({{"fit", "ridge"}, {"ridge", "1e9"}, {"fit-draws", "20"}}))
                       .data("fit_largest")
                       .back());
  const auto& noise = r.data("fit_noise");
  CHECK(std::isfinite(noise[63]));
  CHECK(std::isnan(noise[64]));
  const auto partial =
      run("extrapolation", "rope:dim=16,rotary-dim=8,base=10", with({{"fit", "ridge"}, {"ridge", "0.1"}, {"fit-draws", "20"}}));
  CHECK(partial.data("fit_largest") == q);
  const auto table =
      run("extrapolation", "sinusoidal:dim=8,base=10", with({{"fit", "ridge"}, {"ridge", "0.1"}, {"fit-draws", "20"}}));
  CHECK(table.data("fit_largest") == q);
}

// A fit through all training lags has the trace of the projection: the sum of deviation^2 over them is the number of
// coefficients.
TEST_CASE("exact deviations within the training lags sum to the number of coefficients") {
  std::string lags;
  for (int s = 0; s < 64; ++s) lags += (s ? "/" : "") + std::to_string(s);
  const auto r = run("extrapolation", "rope:dim=24", with({{"fit", "exact"}, {"fit-lags", lags}}));
  double sum = 0;
  for (const double w : r.data("fit_deviation")) sum += w * w;
  CHECK(sum == Approx(24).epsilon(1e-13));
  const auto standard = run("extrapolation", "rope:dim=24", with({{"fit", "exact"}}));
  CHECK(standard.data("fit_lag") == std::vector<double>{0, 32, 63, 64, 65, 72, 127});
  CHECK_THROWS_AS(run("extrapolation", "rope:dim=24", with({{"fit", "exact"}, {"fit-lags", "1.5"}})), UsageError);
}

TEST_CASE("independent rows: the error expected of each policy") {
  using analyses::TablePolicy;
  const auto white = [](TablePolicy p) { return analyses::reconstruction_error_white(100, p); };
  CHECK(white(TablePolicy::linear) == Approx(std::sqrt(1.5)).epsilon(1e-15));
  CHECK(white(TablePolicy::cubic) == Approx(std::sqrt(1 + 2 * (81.0 + 1) / 256)).epsilon(1e-15));
  CHECK(white(TablePolicy::cubic_torch) == Approx(1.3125).epsilon(1e-15));
  CHECK(std::isnan(white(TablePolicy::trigonometric)));
  CHECK(std::isnan(white(TablePolicy::clamp)));
  CHECK(std::isnan(analyses::reconstruction_error_white(3, TablePolicy::cubic)));
  CHECK(analyses::reconstruction_error_white(3, TablePolicy::linear) == Approx(std::sqrt(1.5)).epsilon(1e-15));
}
