// Attributes of a group come from three declarations; one name must not mean two things.
#include "analyses/registry.hpp"
#include "model/request.hpp"
#include "schemes/registry.hpp"
#include "support/catch.hpp"

#include <set>
#include <string>

using namespace posenc;

TEST_CASE("no option of an analysis or of the request has the name of a scheme's field") {
  std::set<std::string> of_schemes{"encoding", "scheme", "train_length"};
  for (const auto name : schemes::registry().names()) {
    const auto scheme = schemes::registry().make(name);
    for (const Field& f : scheme->fields()) {
      INFO(name << ": " << f.name);
      CHECK((f.name != "label" && f.name != "encoding" && f.name != "scheme" && f.name != "train-length"));
      of_schemes.insert(std::string(f.name));
    }
  }
  model::Request request;
  std::set<std::string> common;
  for (const Field& f : request.fields()) {
    INFO("request: " << f.name);
    CHECK_FALSE(of_schemes.contains(std::string(f.name)));
    common.insert(std::string(f.name));
  }
  for (const auto name : analyses::registry().names()) {
    const auto analysis = analyses::registry().make(name);
    for (const Field& f : analysis->fields()) {
      INFO(name << ": " << f.name);
      CHECK_FALSE(of_schemes.contains(std::string(f.name)));
      CHECK_FALSE(common.contains(std::string(f.name)));
    }
  }
}

TEST_CASE("every field has a unit, says what it is about, and holds a default within its range") {
  const auto check = [](const std::string& owner, Fields fields) {
    for (Field& f : fields) {
      INFO(owner << ": " << f.name);
      CHECK_FALSE(f.unit.empty());
      CHECK_FALSE(f.about.empty());
      const std::string value = text(f);
      if (!value.empty()) CHECK_NOTHROW(set(owner, f, value));
      if (!value.empty()) CHECK(text(f) == value);
    }
  };
  for (const auto name : schemes::registry().names()) {
    const auto scheme = schemes::registry().make(name);
    check(std::string(name), scheme->fields());
  }
  for (const auto name : analyses::registry().names()) {
    const auto analysis = analyses::registry().make(name);
    check(std::string(name), analysis->fields());
  }
  model::Request request;
  check("request", request.fields());
}
