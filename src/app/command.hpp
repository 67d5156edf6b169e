#pragma once
// app: the interface of a command. A command is one source file and one line in commands.def.
#include "app/globals.hpp"
#include "core/error.hpp"
#include "core/field.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace posenc::app {

/// A line that works as written, and what it does.
struct Example {
  std::string line, about;
};

struct CommandInfo {
  std::string_view name;   // the user's word
  std::string_view title;  // one line
  std::string about;       // paragraphs of the help text
  std::vector<Example> examples;
};

/// Words that are no options: between `least` and `most` of them, in the order of the list.
struct Argument {
  std::string_view name, about;
  std::size_t least = 0, most = 0;
  std::vector<std::string>* words = nullptr;
};

/// Options under one heading of the help text. `owner` begins the message about a refused value.
struct OptionGroup {
  std::string title, owner;
  Fields fields;
};

class Command {
 public:
  virtual ~Command() = default;
  virtual CommandInfo info() const = 0;
  virtual std::vector<Argument> arguments() { return {}; }
  /// Fields that point into this object. The same name in several groups is one option that sets them all.
  virtual std::vector<OptionGroup> options() { return {}; }
  /// Works on the values set. Data go to stdout, messages to stderr; errors are thrown.
  virtual Exit run(const Globals& globals) = 0;
};

}  // namespace posenc::app
