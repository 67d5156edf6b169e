#pragma once
// tests: work in a process of its own, for limits, other users and failures after which HDF5 may not be used any more.
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <functional>
#include <string>

namespace posenc::test {

struct Child {
  std::string line;  // what the work returned
  int status = 0;    // of waitpid: 0 if it came to its end
};

/// Leaves the child with _exit, as the program does after an error.
inline Child in_child(const std::function<std::string()>& work) {
  int ends[2];
  Child child;
  std::fflush(nullptr);
  if (pipe(ends) != 0) return {"no pipe", -1};
  const pid_t id = fork();
  if (id == 0) {
    close(ends[0]);
    const std::string line = work();
    const bool sent = write(ends[1], line.data(), line.size()) == static_cast<ssize_t>(line.size());
    _exit(sent ? 0 : 1);
  }
  close(ends[1]);
  char buffer[4096];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;) child.line.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  waitpid(id, &child.status, 0);
  return child;
}

}  // namespace posenc::test
