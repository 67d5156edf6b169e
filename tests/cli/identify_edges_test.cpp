// Arrays that are damaged, longer than is read at once, no frequencies, or far from position 0.
#include "cli/identified.hpp"
#include "support/catch.hpp"

using nlohmann::json;
using posenc::test::best;
using posenc::test::Folder;
using posenc::test::theta;
using posenc::test::write_npy;

TEST_CASE("vectors that are no frequencies of a head are none of those known") {
  const Folder folder;
  const auto none = [&](const char* name, int count, const std::function<double(int)>& value) {
    write_npy<double>(folder / name, 1, count, [&](int, int j) { return value(j); });
    const auto out = folder.run(std::string("identify ") + name);
    INFO(name << out.out << out.err);
    CHECK(out.code == 1);
    CHECK(out.out.find("none of those known") != std::string::npos);
    CHECK(out.out.size() < 1000);
    return out.out;
  };
  none("counted.npy", 64, [](int j) { return j; });
  none("two.npy", 2, [](int j) { return j; });
  none("rest.npy", 64, [](int j) { return j == 0 ? 0 : theta(j, 64, 10000); });
  none("subnormal.npy", 64, [](int j) { return 1e-310 * theta(j, 64, 10000); });
  none("huge.npy", 64, [](int j) { return 1e300 * theta(j, 64, 10000); });
  CHECK(none("long.npy", 8193, [](int j) { return theta(j, 8193, 10000); }).find("8193 numbers are more than any head has") !=
        std::string::npos);
}

TEST_CASE("one damaged element is named, whatever float32 could lose elsewhere") {
  const Folder folder;
  for (const auto& [row, by] : {std::pair(1500, 1e-4), std::pair(2999, 1e-3)}) {
    write_npy<float>(folder / "t.npy", 3000, 64, [row = row, by = by](int i, int j) {
      const double angle = i * theta(j / 2, 32, 10000);
      const auto x = static_cast<float>(j % 2 ? std::cos(angle) : std::sin(angle));
      return i == row && j == 0 ? x + static_cast<float>(by) : x;
    });
    const json found = best(folder, "t.npy", 1);
    INFO(found);
    CHECK(found["encoding"] == "sinusoidal:dim=64,base=10000,layout=interleaved");
    CHECK(found["amplitude"] == 1);
    CHECK(found["departs"]["row"] == row);
    CHECK(found["departs"]["column"] == 0);
    CHECK(found["agreeing"] == 2999);
  }
}

TEST_CASE("every row is compared, those behind the first 65536 too") {
  const Folder folder;
  for (const int damaged : {-1, 66000}) {
    write_npy<float>(folder / "t.npy", 66001, 8, [damaged](int i, int j) {
      const double angle = i * theta(j / 2, 4, 10000);
      return static_cast<float>(j % 2 ? std::cos(angle) : std::sin(angle)) + (i == damaged && j == 5 ? 0.01f : 0.0f);
    });
    const json found = best(folder, "t.npy", damaged < 0 ? 0 : 1);
    INFO(found);
    CHECK(found["encoding"] == "sinusoidal:dim=8,base=10000,layout=interleaved");
    CHECK(found["count"] == 66001);
    CHECK(found["agreeing"] == (damaged < 0 ? 66001 : 66000));
    if (damaged >= 0) CHECK(found["departs"] == json{{"row", damaged}, {"column", 5}});
  }
}

TEST_CASE("an attention factor of many digits leaves a float64 cache float64") {
  const Folder folder;
  const double factor = 1.2772588722239782;  // 0.1 ln 16 + 1
  for (const bool sine : {false, true})
    write_npy<double>(folder / (sine ? "sin.npy" : "cos.npy"), 2048, 32, [&](int i, int j) {
      const double angle = i * theta(j, 32, 10000);
      return factor * (sine ? std::sin(angle) : std::cos(angle));
    });
  const json found = best(folder, "cos.npy sin.npy");
  INFO(found);
  CHECK(found["values"]["base"] == "10000");
  CHECK(found["precision"].get<std::string>().find("as a whole") == std::string::npos);
  CHECK(std::abs(found["amplitude"].get<double>() - factor) <= 1e-15);
}

TEST_CASE("bfloat16 throughout leaves the round base") {
  const Folder folder;
  const auto bf16 = [](double x) {
    int exponent = 0;
    const double fraction = std::frexp(x, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(fraction, 8)), exponent - 8);  // 8 digits, ties to even
  };
  for (const bool sine : {false, true})
    write_npy<float>(folder / (sine ? "sin.npy" : "cos.npy"), 2048, 32, [&](int i, int j) {
      const double angle = bf16(bf16(i) * bf16(theta(j, 32, 10000)));
      return static_cast<float>(bf16(sine ? std::sin(angle) : std::cos(angle)));
    });
  const json found = best(folder, "cos.npy sin.npy");
  INFO(found);
  CHECK(found["encoding"] == "rope:dim=64,base=10000");
}

TEST_CASE("tables of positions beyond half a turn of the slowest pair tell the first") {
  const Folder folder;
  for (const int start : {65536, 70000, 8388608}) {
    write_npy<double>(folder / "t.npy", 500, 64, [start](int i, int j) {
      const double angle = (start + i) * theta(j / 2, 32, 10000);
      return j % 2 ? std::cos(angle) : std::sin(angle);
    });
    const json found = best(folder, "t.npy");
    INFO(found);
    CHECK(found["start"] == start);
    CHECK(found["encoding"] == "sinusoidal:dim=64,base=10000,layout=interleaved");
  }
}
