#pragma once
// core: what can go wrong, and the exit code that says so. Only main.cpp catches.
#include <stdexcept>
#include <string>

namespace posenc {

/// Exit codes of the program (the sysexits numbers, documented in the manual).
enum class Exit : int {
  ok = 0,
  check_failed = 1,    // inspect --strict, compare, reproduce: a check did not hold
  usage = 64,          // a word or value on the command line
  bad_data = 65,       // a file that cannot be valid
  no_input = 66,       // a file that is not there
  internal = 70,
  cannot_create = 73,  // an output that exists or cannot be created
  io = 74,             // reading or writing failed
  try_again = 75,      // locked
  interrupted = 130,
  terminated = 143,
};

/// One line for stderr, naming field, value and violated rule.
class Error : public std::runtime_error {
 public:
  Error(Exit code, const std::string& line) : std::runtime_error(line), code_(code) {}
  Exit code() const { return code_; }

 private:
  Exit code_;
};

struct UsageError : Error {
  explicit UsageError(const std::string& line) : Error(Exit::usage, line) {}
};
struct BadData : Error {
  explicit BadData(const std::string& line) : Error(Exit::bad_data, line) {}
};

}  // namespace posenc
