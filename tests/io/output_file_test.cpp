#include "io/output_file.hpp"

#include "core/error.hpp"
#include "io/sample_file.hpp"
#include "support/catch.hpp"

#include <csignal>
#include <functional>

using namespace posenc;
using namespace posenc::test;

namespace {

struct Outcome {
  int code = 0;
  std::string line = "no error";
};
Outcome outcome(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& e) {
    return {static_cast<int>(e.code()), e.what()};
  }
  return {};
}
const std::string& line(const Outcome& o) { return o.line; }

Schema two_axes() {
  Schema s;
  s.axis({"row", 4}, Type::i64, "1", "row");
  s.axis({"column", 2}, Type::i64, "1", "column");
  s.add({"x", Type::f64, {"row", "column"}, "1", "x"});
  return s;
}
void write_axes(Sink& sink) {
  sink.write("row", 0, std::vector<double>{0, 1, 2, 3});
  sink.write("column", 0, std::vector<double>{0, 1});
}
const std::vector<double> one_row{1, 2}, four_rows{1, 2, 3, 4, 5, 6, 7, 8};

}  // namespace

TEST_CASE("two equal runs are the same bytes, whatever the block sizes of the writer and the threads") {
  const Folder folder;
  for (const int deflate : {0, 5}) {
    write_sample(folder / "a.h5", {.force = true, .deflate = deflate, .threads = 1});
    write_sample(folder / "b.h5", {.force = true, .deflate = deflate, .threads = 3});
    CHECK(bytes(folder / "a.h5") == bytes(folder / "b.h5"));
    for (const std::uint64_t at_once : {1, 300}) {
      io::OutputFile file(folder / std::to_string(at_once), {.force = true, .deflate = deflate});
      write_encodings(*file.group("/encodings/rope", encodings_schema(9000, 64)), 9000, 64, at_once);
      file.commit();
    }
    CHECK(bytes(folder / "1") == bytes(folder / "300"));
    CHECK(bytes(folder / "1").size() > 9000);
  }
}

TEST_CASE("rows come in order, whole, and not too many") {
  const Folder folder;
  io::OutputFile file(folder / "a.h5", {});
  const auto sink = file.group("/g", two_axes());
  const auto refused = [&](const std::function<void()>& work, const std::string& words) {
    const Outcome o = outcome(work);
    CHECK(o.code == 70);
    CHECK_THAT(line(o), Catch::Matchers::Contains(words));
  };
  sink->write("x", 0, one_row);
  refused([&] { sink->write("x", 2, one_row); }, "internal: /g/x: element 4 written where 2 is due");
  refused([&] { sink->write("x", 0, one_row); }, "internal: /g/x: element 0 written where 2 is due");
  refused([&] { sink->write("x", 1, std::vector<double>{1, 2, 3}); }, "/g/x: 3 elements are not whole rows of 2");
  refused([&] { sink->write("x", 1, four_rows); }, "/g/x: more than 8 elements written");
  refused([&] { sink->write("y", 0, one_row); }, "/g: no variable 'y'");
  refused([&] { sink->write_text("x", 1, std::vector<std::string>{"a", "b"}); }, "/g/x: text written to a number");
  refused([&] { sink->attribute("x", {"units", "rad"}); }, "/g/x: attribute 'units' belongs to the layout");
  sink->write_elements("x", 2, std::vector<double>{3, 4, 5});
  refused([&] { sink->write("x", 2, one_row); }, "/g/x: element 4 written where 5 is due");
}

TEST_CASE("integers take exactly what they hold") {
  const Folder folder;
  Schema s;
  s.axis({"i", 2}, Type::i64, "1", "i");
  s.add({"small", Type::i8, {"i"}, "1", "small"});
  for (const double bad : {0.5, std::nan(""), HUGE_VAL, 0x1p63, -0x1.8p64}) {
    io::OutputFile file(folder / "a.h5", {});
    const auto sink = file.group("/g", s);
    CHECK(outcome([&] { sink->write("i", 0, std::vector<double>{0, bad}); }).code == 70);
  }
  io::OutputFile file(folder / "a.h5", {});
  const auto sink = file.group("/g", s);
  sink->write("i", 0, std::vector<double>{-0x1p63, 0x1.fffffffffffffp62});
  CHECK(line(outcome([&] {
          sink->write("small", 0, std::vector<double>{1, 128});
        })) == "internal: /g/small: 128 does not fit an integer of 8 bits");
}

