#pragma once
// sources: the members of a zip archive (PKWARE APPNOTE 6.3.10), stored or deflated, with the 64-bit extension.
#include "sources/mapped_file.hpp"

#include <cstdint>
#include <vector>

namespace posenc::sources {

struct ZipMember {
  std::string name;
  unsigned method = 0;  // 0 stored, 8 deflated
  bool encrypted = false;
  std::uint64_t compressed = 0, size = 0;  // bytes
  std::uint64_t header = 0;                // place of the local header
  std::uint32_t crc = 0;
};

/// The archive's directory, in its order. Throws BadData "FILE: rule" where there is none, it lies outside the file, it spans
/// several disks, or a name occurs twice.
std::vector<ZipMember> zip_members(const Bytes& archive, const std::string& file);

/// The member's bytes: of a stored one a view of the archive, of a deflated one a buffer, never larger than the compressed
/// bytes can give. Throws BadData "FILE#NAME: rule" where it is encrypted, of another method, damaged, or reaches outside.
Bytes zip_bytes(const Bytes& archive, const ZipMember& member, const std::string& file);

}  // namespace posenc::sources
