#include "math/parallel.hpp"
#include "schemes/registry.hpp"
#include "support/catch.hpp"
#include "support/custom_scheme.hpp"
#include "support/run_analysis.hpp"

#include <cmath>
#include <numbers>

using namespace posenc;
using namespace posenc::model;
using namespace posenc::test;

namespace {

const std::vector<std::string> all = {
    "wavelength",      "turns", "pairs_below_one_turn", "common_period_pairs", "common_period_log10", "record_lag",
    "record_distance", "power", "dominant_wavelength",  "spectral_flatness",   "effective_rank"};

Frequency frequency(double turns_per_position) {
  return {{static_cast<std::uint64_t>(std::ldexp(turns_per_position, 64)), 0}, turns_per_position * 2 * std::numbers::pi};
}
Rotary rotary(const std::vector<double>& turns, Index pairs) {
  Rotary r;
  r.head_dim = 2 * pairs;
  for (const double t : turns) r.frequency.push_back(frequency(t));
  for (Index j = 0; j < pairs; ++j) r.channel.push_back({2 * j, 2 * j + 1});
  return r;
}
Encoding with(Term term, Index head_dim) {
  Encoding e;
  e.head_dim = e.width = head_dim;
  e.terms.push_back(std::move(term));
  return e;
}
Request request(Pos length, Pos horizon) {
  Request r;
  r.length = length;
  r.lag_horizon = horizon;
  return r;
}

}  // namespace

TEST_CASE("every scheme: each measure is present, or absent for a reason") {
  for (const std::string_view name : schemes::registry().names()) {
    INFO(name);
    const MemorySink out = run("periodicity", std::string(name), {{"length", "48"}});
    for (const std::string& v : all) {
      INFO(v);
      CHECK(out.has(v) != !out.reason(v).empty());
    }
  }
}

TEST_CASE("published: pairs without a whole turn within the training length, longest wavelengths") {
  // HoPE's cut (Chen 2024, arXiv 2410.21216) of wavelengths beyond the length, head width 128, base 10^4
  for (const auto& [length, pairs] : {std::pair{"512", 33.0}, std::pair{"2048", 23.0}, std::pair{"4096", 18.0}})
    CHECK(run("periodicity", "rope", {{"length", length}, {"dim", "128"}}).scalar("pairs_below_one_turn") == pairs);
  for (const auto& [base, wavelength] :
       {std::pair{"10000", 54410.14313077674}, std::pair{"500000", 2559195.5173713593}, std::pair{"1000000", 5063255.794048396}})
    CHECK(run("periodicity", "rope", {{"length", "16"}, {"dim", "128"}, {"base", base}}).at("wavelength", {{"pair", 63.0}}) ==
          Approx(wavelength).epsilon(1e-15));
}

TEST_CASE("the digits of a common period") {
  const MemorySink out = run("periodicity", "resonance", {{"dim", "8"}, {"length", "64"}});
  // round(2 pi 10^j) = 6, 63, 628, 6283
  CHECK(std::get<std::string>(out.attribute_of("common_period_log10", "digits")) == "248580612");
  const MemorySink one = run("periodicity", "rope:frequencies=single", {{"dim", "8"}, {"length", "64"}});
  CHECK(std::get<std::string>(one.attribute_of("common_period_log10", "digits")) == "628.3185307179587");
  CHECK(one.scalar("common_period_pairs") == 4);
  CHECK(run("periodicity", "rope", {{"length", "64"}}).reason("common_period_log10") == "no wavelength is an integer");
}

TEST_CASE("wavelengths near integers are none, near by rounding are") {
  const auto pairs = [](double wavelength) {
    return run_custom("periodicity", with(rotary({1 / wavelength, 0.123456789}, 2), 4), request(8, 16))
        .scalar("common_period_pairs");
  };
  CHECK(pairs(7) == 1);
  CHECK(pairs(7 * (1 + 1e-15)) == 1);
  CHECK(pairs(7 + 1e-6) == 0);
  CHECK(pairs(2e9 + 0.3) == 0);
}

TEST_CASE("near returns come by head where heads have frequencies of their own") {
  Rotary two = rotary({0.15, 0.02, 0.3, 0.011}, 2);
  two.per_head = true, two.heads = 2;
  const MemorySink out = run_custom("periodicity", with(two, 4), request(50, 5000));
  CHECK(out.schema().variable("wavelength")->dims == std::vector<std::string>{"head", "pair"});
  std::vector<double> lags, heads;
  for (const auto& turns : {std::vector<double>{0.15, 0.02}, std::vector<double>{0.3, 0.011}}) {
    const MemorySink one = run_custom("periodicity", with(rotary(turns, 2), 4), request(50, 5000));
    REQUIRE(one.data("record_lag").size() > 2);
    lags.insert(lags.end(), one.data("record_lag").begin(), one.data("record_lag").end());
    heads.resize(lags.size(), heads.empty() ? 0 : 1);
  }
  CHECK(out.data("record_lag") == lags);
  CHECK(out.data("record_head") == heads);
}

