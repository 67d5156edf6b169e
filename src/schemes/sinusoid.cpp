#include "schemes/sinusoid.hpp"

#include "math/phase_table.hpp"
#include "schemes/frequencies.hpp"

#include <algorithm>

namespace posenc::schemes {
namespace {

using math::Real;
using model::Index;

Thetas thetas(Index channels, double base, Exponent exponent, Index count) {
  const Real step =
      exponent == Exponent::paper ? -2 * log(Real(base)) / channels : -log(Real(base)) / std::max<Index>(channels / 2 - 1, 1);
  Thetas out;
  for (Index i = 0; i < count; ++i) out.push_back(exp(i * step));
  return out;
}

class Sinusoid : public model::Rows {
 public:
  Sinusoid(Index channels, double base, Columns columns, Exponent exponent, Odd odd) : channels_(channels) {
    const bool last_sine =
        channels % 2 != 0 && odd == Odd::sine && columns == Columns::interleaved && exponent == Exponent::paper;
    const Index pairs = channels / 2;
    spectrum_ = frequencies(thetas(channels, base, exponent, pairs + (last_sine ? 1 : 0)));
    for (const model::Frequency& f : spectrum_) turns_.push_back(f.turn);
    layout_ = columns == Columns::interleaved ? math::RowLayout{0, 2, 1, 0} : math::RowLayout{0, 1, pairs, 0};
  }
  Sinusoid(std::vector<model::Frequency> given, Columns columns)
      : channels_(2 * static_cast<Index>(given.size())), spectrum_(std::move(given)) {
    for (const model::Frequency& f : spectrum_) turns_.push_back(f.turn);
    layout_ = columns == Columns::interleaved ? math::RowLayout{0, 2, 1, 0} : math::RowLayout{0, 1, channels_ / 2, 0};
  }

  Index channels() const override { return channels_; }
  const std::vector<model::Frequency>* spectrum() const override { return channels_ % 2 == 0 ? &spectrum_ : nullptr; }

  void block(model::Pos first, Eigen::Ref<model::Matrix> out) const override {
    const auto pairs = static_cast<std::size_t>(channels_ / 2);
    math::RowLayout layout = layout_;
    layout.row = out.outerStride();
    math::phase_table({turns_.data(), pairs}, first, out.rows(), layout, out.data());
    if (channels_ % 2 == 0) return;
    out.col(channels_ - 1).setZero();
    if (turns_.size() == pairs) return;
    std::vector<double> cosines(static_cast<std::size_t>(out.rows())), sines(cosines.size());
    math::phase_table({&turns_.back(), 1}, first, out.rows(), cosines.data(), sines.data());
    for (Index i = 0; i < out.rows(); ++i) out(i, channels_ - 1) = sines[static_cast<std::size_t>(i)];
  }

 private:
  Index channels_;
  std::vector<model::Frequency> spectrum_;
  std::vector<math::Turn> turns_;
  math::RowLayout layout_;
};

}  // namespace

std::shared_ptr<const model::Rows> sinusoid(Index channels, double base, Columns columns, Exponent exponent, Odd odd) {
  return std::make_shared<Sinusoid>(channels, base, columns, exponent, odd);
}
std::shared_ptr<const model::Rows> sinusoid(std::vector<model::Frequency> frequencies, Columns columns) {
  return std::make_shared<Sinusoid>(std::move(frequencies), columns);
}

}  // namespace posenc::schemes
