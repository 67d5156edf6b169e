#pragma once
// analyses: attention windows of heads on a learned table: a(m, n) = e_m^T C e_n, one coefficient for each pair of rows.
#include "analyses/extrapolation_setting.hpp"
#include "model/views/features.hpp"

namespace posenc::analyses {

/// Why C says nothing about the table: training positions must be consecutive rows, and those in use among them. Empty where it
/// does.
std::string untrained_rows(const ExtrapolationSetting& setting);

/// Row r of C meets query r alone: argmin over c of T KL(p*_{w,r} || softmax_{n<=r} c(n)) + |c|^2 / 2, a minimum of its own for
/// each row, found when it is asked for. Keys after the query keep their prior mean, 0. Needs an empty untrained_rows.
class RowScores {
 public:
  RowScores(const ExtrapolationSetting& setting, double observations);

  /// Row r of C at keys 0 .. r.
  std::vector<double> row(double width, Pos r) const;
  /// Scores at lags 0..m of query m of the encoding in use, whose rows may lie between two of the table.
  std::vector<double> scores(const Encoding& used, const Features& phi, double width, Pos m) const;

 private:
  Pos length_, first_row_;
  double observations_;
};

}  // namespace posenc::analyses
