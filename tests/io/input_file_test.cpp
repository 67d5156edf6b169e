#include "io/input_file.hpp"

#include "core/error.hpp"
#include "io/child.hpp"
#include "io/copy_group.hpp"
#include "io/sample_file.hpp"
#include "support/catch.hpp"

#include <functional>

using namespace posenc;
using namespace posenc::test;
using io::InputFile;
using io::InputVariable;

namespace {

std::string refusal(Exit code, const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& e) {
    CHECK(e.code() == code);
    return e.what();
  }
  return "accepted";
}

std::vector<double> numbers(const InputFile& file, const std::string& name) {
  std::vector<double> out(file.variable(name).size());
  file.read(name, 0, out);
  return out;
}

const AttributeValue* find(const std::vector<Attribute>& all, const std::string& name) {
  for (const auto& a : all)
    if (a.name == name) return &a.value;
  return nullptr;
}

}  // namespace

TEST_CASE("every type, rank and attribute reads back as it was written") {
  const Folder folder;
  for (const int deflate : {0, 4}) {
    const std::string path = folder / ("a" + std::to_string(deflate) + ".h5");
    write_sample(path, {.deflate = deflate, .threads = 2});
    const InputFile file(path);
    CHECK(file.groups() == std::vector<std::string>{"/", "/encodings", "/encodings/rope", "/encodings/rope32", "/periodicity",
                                                    "/periodicity/rope", "/periodicity/nope", "/summary"});
    CHECK(std::get<std::string>(*find(file.attributes("/"), "title")) == "a sample of every kind of variable");
    const auto group = file.attributes("/encodings/rope");
    CHECK(std::get<std::string>(*find(group, "formula")) == "cos(m t)");
    CHECK(std::get<std::int64_t>(*find(group, "heads")) == 4);
    CHECK(std::get<double>(*find(group, "base")) == 1e4);
    CHECK(std::get<std::vector<double>>(*find(group, "list")) == std::vector<double>{1, 2.5});
    CHECK(std::get<std::string>(*find(group, "not_applicable")) == "bucket bias");
    CHECK(std::get<std::string>(*find(group, "not_applicable_bucket")) == "rotary: no buckets");

    const InputVariable cosine = file.variable("/encodings/rope/cos");
    CHECK((cosine.type == "float64" && cosine.unit == "1" && cosine.about == "cosine of the angle" && !cosine.grows));
    CHECK(cosine.shape == std::vector<std::uint64_t>{300, 7});
    CHECK(cosine.dims == std::vector<std::string>{"position", "pair"});
    CHECK(cosine.attributes.empty());
    const auto f64 = numbers(file, "/encodings/rope/cos"), f32 = numbers(file, "/encodings/rope32/cos");
    for (std::size_t i = 0; i < f64.size(); ++i)
      REQUIRE((f64[i] == sample(i) && f32[i] == static_cast<double>(static_cast<float>(sample(i)))));

    const auto records = file.variables("/periodicity/rope");
    CHECK(records.size() == 6);
    CHECK((records[0].name == "record" && records[0].grows && records[0].shape[0] == 1100));
    const auto distance = numbers(file, "/periodicity/rope/record_distance");
    REQUIRE(distance.size() == 3300);
    for (std::size_t i = 0; i < distance.size(); ++i)
      REQUIRE(distance[i] == static_cast<double>(i / 3) + 0.25 * static_cast<double>(i % 3));
    CHECK(file.read_text("/periodicity/rope/record_name", 1098, 2) == std::vector<std::string>{"r1098", "r1099"});
    CHECK(file.variable("/periodicity/nope/record_distance").shape == std::vector<std::uint64_t>{0, 3});
    CHECK(std::isnan(numbers(file, "/periodicity/nope/slope")[2]));

    CHECK(file.read_text("/summary/encoding", 0, 2) == std::vector<std::string>{"rope", "gr\u00f6\u00dfe"});
    CHECK(numbers(file, "/summary/total")[0] == 1.5);
    CHECK(numbers(file, "/summary/count")[0] == 0x1p53);
    CHECK(file.read_text("/summary/word", 0, 1) == std::vector<std::string>{"whole"});
    CHECK(std::get<std::string>(*find(file.variable("/summary/total").attributes, "source")) == "known late");
    CHECK(std::get<std::string>(*find(file.attributes("/summary"), "note")) == "of the group");
    const auto layout = file.variable("/summary/layout");
    CHECK(
        (layout.type == "int8" && std::get<std::string>(*find(layout.attributes, "flag_meanings")) == "interleaved half_split"));
  }
}

