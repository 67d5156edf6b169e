#include "sources/zip.hpp"

#include "core/error.hpp"
#include "sources/little_endian.hpp"

#include <fmt/format.h>
#include <libdeflate.h>
#include <algorithm>
#include <new>
#include <set>

namespace posenc::sources {
namespace {

constexpr std::uint64_t end_mark = 0x06054b50, end64_mark = 0x06064b50, locator_mark = 0x07064b50, entry_mark = 0x02014b50,
                        local_mark = 0x04034b50;
constexpr std::size_t end_size = 22, locator_size = 20, entry_size = 46, local_size = 30, longest_comment = 65535;
constexpr std::uint64_t in_extension = 0xffffffff;  // of a 32-bit field: the value is in the 64-bit extension
constexpr std::uint64_t best_ratio = 1032;          // of deflate: no input gives more bytes than that for each of its own

struct Directory {
  std::uint64_t entries = 0, offset = 0, size = 0;
};

class Archive {
 public:
  Archive(const Bytes& bytes, const std::string& file) : text_(bytes.text()), file_(file) {}

  std::uint64_t at(std::uint64_t place, std::size_t width) const {
    const auto v = little_endian(text_, static_cast<std::size_t>(place), width);
    if (!v) refuse("ends within its directory");
    return *v;
  }
  std::string_view text(std::uint64_t place, std::uint64_t size) const {
    if (place > text_.size() || size > text_.size() - place) refuse("ends within its directory");
    return text_.substr(static_cast<std::size_t>(place), static_cast<std::size_t>(size));
  }
  [[noreturn]] void refuse(std::string_view rule) const { throw BadData(fmt::format("{}: {}", file_, rule)); }

  Directory directory() const {
    const std::size_t end = end_record();
    if (const auto mark = end >= locator_size ? little_endian(text_, end - locator_size, 4) : std::nullopt;
        mark == locator_mark) {
      const std::uint64_t place = at(end - locator_size + 8, 8);
      if (place > end - locator_size || at(place, 4) != end64_mark) refuse("its 64-bit directory is not where it says");
      return {at(place + 32, 8), at(place + 48, 8), at(place + 40, 8)};
    }
    if (at(end + 4, 2) != 0 || at(end + 6, 2) != 0) refuse("must be an archive in one file");
    return {at(end + 10, 2), at(end + 16, 4), at(end + 12, 4)};
  }

 private:
  /// The record that ends the archive, with a comment up to the last byte.
  std::size_t end_record() const {
    if (text_.size() >= end_size)
      for (std::size_t back = 0; back <= std::min(longest_comment, text_.size() - end_size); ++back) {
        const std::size_t place = text_.size() - end_size - back;
        if (little_endian(text_, place, 4) == end_mark && little_endian(text_, place + 20, 2) == back) return place;
      }
    refuse("must end as a zip archive");
  }

  std::string_view text_;
  const std::string& file_;
};

/// Values of the 64-bit extension (identifier 1) in the place of the fields that say so.
void extend(const Archive& archive, std::uint64_t extra, std::uint64_t end, ZipMember& m) {
  while (end - extra >= 4) {
    const std::uint64_t id = archive.at(extra, 2), size = archive.at(extra + 2, 2);
    extra += 4;
    if (size > end - extra) archive.refuse("a member's extra field reaches outside its entry");
    if (id == 1) {
      std::uint64_t place = extra;
      for (std::uint64_t* const field : {&m.size, &m.compressed, &m.header}) {
        if (*field != in_extension) continue;
        if (place + 8 > extra + size) archive.refuse("a member's 64-bit sizes are missing");
        *field = archive.at(place, 8);
        place += 8;
      }
      return;
    }
    extra += size;
  }
}

struct Inflater {
  libdeflate_decompressor* state = libdeflate_alloc_decompressor();
  ~Inflater() { libdeflate_free_decompressor(state); }
};

}  // namespace

std::vector<ZipMember> zip_members(const Bytes& bytes, const std::string& file) {
  const Archive archive(bytes, file);
  const Directory directory = archive.directory();
  const std::string_view entries = archive.text(directory.offset, directory.size);
  if (directory.entries > entries.size() / entry_size) archive.refuse("its directory is shorter than its number of members");
  std::vector<ZipMember> out;
  std::set<std::string> names;
  std::uint64_t place = directory.offset;
  for (std::uint64_t k = 0; k < directory.entries; ++k) {
    if (archive.at(place, 4) != entry_mark) archive.refuse("its directory holds something else than members");
    ZipMember m;
    m.encrypted = (archive.at(place + 8, 2) & 1) != 0;
    m.method = static_cast<unsigned>(archive.at(place + 10, 2));
    m.crc = static_cast<std::uint32_t>(archive.at(place + 16, 4));
    m.compressed = archive.at(place + 20, 4), m.size = archive.at(place + 24, 4), m.header = archive.at(place + 42, 4);
    const std::uint64_t name = archive.at(place + 28, 2), extra = archive.at(place + 30, 2), note = archive.at(place + 32, 2);
    m.name = archive.text(place + entry_size, name);
    archive.text(place + entry_size + name, extra);
    extend(archive, place + entry_size + name, place + entry_size + name + extra, m);
    if (m.name.find('\0') != std::string::npos) archive.refuse("its directory holds a name with a NUL");
    if (!names.insert(m.name).second) archive.refuse("its directory names a member twice");
    out.push_back(std::move(m));
    place += entry_size + name + extra + note;
  }
  return out;
}

Bytes zip_bytes(const Bytes& bytes, const ZipMember& m, const std::string& file) {
  const std::string full = fmt::format("{}#{}", file, m.name);
  const Archive archive(bytes, full);
  if (m.encrypted) archive.refuse("is encrypted");
  if (m.method != 0 && m.method != 8) archive.refuse(fmt::format("method = {}: must be stored (0) or deflated (8)", m.method));
  if (archive.at(m.header, 4) != local_mark) archive.refuse("is not where the directory says");
  const std::uint64_t begin = m.header + local_size + archive.at(m.header + 26, 2) + archive.at(m.header + 28, 2);
  const std::string_view stored = archive.text(begin, m.compressed);
  Bytes out{bytes.data.subspan(static_cast<std::size_t>(begin), stored.size()), bytes.owner};
  if (m.method == 0 && m.size != m.compressed) archive.refuse("its sizes differ though it is not compressed");
  if (m.method == 8) {
    if (m.size / best_ratio > m.compressed)
      archive.refuse(fmt::format("size = {}: more than {} bytes can hold", m.size, m.compressed));
    const auto size = static_cast<std::size_t>(m.size);
    const std::shared_ptr<std::byte[]> buffer(new (std::nothrow) std::byte[size]);
    if (!buffer) archive.refuse(fmt::format("size = {}: more than there is memory for", m.size));
    const Inflater inflater;
    if (libdeflate_deflate_decompress(inflater.state, stored.data(), stored.size(), buffer.get(), size, nullptr) !=
        LIBDEFLATE_SUCCESS)
      archive.refuse("its compressed bytes are damaged");
    out = {{buffer.get(), size}, buffer};
  }
  if (libdeflate_crc32(0, out.data.data(), out.data.size()) != m.crc) archive.refuse("its checksum does not hold");
  return out;
}

}  // namespace posenc::sources