TEST_CASE("an incomplete variable is named, and no file appears") {
  const Folder folder;
  {
    io::OutputFile file(folder / "a.h5", {});
    {
      const auto sink = file.group("/g", two_axes());
      write_axes(*sink);
      sink->write("x", 0, one_row);
    }
    CHECK(folder.files() == 1);
    const Outcome o = outcome([&] { file.commit(); });
    CHECK(o.code == 70);
    CHECK(o.line == "internal: /g/x: is incomplete: 2 of 8 elements written");
  }
  CHECK(folder.files() == 0);
}

TEST_CASE("an analysis that throws leaves nothing behind") {
  const Folder folder;
  const Outcome o = outcome([&] {
    io::OutputFile file(folder / "a.h5", {});
    const auto sink = file.group("/g", two_axes());
    sink->write("x", 0, one_row);
    throw UsageError("thrown");
  });
  CHECK(o.line == "thrown");
  CHECK(folder.files() == 0);
}

TEST_CASE("variables along a growing dimension end at one length") {
  const Folder folder;
  io::OutputFile file(folder / "a.h5", {});
  {
    const auto sink = file.group("/g", records_schema());
    write_records(*sink, 3);
    sink->write("record", 3, std::vector<double>{3});
  }
  const Outcome o = outcome([&] { file.commit(); });
  CHECK(o.code == 70);
  CHECK(o.line == "internal: /g/record_distance: has 3 rows along 'record' where '/g/record' has 4");
}

TEST_CASE("a schema that readers would not take is refused") {
  const Folder folder;
  io::OutputFile file(folder / "a.h5", {});
  const auto refused = [&](const Schema& s, const std::string& words, const std::string& path = "/g/h") {
    const Outcome o = outcome([&] { file.group(path, s); });
    CHECK(o.code == 70);
    CHECK_THAT(line(o), Catch::Matchers::Contains(words));
  };
  Schema s = two_axes();
  s.dims.push_back({"bare", 3});
  refused(s, "/g/h: dimension 'bare' has no coordinate variable");
  s = two_axes();
  s.add({"y", Type::f64, {"nowhere"}, "1", "y"});
  refused(s, "/g/h/y: axis 'nowhere' is no dimension");
  s = two_axes();
  s.add({"x", Type::f64, {}, "1", "x"});
  refused(s, "/g/h/x: declared twice");
  s = two_axes();
  s.add({"y", Type::f64, {}, "", "y"});
  refused(s, "/g/h/y: has no unit");
  s = two_axes();
  s.axis({"record", 0, true}, Type::i64, "1", "r");
  s.add({"y", Type::f64, {"row", "record"}, "1", "y"});
  refused(s, "/g/h/y: growing dimension 'record' must come first");
  s = two_axes();
  s.add({"a/b", Type::f64, {}, "1", "y"});
  refused(s, "'a/b' is not usable");
  refused(two_axes(), "is not an absolute path", "g");
  refused(two_axes(), "is not an absolute path", "/g//h");
  const auto sink = file.group("/g/h", two_axes());
  refused(two_axes(), "overlaps the group '/g/h'", "/g");
  refused(two_axes(), "overlaps the group '/g/h'", "/g/h");
  refused(two_axes(), "overlaps the group '/g/h'", "/g/h/i");
  CHECK_FALSE(file.poisoned());
}

TEST_CASE("a stop asked for ends the next write") {
  const Folder folder;
  {
    io::OutputFile file(folder / "a.h5", {});
    const auto sink = file.group("/g", two_axes());
    request_stop(SIGINT);
    CHECK(outcome([&] { sink->write("x", 0, one_row); }).code == 130);
    request_stop(SIGTERM);
    CHECK(outcome([&] { sink->write("x", 0, one_row); }).code == 143);
    request_stop(0);
  }
  CHECK(folder.files() == 0);
}
