#include "schemes/sinusoid_at.hpp"

#include "math/phase_table.hpp"
#include "schemes/frequencies.hpp"

#include <cmath>

namespace posenc::schemes {
namespace {

using model::Index;

/// fraction * frequency, in turns below 1.
math::Turn part(double fraction, math::Turn frequency) {
  const double turns = fraction * (static_cast<double>(frequency.hi) * 0x1p-64);
  return {static_cast<std::uint64_t>(turns * 0x1p64), 0};
}

struct SinusoidAt : model::Rows {
  Index width;
  Columns columns;
  std::vector<math::Turn> turns;
  std::vector<RealPosition> positions;

  Index channels() const override { return width; }
  std::optional<model::Pos> count() const override { return static_cast<model::Pos>(positions.size()); }
  void block(model::Pos first, Eigen::Ref<model::Matrix> out) const override {
    std::vector<math::Turn> phase(turns.size());
    std::vector<double> cosine(turns.size()), sine(turns.size());
    for (Index i = 0; i < out.rows(); ++i) {
      const RealPosition& p = positions[static_cast<std::size_t>(first + i)];
      for (std::size_t j = 0; j < turns.size(); ++j) phase[j] = math::times(p.whole, turns[j]) + part(p.fraction, turns[j]);
      math::sincos_turns(phase, cosine.data(), sine.data());
      const Index pairs = width / 2, stride = columns == Columns::interleaved ? 2 : 1,
                  cos_at = columns == Columns::interleaved ? 1 : pairs;
      for (Index j = 0; j < pairs; ++j) {
        out(i, j * stride) = sine[static_cast<std::size_t>(j)];
        out(i, j * stride + cos_at) = cosine[static_cast<std::size_t>(j)];
      }
    }
  }
};

}  // namespace

RealPosition split(double position) {
  const double whole = std::floor(position);
  return {static_cast<model::Pos>(whole), position - whole};
}

std::shared_ptr<const model::Rows> sinusoid_at(Index channels, double base, Columns columns,
                                               std::vector<RealPosition> positions) {
  auto rows = std::make_shared<SinusoidAt>();
  rows->width = channels;
  rows->columns = columns;
  for (const model::Frequency& f : frequencies(geometric(base, channels))) rows->turns.push_back(f.turn);
  rows->positions = std::move(positions);
  return rows;
}

}  // namespace posenc::schemes
