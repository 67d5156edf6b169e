#include "schemes/layer_norm.hpp"

#include "schemes/array_parts.hpp"
#include "schemes/files.hpp"

#include <cmath>

namespace posenc::schemes {
namespace {

using model::Index;

struct NormedRows : model::Rows {
  std::shared_ptr<const model::Rows> rows;
  LayerNorm norm;
  Index channels() const override { return rows->channels(); }
  std::optional<model::Pos> count() const override { return rows->count(); }
  void block(model::Pos first, Eigen::Ref<model::Matrix> out) const override {
    rows->block(first, out);
    const auto size = static_cast<double>(channels());
    for (Index i = 0; i < out.rows(); ++i) {
      double mean = 0, variance = 0;
      for (Index c = 0; c < channels(); ++c) mean += out(i, c);
      mean /= size;
      for (Index c = 0; c < channels(); ++c) variance += (out(i, c) - mean) * (out(i, c) - mean);
      const double inverse = 1 / std::sqrt(variance / size + 1e-5);
      for (Index c = 0; c < channels(); ++c) out(i, c) = (out(i, c) - mean) * inverse * norm.gain(c) + norm.offset(c);
    }
  }
};

}  // namespace

LayerNorm layer_norm(const model::Context& context, std::string_view owner, std::string_view field, const std::string& prefix,
                     Index channels) {
  if (prefix.empty()) return {model::Vector::Ones(channels), model::Vector::Zero(channels)};
  return {vector_file(context, owner, field, array_part(prefix, "weight"), channels),
          vector_file(context, owner, field, array_part(prefix, "bias"), channels)};
}

std::shared_ptr<const model::Rows> normed(std::shared_ptr<const model::Rows> rows, LayerNorm norm) {
  auto out = std::make_shared<NormedRows>();
  out->rows = std::move(rows);
  out->norm = std::move(norm);
  return out;
}

}  // namespace posenc::schemes
