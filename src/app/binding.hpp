#pragma once
// app: the one place where fields become options of the command line. CLI11 only cuts the line into words: every value
// reaches its field as text through core's strict setter.
#include "app/command.hpp"

#include <deque>

namespace CLI {
class App;
}

namespace posenc::app {

/// How a field is spelled: "--length", "-o,--output", "--no-tables" (a switch that is on by default).
std::string option_name(const Field& field);
/// A field that is a switch takes no value.
bool is_switch(const Field& field);

class Binding {
 public:
  Binding() = default;
  Binding(const Binding&) = delete;
  Binding& operator=(const Binding&) = delete;

  /// Adds one option for each name among the groups' fields. `app` must not outlive this object.
  void bind(CLI::App& app, std::vector<OptionGroup> groups);
  /// Sets the fields of the options that were given. Throws UsageError for a refused value or an option given twice.
  void apply();
  const std::vector<OptionGroup>& groups() const { return groups_; }
  /// Names of all options bound, with their dashes.
  std::vector<std::string> names() const;

 private:
  struct Bound {
    std::string spelled;
    bool is_switch = false;
    std::vector<std::pair<std::string, Field*>> fields;  // owner and field
    std::vector<std::string> given;
  };
  std::vector<OptionGroup> groups_;
  std::deque<Bound> bound_;
};

}  // namespace posenc::app
