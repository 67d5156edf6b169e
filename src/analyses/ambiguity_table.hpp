#pragma once
// analyses: distances between the rows of a table.
#include "model/encoding.hpp"

namespace posenc::analyses {

/// For lags s = 0 .. rows - 1, (1/2) mean_m |p_m - p_{m+s}|^2 / r_s^2, r_s^2 = mean_m (|p_m|^2 + |p_{m+s}|^2) / 2, both over m =
/// 0 .. rows - 1 - s; 0 where the rows are equal, be they zero. Relative error 1e-12. O(rows^2 columns), parallel; same bits for
/// any number of threads.
std::vector<double> squared_distance_by_lag(const model::Matrix& table);

/// rms over rows of |stored - exact| / (sqrt(2) r), r = rms |row|, for rows stored in each format.
struct StorageError {
  double f32 = 0, f16 = 0, bf16 = 0;
};
/// `rows(first, block)` fills block with the rows from `first` on.
StorageError storage_error(model::Pos count, model::Index channels,
                           const std::function<void(model::Pos first, Eigen::Ref<model::Matrix> block)>& rows);

}  // namespace posenc::analyses
