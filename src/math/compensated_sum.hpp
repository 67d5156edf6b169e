#pragma once
// math: a sum whose rounding error does not grow with the number of terms.
#include <cmath>

namespace posenc::math {

/// Neumaier 1974 (Kahan-Babuska): error 2^-53 of the sum plus n 2^-106 of the sum of moduli.
class CompensatedSum {
 public:
  void add(double x) {
    const double next = sum_ + x;
    rest_ += std::abs(sum_) >= std::abs(x) ? (sum_ - next) + x : (x - next) + sum_;
    sum_ = next;
  }
  double value() const { return sum_ + rest_; }

 private:
  double sum_ = 0, rest_ = 0;
};

}  // namespace posenc::math