TEST_CASE("relative sinusoids turn with the lag as a rotation does") {
  const MemorySink relative = run("periodicity", "transformer-xl:dim=32", {{"length", "200"}});
  const MemorySink table = run("periodicity", "sinusoidal:dim=32", {{"length", "200"}});
  if (relative.data("pair").size() == table.data("pair").size()) {
    CHECK(relative.data("wavelength") == table.data("wavelength"));
    CHECK(relative.data("record_lag") == table.data("record_lag"));
  }
  CHECK_FALSE(relative.reason("power").empty());
}

TEST_CASE("near returns of encodings whose rotation is no function of the lag are not applicable") {
  Rotary mixed = rotary({0.15, 0.02}, 2);
  mixed.mix_cosine.assign(1, Matrix::Identity(2, 2));
  mixed.mix_sine = mixed.mix_cosine;
  CHECK_FALSE(run_custom("periodicity", with(mixed, 4), request(9, 99)).reason("record_lag").empty());
  Encoding grid = with(rotary({0.15, 0.02}, 2), 4);
  grid.point = [](Pos p) { return Point{0, p / 3, p % 3}; };
  CHECK_FALSE(run_custom("periodicity", grid, request(9, 99)).reason("record_lag").empty());
}

TEST_CASE("the spectrum of a table in memory and the closed form of the same sinusoids agree") {
  struct Plain : Rows {
    std::shared_ptr<const Rows> rows;
    Index channels() const override { return rows->channels(); }
    void block(Pos first, Eigen::Ref<Matrix> out) const override { rows->block(first, out); }
  };
  const Encoding e = subject("sinusoidal:dim=24", {{"length", "331"}}).in_use();
  AbsoluteTable a = std::get<AbsoluteTable>(e.terms[0]);
  auto plain = std::make_shared<Plain>();
  plain->rows = a.rows;
  a.rows = plain;
  const MemorySink closed = run_custom("periodicity", e, request(331, 400)),
                   general = run_custom("periodicity", with(a, 24), request(331, 400));
  CHECK(general.reason("wavelength") == "the table is no sum of sinusoids: see power");
  const auto &x = closed.data("power"), &y = general.data("power");
  REQUIRE(x.size() == 165);
  for (std::size_t k = 0; k < x.size(); ++k) CHECK(x[k] == Approx(y[k]).epsilon(1e-11));
  for (const std::string v : {"dominant_wavelength", "spectral_flatness", "effective_rank"})
    CHECK(closed.scalar(v) == Approx(general.scalar(v)).epsilon(1e-12));
}

TEST_CASE("white rows have a flat spectrum and full rank") {
  const MemorySink out = run("periodicity", "learned", {{"length", "4096"}, {"dim", "64"}});
  // power has mean std^2 = 4e-4 and, over 64 channels, relative deviation 1/8: flatness about 1 - 1/128
  CHECK(out.scalar("spectral_flatness") == Approx(1 - 1.0 / 128).margin(0.001));
  double sum = 0;
  for (const double p : out.data("power")) sum += p;
  CHECK(sum / 2048 == Approx(4e-4).epsilon(0.01));
  // squared singular values spread by 2 sqrt(64/4096): entropy falls by half the variance, 64/4096/2
  CHECK(out.scalar("effective_rank") == Approx(64 * std::exp(-64.0 / 4096 / 2)).epsilon(2e-3));
}

TEST_CASE("short and empty ranges") {
  const MemorySink one = run("periodicity", "learned", {{"length", "1"}});
  CHECK(one.reason("power") == "a spectrum needs two positions with a row");
  CHECK_THROWS_AS(run("periodicity", "rope", {{"length", "1"}}).data("record_lag"), std::out_of_range);  // no record, no data
  CHECK(run("periodicity", "sinusoidal", {{"length", "2"}}).scalar("dominant_wavelength") == 2);
}

TEST_CASE("periodicity has the same bits at any number of threads") {
  const int before = math::threads();
  for (const std::string encoding : {"rope", "learned", "sinusoidal", "resonance"}) {
    math::set_threads(1);
    const MemorySink one = run("periodicity", encoding, {{"length", "700"}});
    math::set_threads(3);
    const MemorySink three = run("periodicity", encoding, {{"length", "700"}});
    for (const Variable& v : one.schema().vars) {
      INFO(encoding << " " << v.name);
      const auto &a = one.data(v.name), &b = three.data(v.name);
      REQUIRE(a.size() == b.size());
      for (std::size_t i = 0; i < a.size(); ++i) CHECK((a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))));
    }
  }
  math::set_threads(before);
}
