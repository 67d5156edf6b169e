#pragma once
// schemes: a bias looked up by T5 bucket and head, from a file or drawn; T5's whole encoding and TUPE's relative part.
#include "core/field.hpp"
#include "model/scheme.hpp"
#include "schemes/buckets.hpp"

namespace posenc::schemes {

struct BucketTable {
  std::optional<std::int64_t> head_count, bucket_count;
  std::int64_t max_distance = 128;
  bool bidirectional = false;
  std::string file;
  std::optional<double> spread;
  enum class Init : int { mesh, hf } init = Init::mesh;

  /// heads, buckets, max-distance, bidirectional, table, init, std, pointing into this object.
  Fields fields();
  /// Reads `file` ([bucket][head]) or draws: mesh uniform (TensorFlow's Glorot, std sqrt(2/(heads + buckets)) where absent), hf
  /// normal (std 1/sqrt(dim heads) where absent). `extra` further rows stand behind the buckets. Throws UsageError, and BadData
  /// where file and fields disagree.
  void resolve(std::string_view owner, std::int64_t dim, const model::Context& context, model::Index extra = 0,
               std::string_view field = "table");
  model::Index heads() const { return head_count.value(); }
  /// [bucket][head], buckets first, extra rows behind.
  const model::Matrix& values() const { return values_; }
  /// The bias and its classes.
  model::Bias bias() const;

 private:
  model::Matrix values_;
};

}  // namespace posenc::schemes
