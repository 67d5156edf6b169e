#pragma once
// tests: what an action throws, as "code: message".
#include "core/error.hpp"

#include <string>

namespace posenc::test {

template <class Action>
std::string thrown(Action&& action) {
  try {
    action();
  } catch (const Error& e) {
    return std::to_string(static_cast<int>(e.code())) + ": " + e.what();
  }
  return "nothing";
}

}  // namespace posenc::test
