#pragma once
// tests: the small cases of tests/data/cases.json, each with the check of its id.
#include "support/scheme_cases.hpp"

namespace posenc::test {

/// One case. What a check asks for is remembered: a key of `inputs` or `expect` that nobody reads is a part left unchecked.
class Case {
 public:
  explicit Case(nlohmann::json all) : all_(std::move(all)) {}

  const nlohmann::json& in(const std::string& key) { return at("inputs", key); }
  const nlohmann::json& expect(const std::string& key) { return at("expect", key); }
  /// An input as a field takes it: a number, or numbers a/b/c.
  std::string text(const std::string& key) {
    const nlohmann::json& j = in(key);
    if (!j.is_array()) return j.is_boolean() ? (j.get<bool>() ? "true" : "false") : number_text(j.get<double>());
    std::string out;
    for (const auto& x : j) out += (out.empty() ? "" : "/") + number_text(x.get<double>());
    return out;
  }
  /// The case's abs_tol; 0 without: the values are whole numbers or exact in binary.
  double tolerance() { return all_["expect"].contains("abs_tol") ? expect("abs_tol").get<double>() : 0; }
  /// Texts of the case that explain and hold no value of their own.
  void prose(std::initializer_list<const char*> keys) {
    for (const char* key : keys) {
      const char* part = all_["inputs"].contains(key) ? "inputs" : "expect";
      INFO(key << " is prose");
      CHECK(at(part, key).is_string());
    }
  }

  /// Ours is the value expected under `key`: a number, or numbers in order.
  void equals(const std::string& key, const std::vector<double>& ours) {
    INFO("expect." << key);
    const nlohmann::json& j = expect(key);
    check_same(ours, j.is_array() ? j.get<std::vector<double>>() : std::vector{j.get<double>()}, tolerance());
  }
  void equals(const std::string& key, double ours) { equals(key, std::vector{ours}); }
  /// The same to a few roundings of a double, for values far below the case's absolute tolerance.
  void equals_closely(const std::string& key, const std::vector<double>& ours) {
    INFO("expect." << key);
    const nlohmann::json& j = expect(key);
    check_same(ours, j.is_array() ? j.get<std::vector<double>>() : std::vector{j.get<double>()}, 0, few_roundings);
  }
  void equals_closely(const std::string& key, double ours) { equals_closely(key, std::vector{ours}); }
  /// Ours is not the value of the wrong implementation that the case describes under `key`.
  void differs(const std::string& key, const std::vector<double>& ours) {
    INFO("expect." << key << " is the wrong value");
    const nlohmann::json& j = expect(key);
    const auto wrong = j.is_array() ? j.get<std::vector<double>>() : std::vector{j.get<double>()};
    bool apart = ours.size() != wrong.size();
    for (std::size_t i = 0; i < std::min(ours.size(), wrong.size()); ++i)
      apart |= std::abs(ours[i] - wrong[i]) > tolerance() + few_roundings * std::abs(wrong[i]);
    CHECK(apart);
  }
  void differs(const std::string& key, double ours) { differs(key, std::vector{ours}); }

  std::vector<std::string> unread() const {
    std::vector<std::string> out;
    for (const char* part : {"inputs", "expect"})
      for (const auto& [key, value] : all_.at(part).items())
        if (!read_.contains(part + ("." + key))) out.push_back(part + ("." + key));
    return out;
  }

 private:
  static constexpr double few_roundings = 2e-15;  // of powers and quotients, in the file and here

  const nlohmann::json& at(const char* part, const std::string& key) {
    read_.insert(part + ("." + key));
    return all_.at(part).at(key);
  }
  nlohmann::json all_;
  std::set<std::string> read_;
};

using Check = void (*)(Case&);

/// All checks by id, from every part of the test.
inline std::multimap<std::string, Check>& case_checks() {
  static std::multimap<std::string, Check> all;
  return all;
}
struct CaseChecks {
  CaseChecks(std::initializer_list<std::pair<const char*, Check>> checks) {
    for (const auto& [id, check] : checks) case_checks().emplace(id, check);
  }
};

/// Whether the line names every one of the words.
inline bool names_all(const std::string& line, std::initializer_list<std::string> words) {
  return std::all_of(words.begin(), words.end(), [&](const std::string& w) { return line.find(w) != std::string::npos; });
}
/// The field's value in a resolved scheme.
inline std::string field_text(model::Scheme& s, std::string_view name) {
  Fields fields = s.fields();
  return text(*find(fields, name));
}

}  // namespace posenc::test
