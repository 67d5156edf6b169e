#include "model/stretched_rows.hpp"

namespace posenc::model {

StretchedRows::StretchedRows(std::shared_ptr<const Rows> table, Pos first_row, Pos rows, Pos positions)
    : table_(std::move(table)), first_row_(first_row), rows_(rows), positions_(positions) {}

StretchedRows::Place StretchedRows::place(Pos position) const {
  __extension__ using Wide = __int128;
  const Wide at = static_cast<Wide>(position) * (rows_ - 1), step = positions_ - 1;
  return {first_row_ + static_cast<Pos>(at / step), static_cast<double>(at % step) / static_cast<double>(step)};
}

void StretchedRows::block(Pos first, Eigen::Ref<Matrix> out) const {
  if (out.rows() == 0) return;
  const Pos low = place(first).row, high = std::min(place(first + out.rows() - 1).row + 1, first_row_ + rows_ - 1);
  Matrix rows(high - low + 1, channels());
  table_->block(low, rows);
  for (Index i = 0; i < out.rows(); ++i) {
    const Place p = place(first + i);
    out.row(i) = rows.row(p.row - low);
    if (p.share > 0) out.row(i) += p.share * (rows.row(p.row - low + 1) - rows.row(p.row - low));
  }
}

}  // namespace posenc::model
