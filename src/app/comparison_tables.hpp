#pragma once
// app: the two files of a comparison as tables, caches of cosines and sines in three dimensions included.
#include "app/tables.hpp"

#include <vector>

namespace posenc::app {

/// Tables, but of `files`, which are tables by themselves, also positions x pairs x 2 (cosine and sine) and 2 x positions x pairs
/// (cosines, then sines) as positions x columns; dimensions of size 1 count nothing. Throws BadData for another shape of those.
class ComparisonTables : public Tables {
 public:
  explicit ComparisonTables(std::vector<std::string> files) : files_(std::move(files)) {}
  std::shared_ptr<const model::Tensor> open(const std::string& file) const override;

 private:
  std::vector<std::string> files_;
};

}  // namespace posenc::app
