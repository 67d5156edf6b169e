#include "analyses/properties_matrix.hpp"
#include "model/views/lag_statistics.hpp"
#include "model/views/position_code.hpp"
#include "model/views/traits.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace posenc::analyses {
namespace {

using namespace model;

constexpr Pos most_elements = Pos{1} << 22;  // of the matrices of all heads: a fraction of a second
constexpr Pos permuted_positions = 64;
constexpr double same = 1e-14;  // scores nearer than this do not rise

/// What applies to one subject, and on how many positions.
struct Plan {
  Encoding encoding;
  Traits traits;
  Positions positions;
  Sampled matrix;
  Index permuted = 0;
  std::string no_matrix, no_symmetry, no_expected, no_curve, no_norm, no_bias, no_permutation;

  explicit Plan(const Subject& s) : encoding(s.in_use()), traits(model::traits(encoding)), positions{s.request.start, s.request.length} {
    const Encoding& e = encoding;
    const std::string content = "the score depends on content: " + traits.contextual_needs;
    Pos rows = positions.count;
    if (const auto p = table_points(e); p && p->count) rows = std::min(rows, *p->count - positions.first);
    no_curve = rows < positions.count ? fmt::format("the table has rows for {} positions", std::max<Pos>(rows, 0)) : no_lag_statistics(e, positions);
    if (traits.kind == Kind::none) no_matrix = no_curve = "the encoding has no positional term";
    if (traits.kind == Kind::contextual) no_matrix = content;
    if (rows < 1) no_matrix = no_permutation = "the table has no row for the first position";
    if (no_curve.empty() && !has_content_free_score(e)) no_curve = "the score has no part without content";
    no_symmetry = !no_matrix.empty() ? no_matrix : causal_by_itself(e) ? "keys after the query have no score" : "";
    const auto* r = form<Rotary>(e);
    no_expected = traits.kind != Kind::rotary ? "the encoding does not rotate"
                  : !no_symmetry.empty()      ? no_symmetry
                  : r->hyperbolic             ? "pairs meet hyperbolic functions"
                  : e.pair_map || e.point     ? "the rotation is no function of two text positions"
                                              : "";
    no_norm = !r ? "the encoding does not rotate" : traits.damped ? "the rotation is damped" : r->hyperbolic ? "pairs meet hyperbolic functions" : "";
    if (!traits.has_bias) no_bias = "the encoding adds no bias";
    // All positions where they are affordable, else evenly spaced ones, so that the whole length is seen.
    matrix.start = positions.first;
    while ((rows / matrix.stride) * (rows / matrix.stride) * heads() > most_elements) ++matrix.stride;
    matrix.count = static_cast<Index>(std::max<Pos>(rows / matrix.stride, 1));
    permuted = static_cast<Index>(std::min(rows, permuted_positions));
  }
  Index heads() const { return traits.has_heads ? traits.heads : 1; }
};

struct Rise {
  double count = 0, first = std::numeric_limits<double>::quiet_NaN();
};
/// Lags at which the score is above that of the lag before.
Rise rises(const Plan& p, Index head) {
  constexpr Pos block = 65536;
  Rise out;
  double before = std::numeric_limits<double>::infinity();
  const auto statistics = lag_statistics(p.encoding, head, p.positions);
  std::vector<double> score;
  for (Pos first = 0; first < p.positions.count; first += block) {
    score.resize(static_cast<std::size_t>(std::min(block, p.positions.count - first)));
    statistics->score(first, score);
    for (std::size_t i = 0; i < score.size(); ++i) {
      if (score[i] > before + same && ++out.count == 1) out.first = static_cast<double>(first) + static_cast<double>(i);
      before = score[i];
    }
  }
  return out;
}

double largest_bias(const Plan& p, Index head) {
  constexpr Pos block = 65536;
  double largest = 0;
  std::vector<double> bias;
  for (Pos first = 0; first < p.positions.count; first += block) {
    bias.resize(static_cast<std::size_t>(std::min(block, p.positions.count - first)));
    bias_by_lag(p.encoding, head, p.positions.last(), first, bias);
    for (const double b : bias) largest = std::max(largest, std::abs(b));
  }
  return largest;
}

class Properties : public Analysis {
 public:
  AnalysisInfo info() const override {
    return {"properties", "invariances as numbers",
            "Translation invariance, symmetry and monotonicity of the position score (Wang 2021, ICLR, sec. 3.1), boundedness, "
            "causality, norm preservation and permutation equivariance, computed and not looked up. They describe the encoding, "
            "not what trained weights make of it."};
  }

