#include "analyses/precision_plan.hpp"
#include "core/error.hpp"
#include "math/distinct_integers.hpp"

#include <fmt/format.h>
#include <array>
#include <limits>
#include <numeric>

namespace posenc::analyses {
namespace {

using namespace model;

constexpr std::array<const char*, 3> dtypes{"fp32", "fp16", "bf16"};
constexpr std::array<const math::BinaryFormat*, 3> formats{&math::f32_format, &math::f16_format, &math::bf16_format};
constexpr std::array of_angles{"phase_error",    "phase_error_max",    "phase_error_of_pair",
                               "first_position", "distinct_positions", "first_collision"};
constexpr std::array of_shifts{"shift_error", "shift_error_sampled", "logit_error"};

class Precision : public Analysis {
 public:
  AnalysisInfo info() const override {
    return {
        "precision", "errors of angles, tables and scores in limited precision",
        "What float32, bfloat16 and half precision make of the angles m theta: recipes round at named stages (frequency, "
        "position, angle, cosine and sine as stored, rotated query and key), each on its own and together, to nearest even; "
        "stages not named are exact. Errors by position against 128-bit phases, first positions beyond a tolerance, positions "
        "that share a number, and the change of scores when query and key move together (Wang 2024, arXiv 2411.13476). It "
        "measures arithmetic, not what a trained model does with it."};
  }
  Fields fields() override {
    return {{"recipes", "1", "what to round, names a/b/c of the recipe axis or all", &recipes_},
            {"shift-samples", "1", "draws of query, key and their positions in shift_error_sampled and logit_error", &samples_,
             between(1, 1 << 20)}};
  }

  Schema schema(const Subject& s) const override;
  void run(const Subject& s, Sink& sink) const override;

 private:
  std::string recipes_ = "all";
  Pos samples_ = 256;
};

void add_angles(const PrecisionPlan& plan, Schema& out) {
  out.axis({"recipe", plan.recipes.size()}, Type::text, "1", "what is rounded");
  out.axis({"position", plan.positions.size()}, Type::i64, "position", "0 to 255, then 32 to an octave");
  out.axis({"pair", plan.turn.size()}, Type::i64, "1", "index of a pair that turns, head by head");
  out.axis({"tolerance", std::size(phase_tolerances)}, Type::f64, "rad", "largest error allowed");
  out.axis({"dtype", dtypes.size()}, Type::text, "1", "storage format of the positions");
  out.add({"stages", Type::text, {"recipe"}, "1", "stages that round, and to what", {}});
  out.add({"frequency", Type::f64, {"pair"}, "rad position-1", "exact angle per position", {}});
  out.add({"phase_error",
           Type::f64,
           {"recipe", "position"},
           "rad",
           "largest error of any pair's angle, the shorter way around; pi where an angle is not finite",
           {}});
  out.add({"phase_error_max",
           Type::f64,
           {"recipe", "position"},
           "rad",
           "largest phase error at this position and all before the next on the axis (below the horizon)",
           {}});
  out.add({"phase_error_of_pair",
           Type::f64,
           {"recipe", "pair"},
           "rad",
           "largest phase error of the pair at the positions of the axis",
           {}});
  out.add({"first_position",
           Type::f64,
           {"recipe", "tolerance"},
           "position",
           "first position whose phase error is above the tolerance; NaN: none below the horizon",
           {}});
  out.add({"distinct_positions",
           Type::i64,
           {"dtype"},
           "1",
           "different finite numbers that the positions below the horizon become",
           {}});
  out.add({"first_collision",
           Type::f64,
           {"dtype"},
           "position",
           "lower of the first two positions that become the same number; NaN: none below the horizon",
           {}});
}

Schema Precision::schema(const Subject& s) const {
  const PrecisionPlan plan(s, recipes_);
  Schema out;
  if (!plan.no_angle.empty()) {
    for (const char* name : of_angles) out.skip(name, plan.no_angle);
  } else {
    if (plan.horizon > math::rounded_phase_positions)
      throw UsageError(fmt::format("precision: position-horizon = {}: must be <= {}: every position below is looked at",
                                   plan.horizon, math::rounded_phase_positions));
    add_angles(plan, out);
    if (!plan.no_recurrence.empty())
      out.attributes.push_back({"recipes_left_out", "recurrence32-frequency, recurrence32-angle: " + plan.no_recurrence});
  }
  if (plan.no_table.empty())
    out.add({"table_error",
             Type::f64,
             {"recipe", "position"},
             "1",
             "largest error of a stored cosine or sine, attention factor included; NaN where one is not finite",
             {}});
  else
    out.skip("table_error", plan.no_table);
  if (!plan.no_shift.empty()) {
    for (const char* name : of_shifts) out.skip(name, plan.no_shift);
    return out;
  }
  out.axis({"shift", last_shift - first_shift + 1}, Type::i64, "position", "by which query and key both move");
  const std::vector<Attribute> places{{"positions", std::int64_t{shift_positions}}};
  out.add(
      {"shift_error",
       Type::f64,
       {"recipe", "shift"},
       "1",
       "relative rms change of the score of white queries and keys at positions 0 to 255, in closed form; output rounding left "
       "out, NaN where nothing else rounds or a cosine is not finite",
       places});
  out.add(
      {"shift_error_sampled", Type::f64, {"recipe", "shift"}, "1", "the same of seeded draws, output rounding included", places});
  out.add({"logit_error",
           Type::f64,
           {"recipe", "shift"},
           "1",
           "relative rms error of the shifted scores of the same draws against the exact ones, output rounding included",
           places});
  return out;
}

void Precision::run(const Subject& s, Sink& sink) const {
  const PrecisionPlan plan(s, recipes_);
  if (!plan.no_angle.empty()) return;
  const auto counting = [](std::size_t n) {
    std::vector<double> out(n);
    std::iota(out.begin(), out.end(), 0.0);
    return out;
  };
  std::vector<std::string> names, words;
  for (const Recipe* r : plan.recipes) names.emplace_back(r->name), words.push_back(r->words());
  sink.write_text("recipe", 0, names);
  sink.write_text("stages", 0, words);
  sink.write("position", 0, std::vector<double>(plan.positions.begin(), plan.positions.end()));
  sink.write("pair", 0, counting(plan.turn.size()));
  sink.write("frequency", 0, plan.theta);
  sink.write("tolerance", 0, phase_tolerances);
  sink.write_text("dtype", 0, std::vector<std::string>(dtypes.begin(), dtypes.end()));
  std::vector<double> distinct, collision;
  for (const math::BinaryFormat* f : formats) {
    const auto first = math::first_shared_integer(*f, plan.horizon);
    distinct.push_back(static_cast<double>(math::distinct_integers(*f, plan.horizon)));
    collision.push_back(first ? static_cast<double>(*first) : std::numeric_limits<double>::quiet_NaN());
  }
  sink.write("distinct_positions", 0, distinct);
  sink.write("first_collision", 0, collision);
  write_phase_errors(plan, sink);
  if (!plan.no_shift.empty()) return;
  std::vector<double> shifts;
  for (int k = first_shift; k <= last_shift; ++k) shifts.push_back(std::ldexp(1.0, k));
  sink.write("shift", 0, shifts);
  write_shift_errors(plan, static_cast<std::uint64_t>(s.request.sample_seed), samples_, sink);
}

}  // namespace

std::unique_ptr<Analysis> make_precision() { return std::make_unique<Precision>(); }

}  // namespace posenc::analyses
