#pragma once
// io: the data of one variable on its way into the file. Private to this room.
#include "core/schema.hpp"
#include "io/chunk_queue.hpp"
#include "io/recipe.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace posenc::io {

/// Takes whole rows in increasing order without gaps, converts them to the stored type, and writes block by block. Holds at
/// most one block.
class VariableWriter {
 public:
  /// `where` names the variable in messages; the queue must outlive the writer.
  VariableWriter(Handle dataset, std::string where, const Schema& schema, const Variable& variable, int deflate,
                 ChunkQueue& queue);

  /// Throw Failure, or Error(internal): rows out of order, too many, not whole, of the other kind, or numbers that the
  /// stored integer type does not hold.
  void write(std::uint64_t first_row, std::span<const double> rows);
  void write_elements(std::uint64_t first, std::span<const double> numbers);
  void write_text(std::uint64_t first_row, std::span<const std::string> rows);
  /// Hands on what is held. Throws Error(internal) naming the variable if rows are missing.
  void flush();
  /// Closes the dataset; the queue must be drained. Throws Failure.
  void close();

  const Handle& dataset() const { return dataset_; }
  const std::string& where() const { return where_; }
  std::uint64_t rows() const { return row_size_ == 0 ? 0 : elements_ / row_size_; }
  bool complete() const { return grows_ || elements_ == total_; }

 private:
  void accept(std::uint64_t first, std::uint64_t elements, bool text);
  std::uint64_t start_of(std::uint64_t row, std::size_t elements) const;
  void put(std::span<const double> numbers);  // into the block
  void send_block();
  void write_slab(const Block& block, hid_t memory_type, const void* data);
  std::vector<std::uint64_t> extent(std::uint64_t elements) const;

  Handle dataset_;
  Handle transfer_;  // text only
  std::string where_;
  Type type_;
  Layout layout_;
  ChunkQueue& queue_;
  std::vector<std::uint64_t> shape_;
  bool grows_, scalar_;
  std::uint64_t row_size_, total_;         // elements; total_ is 0 if it grows
  std::uint64_t elements_ = 0, sent_ = 0;  // accepted; handed on
  std::vector<std::byte> block_;
  std::size_t filled_ = 0;  // elements in block_
};

}  // namespace posenc::io
