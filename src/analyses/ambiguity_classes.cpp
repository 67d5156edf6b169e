#include "analyses/ambiguity_classes.hpp"

#include "model/views/position_code.hpp"
#include "model/views/traits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace posenc::analyses {
namespace {

using namespace model;

/// Empty if lags have classes.
std::string why_no_classes(const Encoding& e, const Traits& t) {
  switch (t.kind) {
    case Kind::contextual:
      return "depends on content: " + t.contextual_needs;
    case Kind::rotary:
      if (form<Rotary>(e)->hyperbolic) return "every lag has hyperbolic angles of its own: see score of decay";
      return e.pair_map ? "" : "positions are points and every lag has its own phases: see distance";
    case Kind::table:
      return "positions are points: see distance";
    case Kind::untied:
      return "an untied table scores pairs of positions, not their distance";
    default:
      return {};
  }
}

void write_steps(const Encoding& e, Pos query, Pos lags, Index heads, Sink& sink) {
  constexpr Pos block = Pos{1} << 16;
  std::vector<double> bias, step;
  for (Index head = 0; head < heads; ++head)
    for (Pos first = 0; first < lags; first += block) {
      const Pos count = std::min(block, lags - first), known = std::min(count + 1, lags - first);
      bias.resize(static_cast<std::size_t>(known));
      bias_by_lag(e, head, query, first, bias);
      step.assign(static_cast<std::size_t>(count), std::numeric_limits<double>::quiet_NaN());
      for (std::size_t i = 0; i + 1 < bias.size(); ++i) step[i] = bias[i + 1] == bias[i] ? 0 : std::abs(bias[i + 1] - bias[i]);
      sink.write_elements("step", static_cast<std::uint64_t>(head * lags + first), step);
    }
}

}  // namespace

void declare_classes(const Subject& s, const Encoding& e, Schema& out) {
  const Traits t = traits(e);
  if (const std::string why = why_no_classes(e, t); why.empty()) {
    out.axis({"code", 0, true}, Type::i64, "1",
             "class of lags: the scheme's own number (row, bucket, mapped lag), else by first lag");
    out.add({"class_start", Type::i64, {"code"}, "position", "first lag of the class", {}});
    out.add({"class_size", Type::i64, {"code"}, "1", "number of lags of the class below the length", {}});
    out.add({"distinct_codes", Type::i64, {}, "1", "number of classes among the lags below the length", {}});
    out.add({"ambiguous_fraction", Type::f64, {}, "1", "share of the pairs of different lags that are of one class", {}});
  } else {
    for (const char* name : {"class_start", "class_size", "distinct_codes", "ambiguous_fraction"}) out.skip(name, why);
  }
  if (!t.has_bias) return out.skip("step", "the encoding adds no bias");
  out.axis({"head", static_cast<std::uint64_t>(t.heads), false}, Type::i64, "1", "attention head");
  out.axis({"lag", static_cast<std::uint64_t>(s.request.length), false}, Type::i64, "position",
           "query position minus key position");
  out.add({"step", Type::f64, {"head", "lag"}, "1", "|b(s + 1) - b(s)| in logits; NaN at the last lag", {}});
}

void write_classes(const Subject& s, const Encoding& e, const Schema& shape, Sink& sink) {
  const Traits t = traits(e);
  const Pos lags = s.request.length;
  const auto length = [&](const char* name) { return static_cast<Pos>(shape.dimension(name)->size); };
  if (t.has_bias) write_steps(e, lags - 1, length("lag"), length("head"), sink);
  if (!why_no_classes(e, t).empty()) return;

  const std::vector<Pos> classes = lag_classes(e, lags);
  std::vector<Pos> order(classes.size());
  std::iota(order.begin(), order.end(), Pos{0});
  const auto code_of = [&](Pos lag) { return classes[static_cast<std::size_t>(lag)]; };
  std::sort(order.begin(), order.end(), [&](Pos a, Pos b) { return std::pair(code_of(a), a) < std::pair(code_of(b), b); });
  std::vector<double> code, start, size;
  for (const Pos lag : order) {
    if (code.empty() || static_cast<double>(code_of(lag)) != code.back()) {
      code.push_back(static_cast<double>(code_of(lag)));
      start.push_back(static_cast<double>(lag));
      size.push_back(0);
    }
    ++size.back();
  }
  sink.write("code", 0, code);
  sink.write("class_start", 0, start);
  sink.write("class_size", 0, size);
  sink.scalar("distinct_codes", static_cast<double>(code.size()));
  double same = 0;  // exact below 2^53
  for (const double n : size) same += n * (n - 1) / 2;
  const auto n = static_cast<double>(lags);
  sink.scalar("ambiguous_fraction", lags > 1 ? same / (n * (n - 1) / 2) : std::numeric_limits<double>::quiet_NaN());
}

}  // namespace posenc::analyses
