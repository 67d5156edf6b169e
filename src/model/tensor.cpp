#include "model/tensor.hpp"

#include "core/error.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace posenc::model {
namespace {

std::string size_words(Index n) { return n < 0 ? "any" : std::to_string(n); }

[[noreturn]] void wrong_shape(const Tensor& t, std::string_view owner, std::string_view field, std::string_view file,
                              const std::string& wanted) {
  throw BadData(fmt::format("{}: {} = {}: shape [{}] must be [{}]", owner, field, file, fmt::join(t.shape(), ", "), wanted));
}

struct TensorRows : Rows {
  std::shared_ptr<const Tensor> tensor;
  Pos rows = 0;
  Index columns = 0;
  Index channels() const override { return columns; }
  std::optional<Pos> count() const override { return rows; }
  void block(Pos first, Eigen::Ref<Matrix> out) const override {
    for (Index i = 0; i < out.rows(); ++i)
      tensor->read((first + i) * channels(), {out.row(i).data(), static_cast<std::size_t>(channels())});
  }
};

}  // namespace

Matrix matrix_from(const Tensor& t, std::string_view owner, std::string_view field, std::string_view file, Index rows,
                   Index columns) {
  const auto& shape = t.shape();
  if (shape.size() != 2 || (rows >= 0 && shape[0] != rows) || (columns >= 0 && shape[1] != columns))
    wrong_shape(t, owner, field, file, fmt::format("{}, {}", size_words(rows), size_words(columns)));
  Matrix out(shape[0], shape[1]);
  t.read(0, {out.data(), static_cast<std::size_t>(out.size())});
  return out;
}

Vector vector_from(const Tensor& t, std::string_view owner, std::string_view field, std::string_view file, Index size) {
  const auto& shape = t.shape();
  const auto more_than_one = std::count_if(shape.begin(), shape.end(), [](Pos n) { return n != 1; });
  if (shape.empty() || more_than_one > 1 || (size >= 0 && t.size() != size)) wrong_shape(t, owner, field, file, size_words(size));
  Vector out(t.size());
  t.read(0, {out.data(), static_cast<std::size_t>(out.size())});
  return out;
}

std::shared_ptr<const Rows> rows_from(std::shared_ptr<const Tensor> t, std::string_view owner, std::string_view field,
                                      std::string_view file) {
  std::vector<Pos> shape = t->shape();
  for (auto one = shape.begin(); shape.size() > 2 && (one = std::find(shape.begin(), shape.end(), 1)) != shape.end();)
    shape.erase(one);
  if (shape.size() != 2 || shape[0] < 1 || shape[1] < 1) wrong_shape(*t, owner, field, file, "rows, channels");
  auto rows = std::make_shared<TensorRows>();
  rows->rows = shape[0], rows->columns = shape[1];
  rows->tensor = std::move(t);
  return rows;
}

}  // namespace posenc::model
