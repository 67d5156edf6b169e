#include "analyses/ambiguity_points.hpp"

#include "analyses/ambiguity_nearest.hpp"
#include "analyses/ambiguity_table.hpp"
#include "math/nearest_row.hpp"
#include "model/views/traits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace posenc::analyses {
namespace {

using namespace model;

constexpr double absent = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<const char*, 3> storage = {"fp32", "fp16", "bf16"};
constexpr std::array<const char*, 5> need_guard = {"contrast", "peak_sidelobe", "peak_sidelobe_lag", "nearest_position",
                                                   "nearest_distance"};
constexpr const char* no_guard = "the main lobe is longer than the horizon";

/// Empty if positions are points with distances.
std::string why_no_points(const Encoding& e, const Traits& t) {
  switch (t.kind) {
    case Kind::contextual:
      return "depends on content: " + t.contextual_needs;
    case Kind::untied:
      return "an untied table scores pairs of positions and gives them no distance";
    case Kind::relative:
    case Kind::bias:
      return "positions enter through their distance alone: see distinct_codes";
    case Kind::none:
      return "the encoding has no positional term";
    case Kind::rotary:
      if (form<Rotary>(e)->hyperbolic) return "queries and keys of hyperbolic pairs shrink and grow: positions have no distance";
      break;
    case Kind::table:
      break;
  }
  const auto p = points(e, 0);
  if (p->count == Pos{0}) return "the table has no row for position 0";
  if (e.pair_map && !p->spectrum) return "the position map is met by rotations that are no function of the lag";
  return {};
}

struct Shape {
  bool by_head = false;
  Index heads = 1;
  Pos positions = 0;
};
Shape shape_of(const Subject& s, const Encoding& e) {
  Shape out;
  if (const auto* r = form<Rotary>(e); r && r->per_head) out = {true, r->heads, 0};
  out.positions = std::min(s.request.length, points(e, 0)->count.value_or(s.request.length));
  return out;
}

/// Writes one head's part of each variable.
struct Rows {
  Sink& sink;
  const Shape& shape;
  Index head;

  void scalar(const char* name, double value) const { part(name, 1, 0, {&value, 1}); }
  void all(const char* name, const std::vector<double>& values) const { part(name, static_cast<Pos>(values.size()), 0, values); }
  /// Elements first .. of the `size` that a head has.
  void part(const char* name, Pos size, Pos first, std::span<const double> values) const {
    if (shape.by_head)
      sink.write_elements(name, static_cast<std::uint64_t>(head * size + first), values);
    else
      sink.write(name, static_cast<std::uint64_t>(first), values);
  }
};

double number(const std::optional<Pos>& lag) { return lag ? static_cast<double>(*lag) : absent; }

/// How far distances stay above a level, and how many do not.
struct Level {
  double noise;
  std::optional<Pos> first;  // lag within the noise
  double count = 0;
  void meet(Pos lag, double distance) {
    if (distance - noise >= math::lag_tie) return;
    if (!first) first = lag;
    ++count;
  }
};

/// False if the main lobe does not end below the horizon.
bool write_head(const Subject& s, const Encoding& e, const AmbiguityOptions& options, const Rows& out) {
  const Points p = *points(e, out.head);
  const Pos N = out.shape.positions;
  const bool by_lag = p.spectrum && !e.pair_map;
  Matrix table;
  std::optional<math::LagCurve> curve = lag_curve(e, p, N);
  if (!curve) {
    table.resize(N, p.channels);
    p.rows(0, table);
    curve = math::tabulated(squared_distance_by_lag(table));
  }

  const Pos horizon = s.request.horizon();
  std::optional<Pos> guard = options.guard;
  if (!guard && p.constant < 1) guard = math::first_at_most(*curve, p.constant, 1, horizon);
  const auto best = guard ? math::best_return(*curve, *guard, horizon) : std::nullopt;
  const double neighbour = curve->lags > 1 ? std::sqrt(curve->deficit(1)) : absent;
  out.scalar("guard", number(guard));
  out.scalar("mainlobe_half_width",
             number(p.constant < 1 ? math::first_at_most(*curve, (1 + p.constant) / 2, 1, horizon) : std::nullopt));
  out.scalar("contrast", best && neighbour > 0 ? std::sqrt(best->deficit) / neighbour : absent);
  out.scalar("peak_sidelobe", best ? 1 - best->deficit : absent);
  out.scalar("peak_sidelobe_lag", best ? static_cast<double>(best->lag) : absent);

  const StorageError error = storage_error(N, p.channels, [&](Pos first, Eigen::Ref<Matrix> rows) {
    if (table.size() == 0)
      p.rows(first, rows);
    else
      rows = table.middleRows(first, rows.rows());
  });
  out.all("code_error", {error.f32, error.f16, error.bf16});
  std::vector<Level> levels;
  for (const double noise : options.noise) levels.push_back({noise, {}, 0});
  for (const double noise : {error.f32, error.f16, error.bf16}) levels.push_back({noise, {}, 0});

  NearestLags nearest(guard);
  constexpr Pos block = Pos{1} << 16;
  std::vector<Pos> lags;
  std::vector<double> distance;
  for (Pos first = 0; first < N; first += block) {
    throw_if_stop_requested();
    lags.resize(static_cast<std::size_t>(std::min(block, N - first))), distance.resize(lags.size());
    std::iota(lags.begin(), lags.end(), first);
    curve->exact(lags, distance);
    for (std::size_t i = 0; i < lags.size(); ++i) {
      distance[i] = std::sqrt(distance[i]);
      if (lags[i] > 0)
        for (Level& l : levels) l.meet(lags[i], distance[i]);
      if (by_lag) nearest.meet(lags[i], distance[i]);
    }
    out.part("distance", N, first, distance);
  }
  std::vector<double> range, count;
  for (const Level& l : levels) range.push_back(static_cast<double>(l.first.value_or(N) - 1)), count.push_back(l.count);
  const auto noises = static_cast<std::ptrdiff_t>(options.noise.size());
  out.all("unambiguous_range", {range.begin(), range.begin() + noises});
  out.all("confusable", {count.begin(), count.begin() + noises});
  out.all("unambiguous_range_storage", {range.begin() + noises, range.end()});

  if (e.pair_map) return guard.has_value();
  std::vector<double> position, closest;
  const auto write_nearest = [&](Pos first) {
    out.part("nearest_position", N, first, position);
    out.part("nearest_distance", N, first, closest);
  };
  if (by_lag) {
    for (Pos first = 0; first < N; first += block) {
      position.clear(), closest.clear();
      for (Pos m = first; m < std::min(first + block, N); ++m) {
        const auto best_lag = nearest.of(m, N);
        position.push_back(best_lag ? static_cast<double>(best_lag->position) : absent);
        closest.push_back(best_lag ? best_lag->distance : absent);
      }
      write_nearest(first);
    }
    return guard.has_value();
  }
  position.assign(static_cast<std::size_t>(N), absent), closest.assign(position.size(), absent);
  if (guard) {
    std::vector<std::int64_t> index(position.size());
    math::nearest_rows(table.data(), N, p.channels, *guard, index, closest);
    double norms = 0;
    for (Pos i = 0; i < table.size(); ++i) norms += table.data()[i] * table.data()[i];
    const double scale = std::sqrt(2 * norms / static_cast<double>(N));
    for (std::size_t i = 0; i < position.size(); ++i) {
      if (index[i] >= 0) position[i] = static_cast<double>(index[i]);
      if (closest[i] > 0) closest[i] /= scale;
    }
  }
  write_nearest(0);
  return guard.has_value();
}

}  // namespace

