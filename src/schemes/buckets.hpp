#pragma once
// schemes: classes of distances that grow geometrically, bounded by exact integers so that no rounding decides a class.
#include "core/field.hpp"
#include "model/encoding.hpp"

namespace posenc::schemes {

/// T5's classes of one side: 0 .. exact-1 one distance each, then exact + floor(ln(s/exact)/ln(max/exact) (size - exact)), the
/// last class without end.
class T5Side {
 public:
  /// exact = size/2 >= 1, max_distance > exact.
  T5Side(std::int64_t size, std::int64_t max_distance);
  /// Class of distance s >= 0.
  std::int64_t of(model::Pos s) const;
  /// Smallest distance of each class that is not empty before it; ascending.
  const std::vector<model::Pos>& starts() const { return starts_; }

 private:
  std::vector<model::Pos> starts_;
};

/// T5's classes of a pair: `buckets` for the past of causal attention (keys after the query share 0), or half of them a side,
/// the upper half for keys after the query.
struct T5Buckets {
  std::int64_t buckets = 32, max_distance = 128;
  bool bidirectional = false;

  /// Throws UsageError for a size that leaves no exact class, and for max-distance within the exact ones.
  void check(std::string_view owner) const;
  std::function<model::Pos(model::Pos m, model::Pos n)> function() const;
};

/// DeBERTa's classes of r = m - n: r itself up to mid = buckets/2, then sign(r) (mid + ceil(ln(|r|/mid)/ln((max - 1)/mid) (mid -
/// 1))), which reaches buckets - 1 at |r| = max - 1. Beyond, |r| counts as max - 1 (clamped) or as `buckets` (not clamped).
class LogBuckets {
 public:
  LogBuckets(std::int64_t buckets, std::int64_t max_distance, bool clamped);
  std::int64_t of(model::Pos r) const;

 private:
  std::int64_t mid_, buckets_;
  bool clamped_;
  std::vector<model::Pos> ends_;  // largest distance of class mid + k, k = 0 ..
};

}  // namespace posenc::schemes
