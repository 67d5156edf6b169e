#include "schemes/drawn.hpp"

#include "math/random.hpp"

#include <numbers>

namespace posenc::schemes {
namespace {

using model::Index;
using model::Pos;

void draw(const math::Stream& stream, Law law, double spread, std::uint64_t first, std::span<double> out) {
  switch (law) {
    case Law::normal:
      math::normal(stream, first, out);
      break;
    case Law::truncated:
      math::truncated_normal(stream, first, out);
      break;
    case Law::uniform:
      math::uniform(stream, first, out);
      for (double& v : out) v = std::numbers::sqrt3 * (2 * v - 1);
      break;
  }
  for (double& v : out) v *= spread;
}

struct DrawnRows : model::Rows {
  math::Stream stream;
  Pos rows;
  Index width;
  double spread;
  Law law;
  DrawnRows(math::Stream s, Pos r, Index w, double sd, Law l) : stream(s), rows(r), width(w), spread(sd), law(l) {}

  Index channels() const override { return width; }
  std::optional<Pos> count() const override { return rows; }
  void block(Pos first, Eigen::Ref<model::Matrix> out) const override {
    for (Index i = 0; i < out.rows(); ++i)
      draw(stream, law, spread, static_cast<std::uint64_t>((first + i) * width),
           {out.row(i).data(), static_cast<std::size_t>(width)});
  }
};

struct MatrixRows : model::Rows {
  model::Matrix matrix;
  explicit MatrixRows(model::Matrix m) : matrix(std::move(m)) {}
  Index channels() const override { return matrix.cols(); }
  std::optional<Pos> count() const override { return matrix.rows(); }
  void block(Pos first, Eigen::Ref<model::Matrix> out) const override { out = matrix.middleRows(first, out.rows()); }
};

}  // namespace

model::Matrix drawn_matrix(std::uint64_t seed, const char* name, Index rows, Index columns, double spread) {
  model::Matrix out(rows, columns);
  draw(math::Stream(seed, name), Law::normal, spread, 0, {out.data(), static_cast<std::size_t>(out.size())});
  return out;
}
model::Vector drawn_vector(std::uint64_t seed, const char* name, Index size, double spread) {
  model::Vector out(size);
  draw(math::Stream(seed, name), Law::normal, spread, 0, {out.data(), static_cast<std::size_t>(out.size())});
  return out;
}
std::shared_ptr<const model::Rows> drawn_rows(std::uint64_t seed, const char* name, Pos rows, Index channels, double spread,
                                              Law law) {
  return std::make_shared<DrawnRows>(math::Stream(seed, name), rows, channels, spread, law);
}
std::shared_ptr<const model::Rows> matrix_rows(model::Matrix matrix) { return std::make_shared<MatrixRows>(std::move(matrix)); }

}  // namespace posenc::schemes
