#pragma once
// sources: the values in the header of a GGUF file, one after the other.
#include "sources/json.hpp"

namespace posenc::sources {

/// The types of metadata, by the number that the file gives.
enum class GgufValue : std::uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, text, list, u64, i64, f64 };

/// Reads on from the beginning; every member throws BadData "PATH: rule" where the bytes end too early or are not what it reads.
class GgufReader {
 public:
  GgufReader(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  std::uint64_t number(std::size_t width);  // of that many bytes
  std::string_view text();
  /// The name of a key or tensor: printable ASCII, 1 to 65535 bytes.
  std::string name();
  /// A number of things of at least `least` bytes each: no more than the file can hold.
  std::uint64_t count(std::uint64_t least, std::string_view what);
  GgufValue type(std::string_view key);
  /// As GgufFile::metadata keeps it.
  Json value(std::string_view key, GgufValue type) { return value(key, type, 0); }

  std::size_t at() const { return at_; }
  [[noreturn]] void refuse(std::string_view rule) const;

 private:
  Json value(std::string_view key, GgufValue type, std::size_t depth);
  Json scalar(std::string_view key, GgufValue type, std::uint64_t raw) const;
  Json list(std::string_view key, std::size_t depth);
  std::uint64_t left() const { return text_.size() - at_; }

  std::string_view text_;
  const std::string& path_;
  std::size_t at_ = 0;
  std::uint64_t kept_ = 0;  // items of lists
};

}  // namespace posenc::sources
