#pragma once
// analyses: the lengths and encodings that the parts of extrapolation share.
#include "model/analysis.hpp"
#include "model/views/traits.hpp"

namespace posenc::analyses {

using namespace model;

/// Trained on lengths up to L, used at N = round(k L) for each multiple k. The last query of each length is looked at.
struct ExtrapolationSetting {
  Pos length = 0;
  std::vector<double> factor;
  std::vector<Pos> sequence;  // N of each factor
  Encoding trained;
  std::vector<Encoding> used;
  Traits traits;    // of the trained encoding
  Index heads = 1;  // 1 without a head dimension

  /// Throws UsageError where a multiple of L is not larger than L or beyond 2^53.
  explicit ExtrapolationSetting(const Subject& subject);

  Pos longest() const;
  /// The pair exists: the key is not masked. Tables are read by position, whatever the query sees.
  bool visible(const Encoding& e, Pos m, Pos n) const { return !e.visible || traits.kind == Kind::table || e.visible(m, n); }
  /// A query at the end of some use sees a key farther back than training ever did.
  bool reaches_beyond(std::size_t factor) const;
};

}  // namespace posenc::analyses
