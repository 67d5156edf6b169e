#include "io/chunk_queue.hpp"

#include <libdeflate.h>
#include <atomic>
#include <new>
#include <system_error>
#include <thread>

namespace posenc::io {
namespace {

constexpr std::size_t batch = 16;  // chunks compressed together; only speed and memory depend on it

// The HDF5 shuffle filter: all first bytes, then all second bytes, ...
void shuffle(const std::vector<std::byte>& from, std::size_t element_size, std::vector<std::byte>& to) {
  const std::size_t n = from.size() / element_size;
  to.resize(from.size());
  for (std::size_t b = 0; b < element_size; ++b) {
    std::byte* out = to.data() + b * n;
    const std::byte* in = from.data() + b;
    for (std::size_t i = 0; i < n; ++i) out[i] = in[i * element_size];
  }
}

}  // namespace

struct ChunkQueue::Packed {
  std::vector<std::byte> bytes;
  std::size_t size = 0;  // 0: not smaller than the chunk, which is stored as it is
};

struct ChunkQueue::Compressor {
  explicit Compressor(int level) : deflater(libdeflate_alloc_compressor(level)) {
    if (!deflater) throw std::bad_alloc();
  }
  ~Compressor() { libdeflate_free_compressor(deflater); }
  Compressor(const Compressor&) = delete;

  void run(const Chunk& chunk, Packed& out) {
    const std::vector<std::byte>* plain = &chunk.bytes;
    if (chunk.element_size > 1) {
      shuffle(chunk.bytes, chunk.element_size, shuffled);
      plain = &shuffled;
    }
    out.size = libdeflate_zlib_compress(deflater, plain->data(), plain->size(), out.bytes.data(), out.bytes.size());
  }

  libdeflate_compressor* deflater;
  std::vector<std::byte> shuffled;
};

ChunkQueue::ChunkQueue(int deflate, int threads) : deflate_(deflate) {
  if (deflate_ == 0) return;
  for (int i = 0; i < threads; ++i) compressors_.push_back(std::make_unique<Compressor>(deflate_));
}
ChunkQueue::~ChunkQueue() = default;

void ChunkQueue::push(Chunk chunk) {
  waiting_.push_back(std::move(chunk));
  if (deflate_ == 0 || waiting_.size() == batch) drain();
}

void ChunkQueue::compress() {
  packed_.resize(waiting_.size());
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    packed_[i].bytes.resize(waiting_[i].bytes.size() - 1);  // one byte less: it must become smaller
    for (auto& c : compressors_) c->shuffled.reserve(waiting_[i].bytes.size());
  }
  std::atomic<std::size_t> next{0};
  const auto work = [&](Compressor& compressor) {
    for (std::size_t i = next++; i < waiting_.size(); i = next++) compressor.run(waiting_[i], packed_[i]);
  };
  std::vector<std::thread> helpers;
  for (std::size_t t = 1; t < compressors_.size() && t < waiting_.size(); ++t) {
    try {
      helpers.emplace_back(work, std::ref(*compressors_[t]));
    } catch (const std::system_error&) {
      break;  // no more threads to be had: the others do the work
    }
  }
  work(*compressors_[0]);
  for (auto& h : helpers) h.join();
}

void ChunkQueue::drain() {
  if (waiting_.empty()) return;
  if (deflate_ > 0) compress();
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    const Chunk& c = waiting_[i];
    const std::vector<hsize_t> offset(c.offset.begin(), c.offset.end()), extent(c.extent.begin(), c.extent.end());
    if (!extent.empty()) ok(H5Dset_extent(*c.dataset, extent.data()));
    const bool smaller = deflate_ > 0 && packed_[i].size > 0;
    const std::uint32_t skipped = deflate_ == 0 || smaller ? 0 : (c.element_size > 1 ? 3U : 1U);  // one bit a filter
    const void* data = smaller ? packed_[i].bytes.data() : c.bytes.data();
    ok(H5Dwrite_chunk(*c.dataset, H5P_DEFAULT, skipped, offset.data(), smaller ? packed_[i].size : c.bytes.size(), data));
  }
  waiting_.clear();
}

}  // namespace posenc::io
