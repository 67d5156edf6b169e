#include "support/catch.hpp"
#include "support/run_analysis.hpp"

#include <cmath>

using namespace posenc;
using test::run;

TEST_CASE("rotations carry coordinates, frequencies, channels and the attention factor") {
  const auto f = run("encodings", "yarn:factor=4,original=4096,dim=8", {{"length", "200"}, {"start", "1000"}});
  CHECK(f.data("position").front() == 1000);
  CHECK(f.data("position").back() == 1199);
  const double A = 0.1 * std::log(4.0) + 1;  // YaRN sec. 3.4
  CHECK(std::get<double>(f.attribute_of("", "attention_factor")) == Approx(A).epsilon(1e-15));
  for (const double p : {1000.0, 1063.0, 1064.0, 1199.0})
    for (const double j : {0.0, 1.0, 2.0, 3.0}) {
      const double angle = p * f.at("frequency", {{"pair", j}});
      // The double frequency alone is wrong by p ulp / 2.
      CHECK(f.at("cos", {{"position", p}, {"pair", j}}) == Approx(A * std::cos(angle)).margin(1e-12));
      CHECK(f.at("sin", {{"position", p}, {"pair", j}}) == Approx(A * std::sin(angle)).margin(1e-12));
    }
  CHECK(f.at("wavelength", {{"pair", 0.0}}) == Approx(2 * std::acos(-1.0)));
  CHECK(f.data("channel_first") == std::vector<double>{0, 1, 2, 3});
  CHECK(f.data("channel_second") == std::vector<double>{4, 5, 6, 7});
}

TEST_CASE("a position has the same bits wherever the array starts") {
  const auto a = run("encodings", "rope:dim=64", {{"length", "9000"}});
  const auto b = run("encodings", "rope:dim=64", {{"length", "300"}, {"start", "8190"}});
  for (const double p : {8190.0, 8191.0, 8192.0, 8300.0, 8489.0})
    for (const double j : {0.0, 5.0, 31.0})
      for (const char* name : {"cos", "sin"}) CHECK(a.at(name, {{"position", p}, {"pair", j}}) == b.at(name, {{"position", p}, {"pair", j}}));
}

TEST_CASE("a table ends with its rows, f32 is declared as such") {
  const auto f = run("encodings", "learned:rows=50,dim=16,original=50", {{"length", "64"}, {"start", "10"}, {"dtype", "f32"}});
  CHECK(f.schema().dimension("position")->size == 40);
  CHECK(f.schema().variable("table")->type == Type::f32);
  const auto all = run("encodings", "learned:rows=50,dim=16,original=50", {{"length", "50"}});
  CHECK(f.at("table", {{"position", 49.0}, {"channel", 3.0}}) == all.at("table", {{"position", 49.0}, {"channel", 3.0}}));
}

TEST_CASE("sinusoidal rows are sine and cosine of the paper") {
  const auto f = run("encodings", "sinusoidal:dim=4", {{"length", "2"}});
  const std::vector<double> row{0.8414709848078965, 0.5403023058681398, 0.009999833334166664, 0.9999500004166653};
  for (std::size_t c = 0; c < 4; ++c) CHECK(f.data("table")[4 + c] == Approx(row[c]).margin(1e-15));
}

TEST_CASE("ALiBi's bias is minus slope times lag for every head") {
  const auto f = run("encodings", "alibi:heads=12", {{"length", "70000"}});  // two blocks of elements a head
  CHECK(f.at("bias", {{"head", 0.0}, {"lag", 69999.0}}) == -0.5 * 69999);
  CHECK(f.at("bias", {{"head", 8.0}, {"lag", 3.0}}) == Approx(-3 * std::sqrt(0.5)).epsilon(1e-15));
  CHECK(f.at("bias", {{"head", 11.0}, {"lag", 65536.0}}) == Approx(-65536 * std::exp2(-3.5)).epsilon(1e-15));
}

TEST_CASE("no positional term, no array, and the reason is said") {
  const auto f = run("encodings", "nope", {{"length", "16"}});
  CHECK(f.schema().vars.empty());
  CHECK_FALSE(f.reason("table").empty());
}

TEST_CASE("positions beyond the last row of a table are counted") {
  const test::MemorySink s = run("encodings", "learned:rows=6,dim=4", {{"length", "9"}});
  CHECK(s.data("position").size() == 6);
  CHECK(std::get<std::int64_t>(s.attribute_of("", "positions_without_row")) == 3);
  CHECK_THROWS(run("encodings", "learned:rows=9,dim=4", {{"length", "9"}}).attribute_of("", "positions_without_row"));
}
