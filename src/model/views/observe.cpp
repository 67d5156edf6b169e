#include "model/views/observe.hpp"

#include "model/views/observe_pair.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace posenc::model {
namespace {

constexpr double common = 0.02;       // of the amplitudes of pairs
constexpr double inconsistent = 0.3;  // rad, median of phases against those of a whole first position

constexpr double in_float64 = 1e-12;        // spacing below which numbers were not made in float32
constexpr double lost_by_float32 = 3.5e-7;  // relative, of a frequency by a chain of powers and quotients

constexpr double farthest = 0x1p25;     // first position sought
constexpr double rounded_angle = 1e-3;  // rad: what float64 angles at such positions make of frequencies read from them
constexpr std::size_t far_pairs = 4;    // that must agree on a far one

using Column = std::function<Index(Index)>;

/// The first position that the phases agree on, slowest pair first, each next one making it finer.
double first_position(const std::vector<Turning>& pairs) {
  std::vector<std::size_t> order;
  for (std::size_t j = 0; j < pairs.size(); ++j)
    if (pairs[j].theta > 2 * pairs[j].uncertainty) order.push_back(j);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return pairs[a].theta < pairs[b].theta; });
  double at = 0, off = 0;
  bool begun = false;
  for (const std::size_t j : order) {
    const auto& [length, theta, uncertainty, phase, noise] = pairs[j];
    if (begun && off * theta > 2) break;  // more than one whole turn possible
    at += wrapped(phase - at * theta) / theta;
    off = (noise + std::abs(at) * uncertainty) / theta;
    begun = true;
  }
  return at;
}

/// What a phase may be off from that of a first position.
double off(const Turning& t, double at) { return t.noise + std::abs(at) * t.uncertainty; }

/// Whether every phase is that of a first position, to its noise.
bool fits(const std::vector<Turning>& pairs, Pos start) {
  const double at = static_cast<double>(start);
  return std::all_of(pairs.begin(), pairs.end(), [&](const Turning& t) {
    return std::abs(wrapped(t.phase - at * t.theta)) <= 4 * off(t, at) + rounded_angle;
  });
}

/// The first position above half a turn of the slowest pair that all phases agree on to their noise; the nearest
/// to 0 up to `farthest`, where the noise leaves it one. Each whole turn of the slowest pair is tried, made finer by the others.
std::optional<Pos> far_position(const std::vector<Turning>& pairs) {
  std::vector<const Turning*> order;
  for (const Turning& t : pairs)
    if (t.theta > 2 * t.uncertainty) order.push_back(&t);
  std::sort(order.begin(), order.end(), [](const Turning* a, const Turning* b) { return a->theta < b->theta; });
  if (order.size() < far_pairs) return {};
  const double turn = 2 * std::numbers::pi / order.front()->theta;
  for (double from = order.front()->phase / order.front()->theta; from < farthest && turn > 1; from += turn) {
    double at = from;
    bool lost = from < 0;
    for (auto t = order.begin(); t != order.end() && !lost; ++t) {
      const double gap = wrapped((*t)->phase - at * (*t)->theta);
      const double due = t == order.begin() ? 0 : off(**(t - 1), at) / (*(t - 1))->theta * (*t)->theta;
      lost = due > inconsistent || off(**t, at) > 0.1 * inconsistent || std::abs(gap) > 4 * (due + off(**t, at)) + rounded_angle;
      at += gap / (*t)->theta;
    }
    if (!lost) return std::llround(at);
  }
  return {};
}

bool agree(const std::vector<Turning>& pairs, Pos start) {
  std::vector<double> off;
  for (const Turning& t : pairs) {
    const double at = static_cast<double>(start);
    off.push_back(std::max(0.0, std::abs(wrapped(t.phase - at * t.theta)) - std::abs(at) * t.uncertainty));
  }
  return median(off) <= inconsistent;
}

std::optional<std::vector<Turning>> turnings(const Matrix& rows, const Observed& o, double unit) {
  std::vector<Turning> out;
  for (std::size_t j = 0; j < o.cosine.size(); ++j) {
    const auto t = turning(rows, o.cosine[j], o.sine[j], unit);
    if (!t) return {};
    out.push_back(*t);
  }
  return out;
}

/// Amplitude from the pairs that go around at least once: the others meet the same rounding again and again.
void read_amplitude(const std::vector<Turning>& pairs, Index rows, double unit, Observation& out) {
  std::vector<double> all, around;
  for (const Turning& t : pairs) {
    all.push_back(t.length);
    if (t.theta * static_cast<double>(rows) > 6) around.push_back(t.length);
  }
  out.amplitude = settled_mean(around.empty() ? all : around);
  out.amplitude_uncertainty = (!around.empty() ? 0.25 : 1.0) * unit / std::min(1.0, *out.amplitude) + 1e-15;
}

