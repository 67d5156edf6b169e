#include "sources/gguf.hpp"

#include "sources/gguf_bytes.hpp"
#include "sources/loader.hpp"
#include "sources/temporary_file.hpp"
#include "sources/thrown.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <limits>

using namespace posenc;
using sources::Json;
using test::GgufBytes;
using test::TemporaryFile;
using test::thrown;

namespace {

sources::GgufFile parsed(const std::string& bytes) {
  const auto owner = std::make_shared<const std::string>(bytes);
  return sources::read_gguf({std::as_bytes(std::span(owner->data(), owner->size())), owner}, "t.gguf");
}
std::string refusal(const std::string& bytes) {
  return thrown([&] { parsed(bytes); });
}
bool says(const std::string& message, const std::string& words) { return message.find(words) != std::string::npos; }
template <class Number>
std::string raw(Number v) {
  return GgufBytes::raw(v);
}

}  // namespace

TEST_CASE("every type of value, in both versions") {
  GgufBytes g;
  g.pair("a.u8", 0, "\xff").pair("a.i8", 1, "\xff").pair("a.u16", 2, raw<std::uint16_t>(65535));
  g.pair("a.i16", 3, raw<std::int16_t>(-2)).u32("a.u32", 4294967295U).pair("a.i32", 5, raw<std::int32_t>(-3));
  g.f32("a.f32", 0.1F).flag("a.yes", true).flag("a.no", false).text("a.text", "w\xc3\xb6rd");
  g.pair("a.u64", 10, raw<std::uint64_t>(~0ULL)).pair("a.i64", 11, raw<std::int64_t>(-4)).pair("a.f64", 12, raw(0.1));
  g.pair("a.nan", 6, raw(std::numeric_limits<float>::quiet_NaN()))
      .pair("a.inf", 12, raw(-std::numeric_limits<double>::infinity()));
  g.numbers("a.list", {1, -2, 3}).flags("a.flags", {true, false});
  for (const std::uint32_t version : {2U, 3U}) {
    const Json m = parsed(g.bytes(version)).metadata;
    const auto whole = [&](const char* key) { return m.find(key)->integer; };
    CHECK((whole("a.u8") == 255 && whole("a.i8") == -1 && whole("a.u16") == 65535 && whole("a.i16") == -2));
    CHECK((whole("a.u32") == 4294967295 && whole("a.i32") == -3 && whole("a.i64") == -4));
    CHECK(m.find("a.u64")->text == "18446744073709551615");
    CHECK(m.find("a.f32")->number == static_cast<double>(0.1F));
    CHECK(m.find("a.f64")->number == 0.1);
    CHECK((m.find("a.yes")->boolean && !m.find("a.no")->boolean && m.find("a.no")->kind == Json::Kind::boolean));
    CHECK(m.find("a.text")->text == "w\xc3\xb6rd");
    CHECK((m.find("a.nan")->text == "nan" && m.find("a.inf")->text == "-inf" && m.find("a.inf")->kind == Json::Kind::text));
    CHECK(sources::json_text(*m.find("a.list")) == "[1, -2, 3]");
    CHECK(sources::json_text(*m.find("a.flags")) == "[true, false]");
  }
}

TEST_CASE("long and nested values are described, not kept") {
  GgufBytes g;
  std::string words, inner;
  for (int k = 0; k < 5000; ++k) words += GgufBytes::counted("token" + std::to_string(k));
  for (int k = 0; k < 2; ++k) inner += GgufBytes::list(0, 3, "abc");
  g.pair("a.words", 9, GgufBytes::list(8, 5000, words)).pair("a.many", 9, GgufBytes::list(0, 5000, std::string(5000, '\1')));
  g.pair("a.nested", 9, GgufBytes::list(9, 2, inner)).text("a.long", std::string(1000, 'x')).u32("a.last", 7);
  const Json m = parsed(g.bytes()).metadata;
  CHECK(m.find("a.words")->text == "5000 x string");
  CHECK(m.find("a.many")->text == "5000 x u8");
  CHECK(m.find("a.nested")->text == "2 x array");
  CHECK(m.find("a.long")->text == std::string(64, 'x') + "... (1000 bytes)");
  CHECK(m.find("a.last")->integer == 7);
}

