#include "analyses/periodicity_lag.hpp"

#include "math/common_multiple.hpp"
#include "math/plane_overlap.hpp"
#include "model/views/position_code.hpp"
#include "model/views/traits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace posenc::analyses {
namespace {

using namespace model;

constexpr double absent = std::numeric_limits<double>::quiet_NaN();

std::string why_no_frequencies(const Encoding& e, const Traits& t) {
  switch (t.kind) {
    case Kind::contextual:
      return "depends on content: " + t.contextual_needs;
    case Kind::none:
      return "the encoding has no positional term";
    case Kind::rotary:
      return form<Rotary>(e)->hyperbolic ? "hyperbolic pairs do not turn" : "the encoding rotates no pair";
    case Kind::table:
    case Kind::untied:
      return "the table is no sum of sinusoids: see power";
    case Kind::relative:
      return "the relative vectors are no sinusoids of the lag";
    case Kind::bias:
      break;
  }
  return "a bias does not turn";
}

/// One head's curve of the lag and where its main lobe ends; or why there is none.
struct Curve {
  std::optional<math::LagCurve> curve;
  double constant = 0;
};
Curve curve_of(const Encoding& e, Index head, Pos positions) {
  if (traits(e).kind == Kind::relative) {
    Points rows;
    rows.spectrum = spectrum_of(pair_frequencies(e, head));
    return {lag_curve(e, rows, positions), 0};
  }
  const auto p = points(e, head);
  if (!p) return {};
  return {lag_curve(e, *p, positions), p->constant};
}
std::string why_no_records(const Encoding& e) {
  const auto* r = form<Rotary>(e);
  if (e.point) return "positions are points of a grid and have no lag";
  if (r && (!r->mix_cosine.empty() || r->early_until > 0)) return "the rotation is no function of the lag";
  if (traits(e).kind == Kind::untied) return "an untied table gives positions no distance";
  return {};
}

/// The period that all pairs share, or the least common multiple of the wavelengths that are integers to within 1e-9 position.
struct CommonPeriod {
  Index pairs = 0;
  double log10 = absent;
  std::string digits = "none";
};
CommonPeriod common_period(const std::vector<Frequency>& frequencies) {
  CommonPeriod out;
  const Frequency* shared = nullptr;
  bool one = true;
  Index turning = 0;
  std::vector<std::uint64_t> wavelengths;
  for (const Frequency& f : frequencies) {
    if (f.turn == math::Turn{}) continue;
    ++turning;
    one &= !shared || shared->turn == f.turn;
    shared = &f;
    const double wavelength = 2 * std::numbers::pi / std::abs(f.theta);
    const double nearest = std::nearbyint(wavelength);
    if (nearest >= 1 && nearest <= 0x1p53 &&
        std::abs(math::fine_signed_turns(math::times(static_cast<Pos>(nearest), f.turn))) * wavelength <= 1e-9)
      wavelengths.push_back(static_cast<std::uint64_t>(nearest));
  }
  if (!wavelengths.empty()) {
    const math::CommonMultiple multiple = math::least_common_multiple(wavelengths);
    out = {static_cast<Index>(wavelengths.size()), multiple.log10, multiple.digits};
  } else if (shared && one) {
    const double period = 2 * std::numbers::pi / std::abs(shared->theta);
    out = {turning, std::log10(period), number_text(period)};
  }
  return out;
}

Index heads_of(const Encoding& e) {
  const auto* r = form<Rotary>(e);
  return r && r->per_head ? r->heads : 0;
}

}  // namespace

