#include "schemes/bucket_table.hpp"

#include "schemes/drawn.hpp"
#include "schemes/files.hpp"
#include "schemes/limits.hpp"

#include <cmath>

namespace posenc::schemes {

using model::Index;
using model::Pos;

namespace {
constexpr std::array<std::string_view, 2> init_words{"mesh", "hf"};
}  // namespace

Fields BucketTable::fields() {
  return {
      {"heads", "head", "number of heads", &head_count, head_counts, "the table's, or 8"},
      {"buckets", "bucket", "number of buckets", &bucket_count, between(2, 1024), "the table's, or 32"},
      {"max-distance", "position", "distance from which the last bucket holds all", &max_distance, between(2, 0x1p53)},
      {"bidirectional", "1", "keys after the query have buckets of their own", &bidirectional},
      {"table", "1", "file of the biases, buckets x heads", &file},
      {"init", "1",
       "without table: law of drawn biases, uniform of std sqrt(2/(heads + buckets)) (mesh), normal of std 1/sqrt(dim heads) "
       "(hf)",
       choice(init, init_words)},
      {"std", "1", "without table: standard deviation of drawn biases", &spread, deviations, "that of init"},
  };
}

void BucketTable::resolve(std::string_view owner, std::int64_t dim, const model::Context& context, Index extra,
                          std::string_view field) {
  if (!file.empty()) {
    values_ = matrix_file(context, owner, field, file, -1, -1);
    agree(owner, field, file, "heads", head_count, values_.cols());
    agree(owner, field, file, "buckets", bucket_count, values_.rows() - extra);
  }
  if (!head_count) head_count = 8;
  if (!bucket_count) bucket_count = 32;
  T5Buckets{*bucket_count, max_distance, bidirectional}.check(owner);
  if (!spread)
    spread = init == Init::hf ? 1 / std::sqrt(static_cast<double>(dim * *head_count))
                              : std::sqrt(2 / static_cast<double>(*head_count + *bucket_count));
  if (!file.empty()) return;
  values_.resize(*bucket_count + extra, *head_count);
  drawn_rows(context.seed, "bucket.table", values_.rows(), values_.cols(), *spread, init == Init::hf ? Law::normal : Law::uniform)
      ->block(0, values_);
}

model::Bias BucketTable::bias() const {
  model::Bias b;
  b.heads = heads();
  b.bucket = T5Buckets{*bucket_count, max_distance, bidirectional}.function();
  b.buckets = *bucket_count;
  b.value = [bucket = b.bucket, values = values_](Index head, Pos m, Pos n) { return values(bucket(m, n), head); };
  return b;
}

}  // namespace posenc::schemes
