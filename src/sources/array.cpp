#include "sources/array.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

namespace posenc::sources {
namespace {

using model::Pos;

class Array : public model::Tensor {
 public:
  Array(Bytes bytes, ArrayFacts facts) : bytes_(std::move(bytes)), facts_(std::move(facts)) {}
  const std::vector<Pos>& shape() const override { return facts_.shape; }
  void read(Pos first, std::span<double> out) const override {
    if (!facts_.fortran || facts_.shape.size() < 2) return elements(static_cast<std::size_t>(first), out);
    for (std::size_t k = 0; k < out.size(); ++k) elements(stored_index(first + static_cast<Pos>(k)), out.subspan(k, 1));
  }

 private:
  void elements(std::size_t first, std::span<double> out) const {
    convert(facts_.type, facts_.big_endian, bytes_.data.data() + facts_.offset + first * bytes_of(facts_.type), out);
  }
  /// Where element `index` in C order stands in Fortran order.
  std::size_t stored_index(Pos index) const {
    Pos stored = 0;
    for (std::size_t axis = facts_.shape.size(); axis-- > 0; index /= facts_.shape[axis]) {
      Pos stride = 1;
      for (std::size_t before = 0; before < axis; ++before) stride *= facts_.shape[before];
      stored += index % facts_.shape[axis] * stride;
    }
    return static_cast<std::size_t>(stored);
  }

  Bytes bytes_;
  ArrayFacts facts_;
};

}  // namespace

std::optional<std::size_t> array_bytes(const ArrayFacts& facts) {
  std::int64_t bytes = static_cast<std::int64_t>(bytes_of(facts.type));
  for (const Pos n : facts.shape)
    if (n < 1 || __builtin_mul_overflow(bytes, n, &bytes)) return {};
  return static_cast<std::size_t>(bytes);
}

std::shared_ptr<const model::Tensor> array_in(Bytes bytes, ArrayFacts facts, const std::string& name) {
  const auto needed = array_bytes(facts);
  const std::size_t size = bytes.data.size();
  const auto shape = fmt::format("[{}]", fmt::join(facts.shape, ", "));
  if (!needed) throw BadData(fmt::format("{}: shape = {}: must have between 1 and 2^63 bytes of elements", name, shape));
  if (facts.offset > size || *needed > size - facts.offset)
    throw BadData(fmt::format("{}: shape = {}: needs {} bytes of data, the file has {}", name, shape, *needed,
                              size - std::min(size, facts.offset)));
  const std::size_t count = *needed / bytes_of(facts.type);
  if (const auto bad = first_bad(facts.type, facts.big_endian, bytes.data.data() + facts.offset, count))
    throw BadData(fmt::format("{}: stored element {}: must be a finite number that float64 holds exactly", name, *bad));
  return std::make_shared<Array>(std::move(bytes), std::move(facts));
}

}  // namespace posenc::sources
