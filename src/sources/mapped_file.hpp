#pragma once
// sources: a file as bytes, mapped into memory rather than read: tables may be larger than memory.
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace posenc::sources {

class MappedFile {
 public:
  /// Throws Error: no_input where there is no such file, BadData where it is not a regular file, io where it cannot be read.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {data_, size_}; }

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Bytes and what keeps them in memory: a mapped file, or a buffer.
struct Bytes {
  std::span<const std::byte> data;
  std::shared_ptr<const void> owner{};

  std::string_view text() const { return {reinterpret_cast<const char*>(data.data()), data.size()}; }
};

/// The whole file. Throws as MappedFile does.
Bytes map_file(const std::string& path);

/// Up to `limit` bytes of a file as text. Throws as MappedFile does, and BadData where the file is larger.
std::string read_text(const std::string& path, std::size_t limit);

}  // namespace posenc::sources