std::optional<Observed> read(const Matrix& rows, Observed out, double unit) {
  auto pairs = turnings(rows, out, unit);
  if (!pairs) return {};
  std::vector<double> lengths;
  Index forwards = 0, backwards = 0;
  for (const Turning& t : *pairs) {
    lengths.push_back(t.length);
    if (std::abs(t.theta) > 4 * t.uncertainty) ++(t.theta > 0 ? forwards : backwards);
  }
  const double length = median(lengths);
  for (const double x : lengths)
    if (std::abs(x - length) > common * length) return {};
  if (10 * std::min(forwards, backwards) > std::ssize(*pairs)) return {};
  if (backwards > forwards) {
    out.step = -1;
    for (Turning& t : *pairs) t.theta = -t.theta;
  }
  out.start = std::llround(first_position(*pairs));
  if (!fits(*pairs, out.start)) {
    if (const auto far = far_position(*pairs)) out.start = *far;
    if (!agree(*pairs, out.start)) return {};
  }
  read_amplitude(*pairs, rows.rows(), unit, out.numbers);
  for (const Turning& t : *pairs) {
    out.numbers.frequency.push_back(std::abs(t.theta) <= 1e-300 ? 0 : t.theta);
    out.numbers.uncertainty.push_back(t.uncertainty + (unit > in_float64 ? lost_by_float32 * std::abs(t.theta) : 0));
  }
  for (Index i = 0; i < rows.rows(); ++i)
    if (std::all_of(rows.row(i).data(), rows.row(i).data() + rows.cols(), [](double x) { return x == 0; }))
      out.numbers.zero_rows.push_back(out.position(i));
  return out;
}

Observed columns(const char* word, Index pairs, const Matrix& rows, const Column& cosine, const Column& sine, Index again = 0) {
  Observed o;
  o.layout = word, o.again = again;
  o.numbers.channels = rows.cols(), o.numbers.pairs = pairs;
  for (Index j = 0; j < pairs; ++j) o.cosine.push_back(cosine(j)), o.sine.push_back(sine(j));
  return o;
}

Index same(Index j) { return j; }
Index even(Index j) { return 2 * j; }
Index odd(Index j) { return 2 * j + 1; }

/// Cosines, then as many sines.
Observed cosines_then_sines(const Matrix& rows, bool two_arrays) {
  const Index half = rows.cols() / 2, quarter = half / 2;
  const auto repeated = [&](const Column& a, const Column& b) {
    for (Index i = 0; i < rows.rows(); ++i)
      for (Index j = 0; j < quarter; ++j)
        if (rows(i, a(j)) != rows(i, b(j)) || rows(i, half + a(j)) != rows(i, half + b(j))) return false;
    return half % 2 == 0 && rows.cols() % 2 == 0 && quarter > 0;
  };
  if (repeated(same, [&](Index j) { return quarter + j; }))
    return columns(
        "half_split, every column twice", quarter, rows, same, [&](Index j) { return half + j; }, quarter);
  if (repeated(even, odd))
    return columns(
        "interleaved, every column twice", quarter, rows, even, [&](Index j) { return half + 2 * j; }, 1);
  return columns(two_arrays ? "one column a pair" : "cosines before sines", half, rows, same, [&](Index j) { return half + j; });
}

}  // namespace

std::vector<Observed> layouts(const Matrix& rows, bool halves) {
  std::vector<Observed> out;
  if (rows.cols() < 2) return out;
  const Index half = rows.cols() / 2;
  out.push_back(cosines_then_sines(rows, halves));
  if (!halves) {
    const auto behind = [&](Index j) { return half + j; };
    out.insert(out.begin(), columns("sines before cosines", half, rows, behind, same));
    out.insert(out.begin(), columns("sines and cosines alternating", half, rows, odd, even));
    out[0].sine_first = out[1].sine_first = true;
    out.push_back(columns("cosines and sines alternating", half, rows, even, odd));
  }
  for (Observed& o : out) {
    o.numbers.table = !halves, o.numbers.rotation = rows.cols() % 2 == 0;
    o.numbers.alternating = std::abs(o.cosine[0] - o.sine[0]) == 1;
  }
  return out;
}

std::vector<Observed> observe(const Matrix& rows, bool halves, double unit) {
  std::vector<Observed> out;
  if (rows.rows() < 2) return out;
  for (Observed& o : layouts(rows, halves))
    if (auto found = read(rows, std::move(o), unit)) out.push_back(std::move(*found));
  return out;
}

}  // namespace posenc::model