  Schema schema(const Subject& s) const override {
    const Plan p(s);
    Schema out;
    std::vector<std::string> dims;
    if (p.traits.has_heads) {
      out.axis({"head", static_cast<std::uint64_t>(p.heads())}, Type::i64, "1", "head");
      dims.push_back("head");
    }
    const std::vector<Attribute> first{{"positions", std::int64_t{p.matrix.count}}, {"stride", std::int64_t{p.matrix.stride}}};
    const auto add = [&](const std::string& no, Variable v) { no.empty() ? out.add(std::move(v)) : out.skip(v.name, no); };
    add(p.no_matrix, {"translation_defect", Type::f64, dims, "1",
                      "sqrt(mean over diagonals of the variance along it) / rms, of the matrix of position scores", first});
    add(p.no_symmetry, {"symmetry_defect", Type::f64, dims, "1", "|M - M^T| / |M| of the matrix of position scores", first});
    add(p.no_expected, {"symmetry_defect_expected", Type::f64, dims, "1",
                        "the same for independent query and key content, as root of the ratio of mean squares", first});
    add(p.no_curve, {"monotone_violations", Type::f64, dims, "1", "lags at which the score is above that of the lag before", {}});
    add(p.no_curve, {"first_violation", Type::f64, dims, "position", "the first of them; NaN if there is none", {}});
    add(p.no_bias, {"bounded", Type::f64, dims, "1", "largest |bias| over the lags computed, in logits", {}});
    out.add({"causal", Type::f64, {}, "1", "1 if the scheme itself, not a model's mask, gives keys after the query no score", {}});
    add(p.no_norm, {"norm_defect", Type::f64, dims, "1", "largest singular value of the rotation of any position, minus 1", first});
    add(p.no_permutation, {"permutation_defect", Type::f64, dims, "1",
                           "max |attention(P x) - P attention(x)| of one seeded head without causal mask",
                           {{"positions", std::int64_t{p.permuted}}}});
    return out;
  }

  void run(const Subject& s, Sink& sink) const override {
    const Plan p(s);
    const Encoding& e = p.encoding;
    if (p.traits.has_heads) {
      std::vector<double> heads(static_cast<std::size_t>(p.heads()));
      std::iota(heads.begin(), heads.end(), 0.0);
      sink.write("head", 0, heads);
    }
    sink.scalar("causal", causal_by_itself(e) ? 1 : 0);
    const Pos start = p.positions.first;
    for (Index head = 0; head < p.heads(); ++head) {
      const auto write = [&](std::string_view name, double x) { sink.write(name, static_cast<std::uint64_t>(head), {&x, 1}); };
      if (p.no_matrix.empty()) {
        const Matrix m = position_scores(e, head, p.matrix, s.request.sample_seed);
        write("translation_defect", translation_defect(m, causal_by_itself(e)));
        if (p.no_symmetry.empty()) write("symmetry_defect", symmetry_defect(m));
      }
      if (p.no_expected.empty()) write("symmetry_defect_expected", symmetry_defect_expected(e, head, p.matrix));
      if (p.no_curve.empty()) {
        const Rise r = rises(p, head);
        write("monotone_violations", r.count);
        write("first_violation", r.first);
      }
      if (p.no_bias.empty()) write("bounded", largest_bias(p, head));
      if (p.no_norm.empty()) write("norm_defect", norm_defect(e, head, p.matrix));
      if (p.no_permutation.empty()) write("permutation_defect", permutation_defect(e, head, start, p.permuted, s.request.sample_seed));
    }
  }
};

}  // namespace

std::unique_ptr<Analysis> make_properties() { return std::make_unique<Properties>(); }

}  // namespace posenc::analyses
