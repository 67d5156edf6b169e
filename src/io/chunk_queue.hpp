#pragma once
// io: finished chunks on their way into the file: compressed on several threads, written by one, in order.
#include "io/handle.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace posenc::io {

struct Chunk {
  const Handle* dataset = nullptr;  // must stay open until the chunk is written
  std::vector<std::uint64_t> offset;
  std::vector<std::uint64_t> extent;  // of the dataset from now on, empty if it does not grow
  std::vector<std::byte> bytes;       // the whole chunk, as stored before filtering
  std::size_t element_size = 8;
};

/// The bytes written do not depend on the number of threads: a chunk's depend on the chunk, their order on the pushes.
class ChunkQueue {
 public:
  /// deflate 0: as they are; 1-9: shuffled (where an element has several bytes) and deflated, which the dataset's creation
  /// must have announced. threads >= 1 are used to compress.
  ChunkQueue(int deflate, int threads);
  ~ChunkQueue();

  /// Writes what is waiting once enough has come together. Throws Failure.
  void push(Chunk chunk);
  /// Writes all that is waiting. Throws Failure.
  void drain();

 private:
  struct Packed;
  struct Compressor;
  void compress();

  int deflate_;
  std::vector<Chunk> waiting_;
  std::vector<Packed> packed_;
  std::vector<std::unique_ptr<Compressor>> compressors_;  // one a thread
};

}  // namespace posenc::io
