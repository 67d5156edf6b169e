#include "io/atomic_file.hpp"

#include "core/error.hpp"
#include "io/child.hpp"
#include "io/sample_file.hpp"
#include "support/catch.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <cerrno>

using namespace posenc;
using namespace posenc::test;
using io::AtomicFile;

namespace {

void put(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

std::string refusal(const std::string& path, bool force = false) {
  try {
    AtomicFile file(path, force);
  } catch (const Error& e) {
    CHECK(e.code() == Exit::cannot_create);
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("the file has its name only when it is committed") {
  const Folder folder;
  const std::string path = folder / "a.h5";
  {
    AtomicFile file(path, false);
    CHECK(file.partial().rfind(path + ".partial.", 0) == 0);
    CHECK(file.partial().find(std::to_string(getpid())) != std::string::npos);
    put(file.partial(), "new");
    CHECK_FALSE(std::filesystem::exists(path));
    file.commit();
  }
  CHECK(bytes(path) == "new");
  CHECK(folder.files() == 1);
}

TEST_CASE("a file that is not committed leaves the previous one as it was") {
  const Folder folder;
  put(folder / "a.h5", "old");
  {
    AtomicFile file(folder / "a.h5", true);
    put(file.partial(), "new");
  }
  CHECK(bytes(folder / "a.h5") == "old");
  CHECK(folder.files() == 1);
}

TEST_CASE("an existing file is overwritten only by force") {
  const Folder folder;
  const std::string path = folder / "a.h5";
  put(path, "old");
  CHECK(refusal(path) == "'" + path + "' exists: use --force to overwrite it");
  AtomicFile file(path, true);
  put(file.partial(), "new");
  file.commit();
  CHECK(bytes(path) == "new");
}

TEST_CASE("a file that appeared while the new one was written is not overwritten") {
  const Folder folder;
  const std::string path = folder / "a.h5";
  AtomicFile file(path, false);
  put(path, "other");
  try {
    file.commit();
    FAIL("overwritten");
  } catch (const Error& e) {
    CHECK(e.code() == Exit::cannot_create);
    CHECK(std::string(e.what()) == "'" + path + "' exists: use --force to overwrite it");
  }
  CHECK(bytes(path) == "other");
  CHECK(folder.files() == 1);
}

TEST_CASE("moving without replacing, with and without the system's own call") {
  const Folder folder;
  for (const bool use_rename : {true, false}) {
    put(folder / "from", "x");
    put(folder / "taken", "y");
    CHECK(io::move_without_replacing(folder / "from", folder / "taken", use_rename) == EEXIST);
    CHECK(bytes(folder / "taken") == "y");
    const std::string free = folder / ("free" + std::to_string(use_rename));
    CHECK(io::move_without_replacing(folder / "from", free, use_rename) == 0);
    CHECK(bytes(free) == "x");
    CHECK_FALSE(std::filesystem::exists(folder / "from"));
  }
}

TEST_CASE("what cannot be a target is refused in one line") {
  const Folder folder;
  const std::string missing = folder / "none/a.h5", name = folder / "a";
  CHECK(refusal(missing) ==
        "cannot create '" + missing + "': folder '" + folder.path.string() + "/none': No such file or directory");
  CHECK(refusal(folder.path.string(), true) == "cannot create '" + folder.path.string() + "': is a folder");
  CHECK(refusal(folder / "new/", true) == "cannot create '" + folder / "new/" + "': is the name of a folder");
  CHECK(refusal("", true) == "cannot create '': the name is empty");
  CHECK(refusal("/dev/null", true) == "cannot create '/dev/null': is not a regular file");
  put(name, "");
  CHECK(refusal(name + "/b.h5") == "cannot create '" + name + "/b.h5': Not a directory");
  const std::string longest(255, 'n');
  CHECK(refusal(folder / (longest + "n")) == "cannot create '" + folder / (longest + "n") + "': File name too long");
  CHECK(refusal(folder / longest) == "accepted");
  std::filesystem::create_symlink("nowhere", folder / "dangling");
  CHECK(refusal(folder / "dangling", true) ==
        "cannot create '" + folder / "dangling" + "': is a link to a file that does not exist");
  CHECK(folder.files() == 2);
}

TEST_CASE("a folder without permission is refused") {
  const Folder folder;
  const std::string closed = folder / "closed";
  mkdir(closed.c_str(), 0555);
  const Child child = in_child([&] {
    if (geteuid() == 0 && setuid(65534) != 0) return std::string("cannot become another user");  // root may write everywhere
    return refusal(closed + "/a.h5");
  });
  CHECK(child.line == "cannot create '" + closed + "/a.h5': folder '" + closed + "': Permission denied");
}

TEST_CASE("overwriting through a link keeps the link") {
  const Folder folder;
  std::filesystem::create_directory(folder / "real");
  put(folder / "real/a.h5", "old");
  std::filesystem::create_symlink("real/a.h5", folder / "link.h5");
  AtomicFile file(folder / "link.h5", true);
  CHECK(file.partial().rfind(folder / "real/a.h5.partial.", 0) == 0);
  put(file.partial(), "new");
  file.commit();
  CHECK(std::filesystem::is_symlink(folder / "link.h5"));
  CHECK(bytes(folder / "real/a.h5") == "new");
}

TEST_CASE("a partial file left by a dead process is not touched") {
  const Folder folder;
  const AtomicFile first(folder / "a.h5", false);
  const AtomicFile second(folder / "a.h5", false);
  CHECK(first.partial() != second.partial());
}
