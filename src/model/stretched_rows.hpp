#pragma once
// model: a table of P rows read at N positions, N > P, both ends aligned.
#include "model/encoding.hpp"

namespace posenc::model {

/// Position m, 0 <= m < N, has (1 - share) of row floor(x) and share of the next one, x = m (P-1)/(N-1) in exact arithmetic,
/// share the rounding of its fraction.
struct StretchedRows : Rows {
  /// P rows of the table from `first_row` on.
  StretchedRows(std::shared_ptr<const Rows> table, Pos first_row, Pos rows, Pos positions);

  struct Place {
    Pos row = 0;  // of the table
    double share = 0;
  };
  Place place(Pos position) const;

  Index channels() const override { return table_->channels(); }
  std::optional<Pos> count() const override { return positions_; }
  void block(Pos first, Eigen::Ref<Matrix> out) const override;

 private:
  std::shared_ptr<const Rows> table_;
  Pos first_row_, rows_, positions_;
};

}  // namespace posenc::model
