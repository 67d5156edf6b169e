#include "analyses/periodicity_table.hpp"

#include "math/effective_rank.hpp"
#include "math/fft.hpp"
#include "math/sinusoid_power.hpp"
#include "model/views/position_code.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posenc::analyses {
namespace {

using namespace model;

constexpr double absent = std::numeric_limits<double>::quiet_NaN();
using RowMap = Eigen::Map<Matrix>;

Pos rows_of(const Subject& s, const Points& p) { return std::min(s.request.length, p.count.value_or(s.request.length)); }

struct TableSpectrum {
  std::vector<double> power;  // k = 1 .. floor(rows / 2)
  double rank = absent;
};

TableSpectrum spectrum_of_table(const Points& p, Pos rows) {
  TableSpectrum out;
  out.power.resize(static_cast<std::size_t>(rows / 2));
  if (p.spectrum) {
    math::sinusoid_power(p.spectrum->turn, rows, 1, out.power);
    out.rank = math::effective_rank(
        rows, p.channels, [&](Pos first, Pos count, double* block) { p.rows(first, RowMap(block, count, p.channels)); });
    return out;
  }
  Matrix table(rows, p.channels);
  p.rows(0, table);
  std::vector<double> all(out.power.size() + 1);
  math::mean_power_spectrum(table.data(), rows, p.channels, all);
  for (std::size_t k = 1; k < all.size(); ++k) out.power[k - 1] = all[k] / static_cast<double>(rows);
  out.rank = math::effective_rank(rows, p.channels, [&](Pos first, Pos count, double* block) {
    std::copy_n(table.data() + first * p.channels, count * p.channels, block);
  });
  return out;
}

/// rows / k at the largest power; of powers equal to within 1e-14 the smallest k.
double dominant_wavelength(const std::vector<double>& power, Pos rows) {
  const double most = *std::max_element(power.begin(), power.end());
  if (!(most > 0)) return absent;
  const auto at = std::find_if(power.begin(), power.end(), [&](double p) { return p >= most * (1 - 1e-14); });
  return static_cast<double>(rows) / static_cast<double>(at - power.begin() + 1);
}

/// Geometric over arithmetic mean.
double flatness(const std::vector<double>& power) {
  double logs = 0, sum = 0;
  for (const double p : power) logs += std::log(p), sum += p;
  const auto n = static_cast<double>(power.size());
  return sum > 0 ? std::exp(logs / n) / (sum / n) : absent;
}

}  // namespace

void declare_table_spectrum(const Subject& s, const Encoding& e, Schema& out) {
  const auto p = table_points(e);
  const std::string why = !p                   ? "the encoding has no table of positions"
                          : rows_of(s, *p) < 2 ? "a spectrum needs two positions with a row"
                                               : "";
  if (!why.empty()) {
    for (const char* name : {"power", "dominant_wavelength", "spectral_flatness", "effective_rank"}) out.skip(name, why);
    return;
  }
  out.axis({"cycles_per_position", static_cast<std::uint64_t>(rows_of(s, *p) / 2), false}, Type::f64, "position-1",
           "frequency k / number of positions, k >= 1");
  out.add({"power",
           Type::f64,
           {"cycles_per_position"},
           "1",
           "mean over channels of |discrete Fourier transform|^2 over the number of positions, not doubled",
           {}});
  out.add({"dominant_wavelength", Type::f64, {}, "position", "wavelength of the largest power", {}});
  out.add({"spectral_flatness", Type::f64, {}, "1", "geometric over arithmetic mean of the power; 1 for white noise", {}});
  out.add({"effective_rank",
           Type::f64,
           {},
           "1",
           "exp of the entropy of the normalised squared singular values of the table without its mean row",
           {}});
}

void write_table_spectrum(const Subject& s, const Encoding& e, Sink& sink) {
  const auto p = table_points(e);
  if (!p || rows_of(s, *p) < 2) return;
  const Pos rows = rows_of(s, *p);
  const TableSpectrum t = spectrum_of_table(*p, rows);
  std::vector<double> cycles;
  for (Pos k = 1; k <= rows / 2; ++k) cycles.push_back(static_cast<double>(k) / static_cast<double>(rows));
  sink.write("cycles_per_position", 0, cycles);
  sink.write("power", 0, t.power);
  sink.scalar("dominant_wavelength", dominant_wavelength(t.power, rows));
  sink.scalar("spectral_flatness", flatness(t.power));
  sink.scalar("effective_rank", t.rank);
}

}  // namespace posenc::analyses
