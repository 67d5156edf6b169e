#pragma once
// math: ridge regression on a linear space of features: what the fit leaves undetermined, and how it amplifies noise.
#include <Eigen/Cholesky>
#include <cstdint>
#include <functional>

namespace posenc::math {

/// Rows phi_i of a design, scaled together so that the mean of |phi_i|^2 is 1; Phi the scaled design, v the noise variance.
/// Prior c ~ N(0, I), observations phi_i . c + e, e ~ N(0, v): Sigma = (I + Phi^T Phi / v)^-1. The matrix factored has a
/// condition number of at most 1 + rows / v. Parallel; same bits for any number of threads.
class Ridge {
 public:
  /// Writes rows first .. first + count - 1 of the design, [count][size]. Called from several threads, must not throw.
  using Design = std::function<void(std::int64_t first, std::int64_t count, double* rows)>;

  /// Rows are asked for in blocks of 256, `block`. `observed` is the number of rows that count: a row of zeros is no observation.
  Ridge(std::int64_t size, std::int64_t rows, const Design& design, double noise_variance, std::int64_t observed);
  static constexpr std::int64_t block = 256;

  /// For `count` unscaled rows [count][size]: undetermined[i] = phi^T Sigma phi / |phi|^2, in [0, 1], 0 where phi = 0;
  /// gain[i] = |phi^T (Phi^T Phi + v I)^-1 Phi^T|, the deviation of the fit to unit white noise. Relative error about
  /// 1e-16 (1 + rows / v), absolute error of gain^2 1e-16 / v. Thread-safe, not parallel: divide the rows, not the call.
  void evaluate(std::int64_t count, const double* rows, double* undetermined, double* gain) const;

  /// (Phi^T Phi + v I)^-1 right, in place, right [size][columns]: coefficients of the scaled features from right = Phi^T y.
  void solve(Eigen::Ref<Eigen::MatrixXd> right) const;
  /// What the design was multiplied by.
  double scale() const { return scale_; }
  std::int64_t size() const { return factor_.rows(); }

 private:
  double scale_ = 0, noise_ = 0;
  Eigen::LLT<Eigen::MatrixXd> factor_;  // of I + Phi^T Phi / v
};

}  // namespace posenc::math
