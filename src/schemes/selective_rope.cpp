#include "model/scheme.hpp"
#include "schemes/drawn.hpp"
#include "schemes/heads.hpp"
#include "schemes/limits.hpp"
#include "schemes/selective_angles.hpp"

#include <cmath>

namespace posenc::schemes {
namespace {

using model::Index;
using model::Matrix;
using model::Vector;

enum class Projection : int { low_rank, per_head };
constexpr std::array<std::string_view, 2> projections{"low-rank", "per-head"};
enum class Gate : int { none, head, pair };
constexpr std::array<std::string_view, 3> gates{"none", "head", "pair"};

/// One head: phi_t of the unit parts of x_t, its filter and its gate.
struct Angles {
  Matrix down, up;            // low rank: [width][rank], [rank][pairs]; per head: empty, [width / heads][pairs]
  Matrix kernel;              // [tap][pair]
  Matrix gate_down, gate_up;  // [width][1 or rank], [rank][pairs] or empty; without a gate both empty
};

class SelectiveRope : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"selective-rope", "selective rotary positions",
            "q_m -> R(a_m) q, k_n -> R(a_n) k, a_t,j = T_j sum_{u <= t} g_u (sum_tap c_tap,j phi_(u - tap),j [+ 1]), phi_u a "
            "projection of the token's unit vectors (each head's part of x_u), c a short causal filter, g_u = 1 or sigmoid of "
            "a projection, T_j = temperature base^(-2j/d); [+ 1] with bias: rope where phi = 0",
            "Movahedi 2025 (arXiv 2511.17388) sec. 4; timurcarstensen/selective-rope src/selective_rope/modules/rotary.py "
            "(rank 16, 4 taps, base 500000, half split; no gate and no bias unless asked for; b = e^0 at the start)"};
  }
  model::Encoding lower(model::Pos) const override {
    model::Encoding e;
    e.head_dim = heads_.head_dim();
    e.heads = heads_.count();
    e.width = heads_.width();
    e.logit_scale = 1 / std::sqrt(static_cast<double>(e.head_dim));
    const double offset = bias_ ? 1 : 0;
    e.terms.push_back(model::Contextual{
        [all = angles_, T = temperature_, H = heads_.count(), offset](const model::Content& c, Index head, model::Pos) {
          const Angles& a = (*all)[static_cast<std::size_t>(head)];
          const Matrix x = unit_parts(c.x, H);
          const Index part = x.cols() / H;
          const Matrix phi = a.down.size() ? Matrix((x * a.down) * a.up) : Matrix(x.middleCols(head * part, part) * a.up);
          return selectively_rotated_scores(c.q(), c.k(), running_angles(phi, a.kernel, gate_of(a, x), offset, T));
        },
        "the angles of the rotation are sums over the tokens"});
    return e;
  }

 private:
  Fields own_fields() override {
    Fields all = heads_.fields();
    Fields own = {
        {"base", "1", "base of the geometric temperatures", &base_, above(1)},
        {"temperature", "1", "the temperature of the fastest pair", &temperature_max_, above(0)},
        {"projection", "1", "phi of the whole token through a rank, or of the head's own part", choice(projection_, projections)},
        {"rank", "1", "rank of the projections", &rank_, between(1, 65536)},
        {"taps", "position", "width of the filter", &taps_, between(1, 1024)},
        {"gate", "1", "factor of the steps: none, one a head, one a pair (through a rank)", choice(gate_, gates)},
        {"bias", "1", "adds 1 to every step, as fixed frequencies do", &bias_},
        {"std", "1", "standard deviation of drawn projections", &std_, deviations}};
    all.insert(all.end(), own.begin(), own.end());
    return all;
  }
  void prepare(const model::Context& context) override {
    heads_.resolve("selective-rope");
    const Index H = heads_.count(), D = heads_.width(), d = heads_.head_dim(), P = d / 2;
    if (d % 2 != 0) reject("selective-rope", "head-dim", std::to_string(d), "must be even");
    if (D % H != 0)
      reject("selective-rope", "dim", std::to_string(D),
             "must be a multiple of heads = " + std::to_string(H) + ": each has a part");
    const auto draw = [&](const char* name, Index rows, Index columns, double spread) {
      return drawn_matrix(context.seed, name, rows, columns, spread);
    };
    const bool low = projection_ == Projection::low_rank;
    // One rank for all heads, each with columns of its own.
    const Matrix down = low ? draw("selective-rope.down", D, rank_, std_) : Matrix();
    const Matrix up = draw("selective-rope.up", low ? rank_ : H * (D / H), low ? H * P : P, std_);
    const Matrix kernel = draw("selective-rope.kernel", taps_, H * P, 1 / std::sqrt(3.0 * static_cast<double>(taps_)));
    const Matrix gate_down = gate_ == Gate::none   ? Matrix()
                             : gate_ == Gate::head ? draw("selective-rope.gate", D, H, std_)
                                                   : draw("selective-rope.gate-down", D, rank_, std_);
    const Matrix gate_up = gate_ == Gate::pair ? draw("selective-rope.gate-up", rank_, H * P, std_) : Matrix();
    auto angles = std::make_shared<std::vector<Angles>>();
    for (Index h = 0; h < H; ++h) {
      Angles a{down,
               low ? Matrix(up.middleCols(h * P, P)) : unit_columns(up.middleRows(h * (D / H), D / H)),
               kernel.middleCols(h * P, P),
               gate_down,
               {}};
      if (gate_ == Gate::head) a.gate_down = gate_down.col(h);
      if (gate_ == Gate::pair) a.gate_up = gate_up.middleCols(h * P, P);
      angles->push_back(std::move(a));
    }
    angles_ = std::move(angles);
    temperature_.resize(P);
    for (Index j = 0; j < P; ++j)
      temperature_(j) = temperature_max_ * std::pow(base_, -2 * static_cast<double>(j) / static_cast<double>(d));
  }
  /// Weight normalisation with scale 1, as at the start of training.
  static Matrix unit_columns(Matrix w) {
    for (Index j = 0; j < w.cols(); ++j) {
      double squares = 0;
      for (Index i = 0; i < w.rows(); ++i) squares += w(i, j) * w(i, j);
      if (squares > 0) w.col(j) /= std::sqrt(squares);
    }
    return w;
  }
  static Matrix gate_of(const Angles& a, const Matrix& x) {
    if (!a.gate_down.size()) return {};
    Matrix g = x * a.gate_down;
    if (a.gate_up.size()) g = g * a.gate_up;
    return g.unaryExpr([](double v) { return 1 / (1 + std::exp(-v)); });
  }

  Heads heads_;
  double base_ = 500000, temperature_max_ = 1, std_ = 0.02;
  Projection projection_ = Projection::low_rank;
  std::int64_t rank_ = 16, taps_ = 4;
  Gate gate_ = Gate::none;
  bool bias_ = false;
  std::shared_ptr<const std::vector<Angles>> angles_;
  Vector temperature_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_selective_rope() { return std::make_unique<SelectiveRope>(); }

}  // namespace posenc::schemes
