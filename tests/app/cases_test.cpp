// The small cases of tests/data/cases.json: each is checked by a function of its id (tests/app/cases/), or stands here with the
// reason why the program has nothing to check it with.
#include "support/cases.hpp"

using namespace posenc;
using nlohmann::json;

namespace {

const std::map<std::string, std::string> without_surface{
    {"2d-01", "no table is interpolated to another grid: a grid is computed at its own size"},
};

json all_cases() {
  std::ifstream in(POSENC_TEST_DATA "/cases.json");
  return json::parse(in).at("cases");
}

}  // namespace

TEST_CASE("every small case is checked once or has a reason, and nothing else is") {
  std::set<std::string> ids;
  for (const json& c : all_cases()) {
    const auto id = c.at("id").get<std::string>();
    INFO(id);
    CHECK(ids.insert(id).second);
    CHECK(test::case_checks().count(id) + without_surface.count(id) == 1);
  }
  CHECK(ids.size() == 85);
  for (const auto& [id, check] : test::case_checks()) {
    INFO(id);
    CHECK(ids.contains(id));
  }
  for (const auto& [id, reason] : without_surface) {
    INFO(id);
    CHECK((ids.contains(id) && !reason.empty()));
  }
}

TEST_CASE("the small cases hold") {
  for (const json& c : all_cases()) {
    const auto id = c.at("id").get<std::string>();
    const auto check = test::case_checks().find(id);
    if (check == test::case_checks().end()) continue;
    DYNAMIC_SECTION(id << ": " << c.at("question").get<std::string>()) {
      test::Case one(c);
      check->second(one);
      CHECK(one.unread() == std::vector<std::string>{});
    }
  }
}