TEST_CASE("tensors: shapes slowest first, alignment, exact numbers, quantised ones refused by name") {
  GgufBytes g;
  g.aligned(64).tensor("half", {3, 2}, 1, raw<std::uint16_t>(0x3c00) + raw<std::uint16_t>(0xbc00) + std::string(8, '\0'));
  g.factors("full", {0.25, 0.1}).tensor("brain", {1}, 30, raw<std::uint16_t>(0x3f80)).tensor("q", {32}, 8, std::string(34, '\0'));
  const TemporaryFile file("t.gguf", g.bytes());
  const sources::FileLoader loader;
  const auto half = loader.open(file.path() + "#half");
  CHECK(half->shape() == std::vector<model::Pos>{2, 3});
  std::vector<double> values(2);
  half->read(0, values);
  CHECK(values == std::vector<double>{1, -1});
  loader.open(file.path() + "#full")->read(0, values);
  CHECK(values == std::vector<double>{0.25, static_cast<double>(0.1F)});
  CHECK(loader.open(file.path() + "#brain")->size() == 1);
  CHECK(thrown([&] { loader.open(file.path() + "#q"); }) ==
        "65: " + file.path() + "#q: type = Q8_0: must be F32, F16, BF16, F64 or an integer, not quantised");
  CHECK(says(thrown([&] { loader.open(file.path() + "#halff"); }), "holds no array halff; did you mean half?"));
  CHECK(says(thrown([&] { loader.open(file.path()); }), "holds 4 arrays: name one as"));
}

TEST_CASE("a header that lies is refused") {
  const auto counts = [](std::uint64_t tensors, std::uint64_t keys) { return "GGUF" + raw(3U) + raw(tensors) + raw(keys); };
  CHECK(refusal("GGML") == "65: t.gguf: must begin as a GGUF file");
  CHECK(refusal(std::string("GGUF\0\0\0\3", 8) + std::string(16, '\0')) ==
        "65: t.gguf: is a big-endian GGUF file: must be little-endian");
  CHECK(refusal(GgufBytes().bytes(1)) == "65: t.gguf: GGUF version = 1: must be 2 or 3");
  CHECK(refusal(GgufBytes().bytes(4)) == "65: t.gguf: GGUF version = 4: must be 2 or 3");
  CHECK(says(refusal(counts(~0ULL, 0)), "number of tensors = 18446744073709551615: more than the file can hold"));
  CHECK(says(refusal(counts(0, 1ULL << 60)), "number of keys = 1152921504606846976: more than the file can hold"));
  CHECK(says(refusal(GgufBytes().pair("a", 8, raw(~0ULL)).bytes()), "ends within its header"));
  CHECK(
      says(refusal(GgufBytes().pair("a", 9, raw(6U) + raw(1ULL << 62)).bytes()), "a = 4611686018427387904: more than the file"));
  CHECK(says(refusal(GgufBytes().pair("a", 13, raw(0ULL)).bytes()), "a: type = 13: must be 0 to 12"));
  CHECK(says(refusal(GgufBytes().pair("a", 7, "\2").bytes()), "a = 2: must be 0 or 1"));
  CHECK(says(refusal(GgufBytes().u32("a", 1).u32("a", 1).bytes()), "a: given twice"));
  CHECK(says(refusal(GgufBytes().u32("", 1).bytes()), "a name that is empty"));
  CHECK(says(refusal(GgufBytes().u32("a\xff", 1).bytes()), "not of printable ASCII"));
  for (const std::uint32_t unit : {0U, 3U, 1U << 31})
    CHECK(says(refusal(GgufBytes().u32("general.alignment", unit).bytes()), "must be a power of two"));
  std::string nested = GgufBytes::list(0, 0, "");
  for (int k = 0; k < 20; ++k) nested = GgufBytes::list(9, 1, nested);
  CHECK(says(refusal(GgufBytes().pair("a", 9, nested).bytes()), "must not be nested more than 16 levels deep"));
  CHECK(says(refusal(GgufBytes().factors("t", {1}).factors("t", {1}).bytes()), "t: given twice"));
  CHECK(says(refusal(GgufBytes().tensor("t", {1, 1, 1, 1, 1}, 0, "1234").bytes()), "has 5 dimensions"));
  CHECK(says(refusal(GgufBytes().tensor("t", {0}, 0, "1234").bytes()), "dimensions must be positive"));
  CHECK(says(refusal(GgufBytes().tensor("t", {1ULL << 40, 1ULL << 40}, 0, "1234").bytes()), "fewer than 2^63 elements"));
  CHECK(says(refusal(GgufBytes().tensor("t", {1}, 0, "").bytes()), "its data lies beyond the end of the file"));
  GgufBytes narrow;
  narrow.tensor("s", {1}, 0, std::string(20, '\0')).factors("t", {1});
  std::string odd = narrow.bytes();
  odd[odd.find("t" + raw(1U)) + 1 + 4 + 8 + 4] = 5;
  CHECK(says(refusal(odd), "t: offset = 5: must be a multiple of 32"));
}