void declare_turning(const Subject&, const Encoding& e, Schema& out) {
  const std::vector<const char*> of_pairs = {"wavelength",           "turns",
                                             "pairs_below_one_turn", "neighbour_overlap",
                                             "common_period_pairs",  "common_period_log10"},
                                 of_records = {"record_lag", "record_distance"};
  const std::vector<Frequency> first = traits(e).kind == Kind::contextual ? std::vector<Frequency>{} : pair_frequencies(e, 0);
  if (first.empty()) {
    const std::string why = why_no_frequencies(e, traits(e));
    for (const auto& names : {of_pairs, of_records})
      for (const char* name : names) out.skip(name, why);
    return;
  }
  const Index heads = heads_of(e);
  if (heads > 0) out.axis({"head", static_cast<std::uint64_t>(heads), false}, Type::i64, "1", "attention head");
  out.axis({"pair", first.size(), false}, Type::i64, "1", "index of a pair of channels, pass-through pairs last");
  const auto add = [&](const char* name, const char* dim, Type type, const char* unit, const char* about) {
    std::vector<std::string> dims;
    if (heads > 0) dims.push_back("head");
    if (*dim) dims.push_back(dim);
    out.add({name, type, std::move(dims), unit, about, {}});
  };
  add("wavelength", "pair", Type::f64, "position", "positions per turn; NaN where the pair does not turn");
  add("turns", "pair", Type::f64, "1", "turns within the length");
  add("pairs_below_one_turn", "", Type::i64, "1", "number of pairs that turn, but not once within the length");
  add("neighbour_overlap", "pair", Type::f64, "1",
      "mean squared cosine of the principal angles between the planes that the cosine and sine of this pair and of the next span "
      "over the length: near 1 the two tell the same; NaN for the last and where a pair does not turn");
  add("common_period_pairs", "", Type::i64, "1", "number of pairs that the common period covers");
  std::string digits;
  bool any = false;
  for (Index h = 0; h < std::max<Index>(heads, 1); ++h) {
    const CommonPeriod period = common_period(pair_frequencies(e, h));
    any |= period.pairs > 0;
    digits += (h > 0 ? " " : "") + period.digits;
  }
  if (any) {
    add("common_period_log10", "", Type::f64, "1",
        "log10 of the least common multiple, in positions, of the wavelengths that are integers; of the period where one "
        "frequency "
        "is shared");
    out.vars.back().attributes.push_back({"digits", digits});
  } else {
    out.skip("common_period_log10", "no wavelength is an integer");
  }
  if (const std::string why = why_no_records(e); !why.empty()) {
    for (const char* name : of_records) out.skip(name, why);
    return;
  }
  out.axis({"record", 0, true}, Type::i64, "1",
           "index of a near return nearer than all before, from the end of the main lobe on");
  if (heads > 0) out.add({"record_head", Type::i64, {"record"}, "1", "head of the near return", {}});
  out.add({"record_lag", Type::i64, {"record"}, "position", "lag of the near return", {}});
  out.add({"record_distance", Type::f64, {"record"}, "1", "its distance sqrt(1 - similarity); sqrt(2): nothing in common", {}});
}

void write_turning(const Subject& s, const Encoding& e, Sink& sink) {
  if (traits(e).kind == Kind::contextual || pair_frequencies(e, 0).empty()) return;
  const Index heads = heads_of(e);
  const auto L = static_cast<double>(s.request.length);
  bool any_period = false;
  std::vector<double> period, records_head;
  std::vector<Pos> at;
  std::vector<double> wavelength, turns, overlap, below, covered;
  for (Index h = 0; h < std::max<Index>(heads, 1); ++h) {
    const std::vector<Frequency> frequencies = pair_frequencies(e, h);
    double count = 0;
    for (const Frequency& f : frequencies) {
      wavelength.push_back(f.theta == 0 ? absent : 2 * std::numbers::pi / std::abs(f.theta));
      turns.push_back(L * std::abs(f.theta) / (2 * std::numbers::pi));
      count += turns.back() > 0 && 1 - turns.back() >= math::lag_tie;
    }
    for (std::size_t j = 0; j < frequencies.size(); ++j)
      overlap.push_back(j + 1 < frequencies.size()
                            ? math::plane_overlap(frequencies[j].turn, frequencies[j + 1].turn, s.request.length)
                            : absent);
    below.push_back(count);
    const CommonPeriod common = common_period(frequencies);
    covered.push_back(static_cast<double>(common.pairs));
    period.push_back(common.log10);
    any_period |= common.pairs > 0;
  }
  const auto counting = [&](const char* name, std::size_t size) {
    std::vector<double> values;
    for (std::size_t i = 0; i < size; ++i) values.push_back(static_cast<double>(i));
    sink.write(name, 0, values);
  };
  if (heads > 0) counting("head", static_cast<std::size_t>(heads));
  counting("pair", wavelength.size() / below.size());
  sink.write("wavelength", 0, wavelength);
  sink.write("turns", 0, turns);
  sink.write("pairs_below_one_turn", 0, below);
  sink.write("neighbour_overlap", 0, overlap);
  sink.write("common_period_pairs", 0, covered);
  if (any_period) sink.write("common_period_log10", 0, period);
  if (!why_no_records(e).empty()) return;

  std::uint64_t record = 0;
  const auto write_record = [&](const char* name, double value) { sink.write(name, record, {&value, 1}); };
  for (Index h = 0; h < std::max<Index>(heads, 1); ++h) {
    const auto [curve, constant] = curve_of(e, h, s.request.length);
    if (!curve || !(constant < 1)) continue;
    const Pos horizon = s.request.horizon();
    const auto guard = math::first_at_most(*curve, constant, 1, horizon);
    if (!guard) continue;
    math::record_returns(*curve, *guard, horizon, [&](const math::Return& r) {
      write_record("record", static_cast<double>(record));
      if (heads > 0) write_record("record_head", static_cast<double>(h));
      write_record("record_lag", static_cast<double>(r.lag));
      write_record("record_distance", std::sqrt(r.deficit));
      ++record;
    });
  }
}

}  // namespace posenc::analyses