void declare_points(const Subject& s, const Encoding& e, const AmbiguityOptions& options, Schema& out) {
  const Traits t = traits(e);
  if (const std::string why = why_no_points(e, t); !why.empty()) {
    for (const char* name :
         {"distance", "guard", "contrast", "peak_sidelobe", "peak_sidelobe_lag", "mainlobe_half_width", "nearest_position",
          "nearest_distance", "unambiguous_range", "confusable", "code_error", "unambiguous_range_storage"})
      out.skip(name, why);
    return;
  }
  const Shape shape = shape_of(s, e);
  const auto positions = static_cast<std::uint64_t>(shape.positions);
  if (shape.by_head) out.axis({"head", static_cast<std::uint64_t>(shape.heads), false}, Type::i64, "1", "attention head");
  out.axis({"lag", positions, false}, Type::i64, "position", "query position minus key position");
  out.axis({"position", positions, false}, Type::i64, "position", "token position");
  out.axis({"noise", options.noise.size(), false}, Type::f64, "1", "noise floor, in units of distance");
  out.axis({"dtype", storage.size(), false}, Type::text, "1", "storage format");
  const auto add = [&](std::string name, const char* dim, Type type, const char* unit, const char* about) {
    std::vector<std::string> dims;
    if (shape.by_head) dims.push_back("head");
    if (*dim) dims.push_back(dim);
    out.add({std::move(name), type, std::move(dims), unit, about, {}});
  };
  add("distance", "lag", Type::f64, "1",
      "distance of two positions a lag apart over sqrt(2) times their norm; 1 for orthogonal codes; tables: rms over positions");
  if (t.damped) out.vars.back().attributes.push_back({"note", std::string("the damping makes it no metric")});
  add("guard", "", Type::f64, "position", "lag where the main lobe ends: alias lags begin; NaN if not below the horizon");
  add("mainlobe_half_width", "", Type::f64, "position",
      "first lag at which the similarity has fallen half way to its constant part; NaN if not below the horizon");
  add("contrast", "", Type::f64, "1", "smallest distance of an alias lag over that of lag 1; below 1 an alias looks nearer");
  add("peak_sidelobe", "", Type::f64, "1", "largest similarity, 1 - distance^2, of an alias lag");
  add("peak_sidelobe_lag", "", Type::f64, "position", "its lag");
  if (e.pair_map) {
    for (const char* name : {"nearest_position", "nearest_distance"})
      out.skip(name, "the position map treats every pair of positions by itself");
  } else {
    add("nearest_position", "position", Type::f64, "position", "nearest position at least a guard away; NaN where there is none");
    add("nearest_distance", "position", Type::f64, "1", "its distance over sqrt(2) times the rms norm");
  }
  add("unambiguous_range", "noise", Type::i64, "position", "largest lag up to which every distance exceeds the noise");
  add("confusable", "noise", Type::i64, "1", "number of lags >= 1 below the length whose distance does not exceed the noise");
  add("code_error", "dtype", Type::f64, "1", "rms rounding error of a stored row, in units of distance");
  add("unambiguous_range_storage", "dtype", Type::i64, "position", "unambiguous_range at that noise");
}

void write_points(const Subject& s, const Encoding& e, const AmbiguityOptions& options, Sink& sink) {
  if (!why_no_points(e, traits(e)).empty()) return;
  const Shape shape = shape_of(s, e);
  sink.write("noise", 0, options.noise);
  sink.write_text("dtype", 0, std::vector<std::string>(storage.begin(), storage.end()));
  bool guarded = true;
  for (Index head = 0; head < shape.heads; ++head) guarded &= write_head(s, e, options, {sink, shape, head});
  if (guarded) return;
  for (const char* name : need_guard)
    if (!(e.pair_map && std::string_view(name).starts_with("nearest")))
      sink.attribute(name, {"not_applicable", std::string(no_guard)});
}

}  // namespace posenc::analyses
