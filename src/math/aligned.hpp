#pragma once
// math: an array of doubles on its own cache lines, zero at first.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace posenc::math {

class Aligned {
 public:
  static constexpr std::align_val_t alignment{64};
  explicit Aligned(std::int64_t size = 0) : data_(new (alignment) double[static_cast<std::size_t>(size)]()) {}
  double* data() { return data_.get(); }
  const double* data() const { return data_.get(); }
  double* operator+(std::int64_t i) { return data_.get() + i; }
  const double* operator+(std::int64_t i) const { return data_.get() + i; }

 private:
  struct Free {
    void operator()(double* p) const { operator delete[](p, alignment); }
  };
  std::unique_ptr<double[], Free> data_;
};

}  // namespace posenc::math
