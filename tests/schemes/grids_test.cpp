// axial-2d, mixed-2d and swin.
#include "support/rotary_family.hpp"

#include <numbers>

using namespace posenc;
using test::check_same;
using test::scheme;

namespace {

const model::Rotary& rotary(const model::Encoding& e) { return std::get<model::Rotary>(e.terms.at(0)); }
model::Content content(const nlohmann::json& c) {
  return test::content(test::matrix(c["inputs"]["q"]), test::matrix(c["inputs"]["k"]));
}

}  // namespace

TEST_CASE("axial-2d: scores on a grid of three columns") {
  const auto c = test::scheme_case("rope_axial_2d");
  const model::Encoding e = scheme("axial-2d:dim=8,columns=3")->lower(0);
  check_same(model::terms(e, 0, content(c)).sum(), test::matrix(c["expect"]["scores"]), 1e-12);
  CHECK(!e.causal);
  CHECK(e.point(5) == model::Point{0, 1, 2});
}

TEST_CASE("axial-2d: rows first, pixels and the scale of the grid") {
  const model::Encoding e = scheme("axial-2d:dim=16,order=height-first,scale=0.5")->lower(0);
  CHECK((rotary(e).at(0, 1, 0).theta == 0.5 && rotary(e).at(0, 2, 4).theta == 0.5 && rotary(e).at(0, 2, 0).theta == 0));
  const model::Encoding pixel = scheme("axial-2d:dim=16,frequencies=pixel")->lower(0);
  for (model::Index i = 0; i < 4; ++i)  // linspace(1, 5, 4) pi
    CHECK(std::abs(rotary(pixel).at(0, 2, i).theta - std::numbers::pi * (1 + 4.0 * static_cast<double>(i) / 3)) <= 8e-15);
  CHECK(test::refusal("axial-2d:dim=6") == "axial-2d: dim = 6: must be a multiple of 4: pairs for two axes");
}

TEST_CASE("axial-2d: scores of EVA-02's form, frequencies of both kinds, a class token at rest") {
  const auto c = test::rotary_family("image");
  for (const std::string kind : {"geometric", "pixel"}) {
    const model::Encoding e =
        scheme("axial-2d:dim=8,base=10000,columns=3,order=height-first,scale=0.5,class-tokens=1,frequencies=" + kind)->lower(0);
    check_same(model::terms(e, 0, test::family_content(c)).sum(), test::matrix(c[kind]), 1e-13);
    CHECK((e.point(0) == model::Point{0, 0, 0} && e.point(6) == model::Point{0, 1, 2}));
  }
  CHECK(scheme("mixed-2d:dim=8,columns=3,class-tokens=2")->lower(0).point(6) == model::Point{0, 1, 1});
}

TEST_CASE("axial-2d: columns of an image of four columns, row by row") {
  const model::Encoding e = scheme("axial-2d:columns=4")->lower(0);
  for (const auto& [token, column] : {std::pair{0, 0}, std::pair{1, 1}, std::pair{2, 2}, std::pair{3, 3}, std::pair{4, 0}})
    CHECK(e.point(token)[2] == column);
}

TEST_CASE("mixed-2d: scores with learned frequencies, and the frequencies at the start") {
  const auto c = test::scheme_case("rope_mixed_2d");
  test::MemoryLoader loader;
  loader.add("x", nlohmann::json::array({c["inputs"]["theta_x"]}));
  loader.add("y", nlohmann::json::array({c["inputs"]["theta_y"]}));
  const model::Encoding e = scheme("mixed-2d:dim=8,columns=3,theta-x=x,theta-y=y", 64, loader)->lower(0);
  CHECK(e.heads == 1);
  check_same(model::terms(e, 0, content(c)).sum(), test::matrix(c["expect"]["scores"]), 1e-12);
  const model::Encoding start = scheme("mixed-2d:dim=8,angle=0.7,heads=2")->lower(0);
  for (model::Index h = 0; h < 2; ++h)
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(std::abs(rotary(start).at(h, 2, static_cast<model::Index>(i)).theta - c["expect"]["init_theta_x"][i].get<double>()) <=
            1e-15);
      CHECK(std::abs(rotary(start).at(h, 1, static_cast<model::Index>(i)).theta - c["expect"]["init_theta_y"][i].get<double>()) <=
            1e-15);
    }
  CHECK(test::refusal("mixed-2d:theta-x=x") == "mixed-2d: theta-x = x: needs theta-x and theta-y both");
}

TEST_CASE("swin: index and bias of a window, windows apart") {
  const auto c = test::scheme_case("swin");
  test::MemoryLoader loader;
  loader.add("table", c["inputs"]["table"]);
  const model::Encoding e = scheme("swin:window=2,table=table", 4, loader)->lower(0);
  const auto& b = std::get<model::Bias>(e.terms.at(0));
  for (model::Pos m = 0; m < 4; ++m)
    for (model::Pos n = 0; n < 4; ++n) {
      CHECK(b.bucket(m, n) == c["expect"]["index"][static_cast<std::size_t>(m)][static_cast<std::size_t>(n)].get<model::Pos>());
      CHECK(b.bucket(m + 8, n + 8) == b.bucket(m, n));
    }
  for (std::size_t h = 0; h < 2; ++h)
    check_same(test::bias(e, static_cast<model::Index>(h), 4), test::matrix(c["expect"]["bias"][h]), 0);
  CHECK((e.visible(3, 0) && !e.visible(4, 3) && b.buckets == 9));
  CHECK(test::refusal("swin:window=3,table=learned.wpe.npy") ==
        "swin: table = learned.wpe.npy: shape [64, 32] must be [25, any]");
}
