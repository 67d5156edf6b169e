#include "io/variable_writer.hpp"

#include "core/field.hpp"
#include "core/sink.hpp"
#include "io/attributes.hpp"
#include "io/convert.hpp"
#include "io/schema_rules.hpp"
#include "io/utf8.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace posenc::io {
namespace {

hid_t native(Type type) {
  switch (type) {
    case Type::f64:
      return H5T_NATIVE_DOUBLE;
    case Type::f32:
      return H5T_NATIVE_FLOAT;
    case Type::i64:
      return H5T_NATIVE_INT64;
    case Type::i8:
      return H5T_NATIVE_INT8;
    case Type::text:
      break;
  }
  return -1;
}

}  // namespace

VariableWriter::VariableWriter(Handle dataset, std::string where, const Schema& schema, const Variable& v, int deflate,
                               ChunkQueue& queue)
    : dataset_(std::move(dataset)),
      where_(std::move(where)),
      type_(v.type),
      layout_(layout_of(schema, v, deflate)),
      queue_(queue) {
  for (const auto& name : v.dims) shape_.push_back(schema.dimension(name)->size);
  scalar_ = v.dims.empty();
  grows_ = !scalar_ && schema.dimension(v.dims[0])->grows;
  row_size_ = schema.row_size(v);
  total_ = grows_ ? 0 : schema.rows(v) * row_size_;
  if (type_ != Type::text) return;
  // The library clears its conversion buffers, 1 MiB by default, for every write, were it one word.
  transfer_ = properties(H5P_DATASET_XFER);
  ok(H5Pset_buffer(transfer_, std::size_t{1} << 14, nullptr, nullptr));
}

void VariableWriter::accept(std::uint64_t first, std::uint64_t elements, bool text) {
  if (text != (type_ == Type::text)) internal_error(where_, text ? "text written to a number" : "numbers written to text");
  if (first != elements_) internal_error(where_, fmt::format("element {} written where {} is due", first, elements_));
  if (!grows_ && elements > total_ - elements_) internal_error(where_, fmt::format("more than {} elements written", total_));
  elements_ += elements;
}

// The element at which these rows start.
std::uint64_t VariableWriter::start_of(std::uint64_t row, std::size_t elements) const {
  if (row_size_ == 0 ? elements != 0 : elements % row_size_ != 0)
    internal_error(where_, fmt::format("{} elements are not whole rows of {}", elements, row_size_));
  return row * row_size_;
}

void VariableWriter::write(std::uint64_t first_row, std::span<const double> rows) {
  write_elements(start_of(first_row, rows.size()), rows);
}

void VariableWriter::write_elements(std::uint64_t first, std::span<const double> numbers) {
  accept(first, numbers.size(), false);
  while (!numbers.empty()) {
    const Block block = layout_.grid.at(sent_);
    const std::size_t n = std::min<std::size_t>(numbers.size(), block.elements - filled_);
    if (type_ == Type::f64 && !layout_.chunked && n == block.elements && filled_ == 0) {  // a whole slab of doubles needs no copy
      write_slab(block, H5T_NATIVE_DOUBLE, numbers.data());
      sent_ += n;
    } else {
      put(numbers.first(n));
      if (filled_ == block.elements) send_block();
    }
    numbers = numbers.subspan(n);
    throw_if_stop_requested();
  }
  if (!grows_ && elements_ == total_) std::vector<std::byte>().swap(block_);
}

void VariableWriter::put(std::span<const double> numbers) {
  const std::size_t size = bytes_of(type_);
  if (block_.empty()) block_.resize(layout_.grid.capacity() * size);
  const std::size_t good = convert(numbers, type_, block_.data() + filled_ * size);
  if (good < numbers.size())
    internal_error(where_, fmt::format("{} does not fit an integer of {} bits", number_text(numbers[good]), 8 * size));
  filled_ += numbers.size();
}

// A chunk at the end of an axis is stored whole, padded with the fill value.
void VariableWriter::send_block() {
  const Block block = layout_.grid.at(sent_);
  const std::size_t size = bytes_of(type_);
  if (layout_.chunked) {
    for (std::size_t i = filled_; i < layout_.grid.capacity(); ++i) fill_element(type_, block_.data() + i * size);
    queue_.push(
        {&dataset_, block.offset, grows_ ? extent(sent_ + filled_) : std::vector<std::uint64_t>{}, std::move(block_), size});
    block_.clear();
  } else {
    write_slab(block, native(type_), block_.data());
  }
  sent_ += filled_;
  filled_ = 0;
}

void VariableWriter::write_slab(const Block& block, hid_t memory_type, const void* data) {
  const hsize_t n = block.elements;
  const Handle memory(H5Screate_simple(1, &n, nullptr), H5Sclose), file(H5Dget_space(dataset_), H5Sclose);
  if (!scalar_) {
    const std::vector<hsize_t> offset(block.offset.begin(), block.offset.end()), count(block.count.begin(), block.count.end());
    ok(H5Sselect_hyperslab(file, H5S_SELECT_SET, offset.data(), nullptr, count.data(), nullptr));
  }
  ok(H5Dwrite(dataset_, memory_type, memory, file, transfer_ ? hid_t{transfer_} : H5P_DEFAULT, data));
}

void VariableWriter::write_text(std::uint64_t first_row, std::span<const std::string> rows) {
  const std::uint64_t before = elements_;
  accept(start_of(first_row, rows.size()), rows.size(), true);
  if (rows.empty()) return;
  std::vector<std::string> clean;
  for (const auto& s : rows) clean.push_back(to_utf8(s));
  std::vector<const char*> pointers;
  for (const auto& s : clean) pointers.push_back(s.c_str());
  if (grows_) {
    const auto now = extent(elements_);
    const std::vector<hsize_t> size(now.begin(), now.end());
    ok(H5Dset_extent(dataset_, size.data()));
  }
  Block block{std::vector<std::uint64_t>(shape_.size(), 0), shape_, rows.size()};
  if (!scalar_) block.offset[0] = before / row_size_, block.count[0] = rows.size() / row_size_;
  write_slab(block, string_type(), pointers.data());
  sent_ = elements_;
}

std::vector<std::uint64_t> VariableWriter::extent(std::uint64_t elements) const {
  auto size = shape_;
  size[0] = (elements + row_size_ - 1) / row_size_;
  return size;
}

void VariableWriter::flush() {
  if (!complete()) internal_error(where_, fmt::format("is incomplete: {} of {} elements written", elements_, total_));
  if (row_size_ > 0 && elements_ % row_size_ != 0) internal_error(where_, "ends within a row");
  if (filled_ > 0) send_block();
}

void VariableWriter::close() {
  // The library keeps chunks of text only; one that cannot be written is reported here, and not when the dataset is closed.
  if (layout_.chunked && type_ == Type::text) ok(H5Dflush(dataset_));
  dataset_.close();
}

}  // namespace posenc::io
