// Every parser of files survives what is cut off, changed and repeated: it reads it, or refuses it as bad data with the file's
// name first (main.cpp brings the file's own words onto one line); it never crashes, hangs, or allocates what the file does not
// hold.
#include "core/error.hpp"
#include "sources/config.hpp"
#include "sources/csv.hpp"
#include "sources/gguf_bytes.hpp"
#include "sources/gguf_model.hpp"
#include "sources/model_file.hpp"
#include "sources/npy.hpp"
#include "sources/npz.hpp"
#include "sources/safetensors.hpp"
#include "sources/temporary_file.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstring>

using namespace posenc;

namespace {

sources::Bytes owned(const std::string& text) {
  const auto owner = std::make_shared<const std::string>(text);
  return {std::as_bytes(std::span(owner->data(), owner->size())), owner};
}

std::string gguf_example() {
  auto g = test::gguf_model("llama", 4096, 64, 2).f32("llama.rope.freq_base", 10000).text("tokenizer.ggml.model", "gpt2");
  g.pair("tokenizer.ggml.tokens", 9, test::GgufBytes::list(8, 2, test::GgufBytes::counted("a") + test::GgufBytes::counted("b")));
  return g.numbers("llama.rope.dimension_sections", {6, 5, 5, 0})
      .factors("rope_freqs.weight", std::vector<double>(16, 2))
      .bytes();
}

struct Parser {
  const char* name;
  std::string example;
  void (*read)(const std::string&);
};

const std::vector<Parser>& parsers() {
  const auto data = [](const char* file) { return test::bytes_of_file(POSENC_TEST_DATA "/" + std::string(file)); };
  static const std::vector<Parser> all{
      {"config.json", data("configs/gemma3_4b_linear8.json"), [](const std::string& s) { sources::read_config(s, "f"); }},
      {"encodings", R"({"encodings": [{"scheme": "shaw", "label": "a", "values": {"clip": 8}, "files": {"table": "t.npy"}}]})",
       [](const std::string& s) { sources::read_model_text(s, "f", "d"); }},
      {"gguf", gguf_example(), [](const std::string& s) { sources::read_gguf_model(sources::read_gguf(owned(s), "f")); }},
      {"safetensors", data("safetensors/single.safetensors"),
       [](const std::string& s) { sources::read_safetensors(owned(s), "f", ""); }},
      {"npy", data("npy/little_f4.npy"), [](const std::string& s) { sources::read_npy(owned(s), "f"); }},
      {"npz, deflated", data("npz/single.npz"), [](const std::string& s) { sources::read_npz(owned(s), "f", ""); }},
      {"npz, 64-bit", data("npz/zip64.npz"), [](const std::string& s) { sources::read_npz(owned(s), "f", "wpe"); }},
      {"csv", "# a table\na,b\n1,2\n3,4e-1\n", [](const std::string& s) { sources::read_csv(s, "f"); }},
  };
  return all;
}

/// Empty where the bytes were read or refused as they may be; else what went wrong.
std::string outcome(const Parser& p, const std::string& bytes) {
  try {
    p.read(bytes);
    return "";
  } catch (const Error& e) {
    const std::string line = e.what();
    if (e.code() != Exit::bad_data) return "code " + std::to_string(static_cast<int>(e.code())) + ": " + line;
    return line.rfind('f', 0) == 0 ? "" : "names no file: " + line;
  } catch (const std::exception& e) {
    return std::string("exception: ") + e.what();
  }
}

}  // namespace

TEST_CASE("every example is read, every truncation read or refused") {
  for (const Parser& p : parsers()) {
    CAPTURE(p.name);
    CHECK_NOTHROW(p.read(p.example));
    for (std::size_t n = 0; n < p.example.size(); ++n) {
      const std::string problem = outcome(p, p.example.substr(0, n));
      if (!problem.empty()) FAIL_CHECK("cut at " << n << ": " << problem);
    }
  }
}

TEST_CASE("every byte changed to what bytes are dangerous") {
  for (const Parser& p : parsers()) {
    CAPTURE(p.name);
    for (std::size_t n = 0; n < p.example.size(); ++n)
      for (const unsigned char value : {0x00, 0x01, 0x0a, 0x22, 0x2d, 0x7b, 0x7f, 0x80, 0xff}) {
        std::string bytes = p.example;
        bytes[n] = static_cast<char>(value);
        const std::string problem = outcome(p, bytes);
        if (!problem.empty()) FAIL_CHECK("byte " << n << " = " << int(value) << ": " << problem);
      }
  }
}

TEST_CASE("every eight bytes changed to an absurd size") {
  for (const Parser& p : parsers()) {
    CAPTURE(p.name);
    for (std::size_t n = 0; n + 8 <= p.example.size(); ++n)
      for (const std::uint64_t value : {~0ULL, 1ULL << 63, (1ULL << 63) - 1, 1ULL << 40, 0ULL}) {
        std::string bytes = p.example;
        std::memcpy(bytes.data() + n, &value, 8);
        const std::string problem = outcome(p, bytes);
        if (!problem.empty()) FAIL_CHECK("bytes from " << n << " = " << value << ": " << problem);
      }
  }
}

TEST_CASE("pieces repeated and left out") {
  for (const Parser& p : parsers()) {
    CAPTURE(p.name);
    for (std::size_t n = 0; n < p.example.size(); n += 3)
      for (const std::size_t size : {1, 4, 16, 64}) {
        const std::string piece = p.example.substr(n, size);
        std::string without = p.example;
        without.erase(n, size);
        for (const std::string& bytes : {p.example.substr(0, n) + piece + p.example.substr(n), without}) {
          const std::string problem = outcome(p, bytes);
          if (!problem.empty()) FAIL_CHECK(size << " bytes at " << n << ": " << problem);
        }
      }
  }
}