TEST_CASE("any range of elements is read") {
  const Folder folder;
  write_sample(folder / "a.h5");
  const InputFile file(folder / "a.h5");
  const auto all = numbers(file, "/summary/error");
  REQUIRE(all.size() == 20);
  for (std::size_t first = 0; first <= 20; ++first)
    for (std::size_t n = 0; first + n <= 20; ++n) {
      std::vector<double> part(n);
      file.read("/summary/error", first, part);
      REQUIRE(part == std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(first),
                                          all.begin() + static_cast<std::ptrdiff_t>(first + n)));
    }
  std::vector<double> two(2);
  CHECK(refusal(Exit::internal, [&] { file.read("/summary/error", 19, two); }) != "accepted");
}

TEST_CASE("a copied group is the same group") {
  const Folder folder;
  write_sample(folder / "a.h5");
  const InputFile from(folder / "a.h5");
  io::OutputFile to(folder / "b.h5", {});
  for (const auto& a : from.attributes("/")) to.attribute(a);
  for (const auto& group : from.groups())
    if (!from.variables(group).empty()) io::copy_data(from, group, *to.group(group, io::schema_of(from, group)));
  to.commit();
  const InputFile copy(folder / "b.h5");
  CHECK(copy.groups() == from.groups());
  for (const auto& group : from.groups()) {
    CHECK(copy.attributes(group).size() == from.attributes(group).size());
    const auto a = from.variables(group), b = copy.variables(group);
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      INFO(group << "/" << a[i].name);
      CHECK((a[i].name == b[i].name && a[i].type == b[i].type && a[i].shape == b[i].shape && a[i].dims == b[i].dims));
      CHECK((a[i].unit == b[i].unit && a[i].about == b[i].about && a[i].grows == b[i].grows));
      CHECK(a[i].attributes.size() == b[i].attributes.size());
      const std::string name = group + "/" + a[i].name;
      if (a[i].kind == InputVariable::Kind::text) {
        CHECK(from.read_text(name, 0, a[i].size()) == copy.read_text(name, 0, a[i].size()));
      } else {
        const auto x = numbers(from, name), y = numbers(copy, name);
        for (std::size_t k = 0; k < x.size(); ++k) REQUIRE((x[k] == y[k] || (std::isnan(x[k]) && std::isnan(y[k]))));
      }
    }
  }
}

TEST_CASE("a file through a pipe") {
  const Folder folder;
  write_sample(folder / "a.h5");
  const Child child = in_child([&] {
    if (!std::freopen((folder / "a.h5").c_str(), "rb", stdin)) return std::string("no file");
    const InputFile file("-");
    return file.read_text("/summary/encoding", 0, 1)[0];
  });
  CHECK(child.line == "rope");
  const Child out = in_child([&] {
    if (!std::freopen((folder / "out.h5").c_str(), "wb", stdout)) return std::string("no file");
    io::OutputFile file("-", {});
    write_sample(file);
    file.commit();
    return std::string("written");
  });
  CHECK(out.line == "written");
  CHECK(bytes(folder / "out.h5") == bytes(folder / "a.h5"));
}

TEST_CASE("what cannot be read is named in one line") {
  const Folder folder;
  const std::string a = folder / "a.h5", text = folder / "text.h5", cut = folder / "cut.h5";
  write_sample(a);
  std::ofstream(text) << "position,channel\n";
  std::ofstream(cut, std::ios::binary) << bytes(a).substr(0, 50'000);
  CHECK(refusal(Exit::no_input, [&] { InputFile f(folder / "none.h5"); }) ==
        "cannot read '" + (folder / "none.h5") + "': No such file or directory");
  CHECK(refusal(Exit::no_input, [&] { InputFile f(folder.path.string()); }) ==
        "cannot read '" + folder.path.string() + "': is a folder");
  CHECK(refusal(Exit::no_input, [&] { InputFile f("/dev/null"); }) == "cannot read '/dev/null': is not a regular file");
  CHECK(refusal(Exit::bad_data, [&] { InputFile f(text); }) == "'" + text + "': is not an HDF5 file");
  CHECK_THAT(refusal(Exit::bad_data, [&] { InputFile f(cut); }), Catch::Matchers::Contains("'" + cut + "': truncated file"));
  const InputFile file(a);
  std::vector<double> one(1);
  CHECK(refusal(Exit::bad_data, [&] { file.read("/summary/missing", 0, one); }) == "'" + a + "': has no '/summary/missing'");
  CHECK(refusal(Exit::bad_data, [&] { file.read("/none/x", 0, one); }) == "'" + a + "': has no '/none'");
  CHECK(refusal(Exit::bad_data, [&] { file.read("/summary", 0, one); }) == "'" + a + "': '/summary' is not a dataset");
  CHECK(refusal(Exit::bad_data, [&] { file.read("/summary/encoding", 0, one); }) ==
        "'" + a + "': '/summary/encoding' holds text, not numbers");
  CHECK(refusal(Exit::bad_data, [&] { file.read_text("/summary/lag", 0, 1); }) ==
        "'" + a + "': '/summary/lag' holds int64, not text");
  CHECK(refusal(Exit::bad_data, [&] { file.variables("/summary/lag"); }) == "'" + a + "': '/summary/lag' is not a group");
}
