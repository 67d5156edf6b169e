#include "jobs.hpp"

#include "limits.hpp"
#include "math/aligned.hpp"
#include "math/cosine_sum.hpp"
#include "math/fft.hpp"
#include "math/nearest_row.hpp"
#include "math/partial_sums.hpp"
#include "math/phase_table.hpp"
#include "math/quantile.hpp"
#include "math/random.hpp"
#include "math/real.hpp"

#include <memory>

namespace posenc::bench {
namespace {

using math::Turn;

std::vector<Turn> geometric(int pairs) {
  std::vector<Turn> f;
  for (int i = 0; i < pairs; ++i)
    f.push_back(math::turn_from(math::Real(pow(math::Real(10000), math::Real(-i) / pairs)) / math::two_pi()));
  return f;
}

constexpr std::int64_t pairs = 64;

Job phase_table(std::string name, std::int64_t rows, math::RowLayout layout) {
  const auto out = std::make_shared<math::Aligned>(rows * 2 * pairs);
  return {std::move(name), "store", [=, f = geometric(pairs)] { math::phase_table(f, 0, rows, layout, out->data()); },
          [=] { store(out->data(), rows * 2 * pairs); }};
}

/// The definition asks for a cosine and a sine product a pair of lags: one multiply-add a frequency and lag.
Job cosine_sum(std::int64_t lags) {
  const auto out = std::make_shared<std::vector<double>>(lags);
  return {"cosine_sum", "multiply_add",
          [=, f = geometric(pairs), w = std::vector<double>(pairs, 1.0 / pairs)] { math::cosine_sum(f, w, {}, 0, *out); },
          [=] { multiply_add(static_cast<double>(lags * pairs)); }};
}

Job partial_sums(std::int64_t lags) {
  const auto out = std::make_shared<std::vector<double>>(lags);
  return {"partial_sums", "square_root", [=, f = geometric(pairs)] { math::mean_abs_partial_sum(f, 0, *out); },
          [=] { square_root(static_cast<double>(lags * pairs)); }};
}

std::shared_ptr<std::vector<double>> noise(std::int64_t size) {
  const auto x = std::make_shared<std::vector<double>>(size);
  math::normal(math::Stream(1, "bench"), 0, *x);
  return x;
}

/// Half of all products: a distance serves both rows.
Job nearest_rows(std::int64_t rows, std::int64_t columns) {
  const auto table = noise(rows * columns);
  const auto index = std::make_shared<std::vector<std::int64_t>>(rows);
  const auto distance = std::make_shared<std::vector<double>>(rows);
  return {"nearest_rows", "multiply_add", [=] { math::nearest_rows(table->data(), rows, columns, 100, *index, *distance); },
          [=] { multiply_add(static_cast<double>(rows) * static_cast<double>(rows) / 2 * static_cast<double>(columns)); }};
}

Job products_by_lag(std::int64_t rows, std::int64_t columns) {
  const auto table = noise(rows * columns);
  const auto mean = std::make_shared<std::vector<double>>(rows), deviation = std::make_shared<std::vector<double>>(rows);
  return {"products_by_lag", "multiply_add",
          [=] { math::products_by_lag(table->data(), table->data(), rows, columns, rows, *mean, *deviation); },
          [=] { multiply_add(static_cast<double>(rows) * static_cast<double>(rows) / 2 * static_cast<double>(columns)); }};
}

Job quantiles(std::int64_t columns, std::int64_t count) {
  const auto samples = noise(columns * count);
  const auto out = std::make_shared<std::vector<double>>(columns * 5);
  static constexpr double shares[] = {0.05, 0.25, 0.5, 0.75, 0.95};
  return {"quantiles", "", [=] { math::quantiles(samples->data(), columns, count, shares, out->data()); }, {}};
}

Job spectrum(std::int64_t rows, std::int64_t columns) {
  const auto table = noise(rows * columns);
  const auto power = std::make_shared<std::vector<double>>(rows / 2 + 1);
  return {"power_spectrum", "", [=] { math::mean_power_spectrum(table->data(), rows, columns, *power); }, {}};
}

}  // namespace

std::vector<Job> jobs(bool small) {
  const std::int64_t by = small ? 64 : 1, root = small ? 8 : 1;
  return {phase_table("phase_table", (1 << 18) / by, {2 * pairs, 2, 1, 0}),
          phase_table("phase_table_halves", (1 << 18) / by, {2 * pairs, 1, pairs, 0}),
          cosine_sum((1 << 20) / by),
          partial_sums((1 << 20) / by),
          nearest_rows(8192 / root, 256),
          products_by_lag(8192 / root, 128),
          quantiles(512 / by, 4096),
          spectrum(4099 / root, 128)};
}

}  // namespace posenc::bench
