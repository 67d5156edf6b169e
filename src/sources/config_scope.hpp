#pragma once
// sources: the keys of one object of a config.json, read strictly; every reading is noted in the report.
#include "sources/json.hpp"
#include "sources/model_report.hpp"

#include <map>
#include <span>

namespace posenc::sources {

/// The report's keys and messages while a file is read.
class Ledger {
 public:
  explicit Ledger(ModelReport& report) : report_(report) {}
  /// Lists the members of an object, once, as ignored; names that begin with _ are notes of the file's author. An error where
  /// the objects that are read have more than 2^17 members together, or the prefix is longer than 1024 bytes.
  void list(const Json& object, const std::string& prefix);
  /// Status and note of a key; of two the weightier stays: conflicting, overridden, used, defaulted, ignored.
  void mark(const std::string& key, KeyStatus status, const std::string& note = {});
  /// A key that is not in the file, once.
  void defaulted(const std::string& key, const std::string& value, const std::string& note);
  bool touched(const std::string& key) const;
  void warn(const std::string& line);  // each line once, at most 100 and one that says that there are more
  /// With the reading that it warns of: condition, layer and values.
  void warn(const std::string& line, WhatIf otherwise);
  void error(const std::string& line);  // likewise
  bool failed() const { return !report_.errors.empty(); }

 private:
  ModelReport& report_;
  struct Place {
    std::size_t at;
    bool touched = false;
  };
  std::map<std::string, Place> places_;
};

class Scope {
 public:
  Scope(Ledger& ledger, const Json& object, std::string prefix);

  Ledger& ledger() const { return *ledger_; }
  const Json* self() const { return object_; }
  /// The key with its path.
  std::string path(std::string_view name) const { return prefix_ + std::string(name); }
  /// Present and not null.
  bool has(std::string_view name) const;
  const Json* value(std::string_view name) const;
  const std::vector<std::pair<std::string, Json>>& members() const { return object_->members; }

  // A value of that kind, marked used; nothing where the key is absent, null (noted) or of another kind (an error).
  // Of an integer that float64 does not hold the nearest number, with a warning; one so small that float64 makes it 0 is an
  // error.
  std::optional<double> number(std::string_view name) const;
  std::optional<model::Pos> count(std::string_view name, model::Pos low = 1) const;  // whole, low .. 2^53
  std::optional<bool> flag(std::string_view name) const;
  std::optional<std::string> word(std::string_view name) const;
  std::optional<std::vector<double>> numbers(std::string_view name) const;
  std::optional<std::vector<std::string>> words(std::string_view name) const;
  std::optional<Scope> object(std::string_view name) const;

  /// The first of several names of one thing that is present; later ones are overridden, or conflicting where they differ.
  std::optional<double> number(std::span<const std::string_view> names) const;
  std::optional<model::Pos> count(std::span<const std::string_view> names) const;

  void mark(std::string_view name, KeyStatus status, const std::string& note = {}) const;
  /// Another key decided `winner` = `value`: overridden, or conflicting with a warning where this key says otherwise.
  /// `otherwise`: values of an encoding if this key decided.
  void lost(std::string_view name, std::string_view winner, double value, std::optional<WhatIf> otherwise = {}) const;
  void defaulted(std::string_view name, const std::string& value, const std::string& note) const;

 private:
  template <class T, class Read>
  std::optional<T> read(std::string_view name, std::string_view kind, Read&& read) const;
  bool holds(std::string_view name, const Json& number) const;
  template <class T, class One>
  std::optional<T> first(std::span<const std::string_view> names, One&& one) const;

  Ledger* ledger_;
  const Json* object_;
  std::string prefix_;
};

}  // namespace posenc::sources
