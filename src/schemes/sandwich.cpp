#include "math/parallel.hpp"
#include "model/scheme.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/limits.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

namespace posenc::schemes {
namespace {

using model::Index;
using model::Pos;

constexpr Pos largest_kept = 65536;

/// sum_i (1 - cos(s w_i)), without cancellation; the first lags are kept.
struct Curve {
  std::vector<math::Turn> turns;
  std::vector<double> known;

  Curve(std::vector<math::Turn> of, Pos lags) : turns(std::move(of)), known(static_cast<std::size_t>(lags)) {
    math::parallel_blocks(lags, 1024, [&](Pos first, Pos count) {
      for (Pos s = first; s < first + count; ++s) known[static_cast<std::size_t>(s)] = computed(s);
    });
  }
  double deficit(Pos s) const {
    const Pos distance = std::abs(s);
    return distance < std::ssize(known) ? known[static_cast<std::size_t>(distance)] : computed(distance);
  }

 private:
  double computed(Pos s) const {
    double sum = 0;
    for (const math::Turn& t : turns) {
      const double x = std::sin(std::numbers::pi * math::signed_turns(math::times(s, t)));
      sum += 2 * x * x;
    }
    return sum;
  }
};

class Sandwich : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"sandwich", "Sandwich biases", "b_h(s) = (sum_{i=1..dbar/2} cos(s base^(-2i/dbar)) - dbar/2) H/(8h), h = 1 .. H",
            "Chi 2023 (arXiv 2212.10356) sec. 5; NVIDIA/NeMo sandwich_relative_position_embedding.py (dbar the head's channels)"};
  }
  model::Encoding lower(Pos) const override {
    model::Encoding e;
    e.head_dim = e.width = dim_;
    e.heads = heads_;
    e.logit_scale = 1 / std::sqrt(static_cast<double>(dim_));
    e.causal = causal_;
    model::Bias b;
    b.heads = heads_;
    b.value = [curve = curve_, H = static_cast<double>(heads_)](Index h, Pos m, Pos n) {
      return -curve->deficit(m - n) * H / (8 * static_cast<double>(h + 1));
    };
    b.features = [curve = curve_](Index, Pos m, Pos n, double* phi) {
      phi[0] = 1, phi[1] = static_cast<double>(curve->turns.size()) - curve->deficit(m - n);
    };
    b.unknowns = 2;
    b.free = false;
    e.terms.push_back(std::move(b));
    return e;
  }

 private:
  Fields own_fields() override {
    return {{"dim", "channel", "channels of a head", &dim_, widths},
            {"dbar", "1", "twice the number of cosines", &dbar_,
             Range{.low = 2, .high = static_cast<double>(largest_width), .even = true}, "dim"},
            {"causal", "1", "keys after the query are masked; false: they have the bias of their distance", &causal_},
            {"heads", "head", "number of heads", &heads_, head_counts},
            {"first", "1", "the first i of the dbar/2 cosines: 1 in the paper and in NeMo", &first_,
             between(0, 1)},
            {"base", "1", "base of the geometric frequencies", &base_, above(1)}};
  }
  void finish(const model::Context& context) override {
    if (!dbar_) {
      if (dim_ % 2 != 0) reject("sandwich", "dim", std::to_string(dim_), "must be even, or dbar given");
      dbar_ = dim_;
    }
    std::vector<math::Turn> turns;
    for (std::int64_t i = first_; i < first_ + *dbar_ / 2; ++i)
      turns.push_back(frequency(exp(-2 * i * log(math::Real(base_)) / *dbar_)).turn);
    curve_ = std::make_shared<Curve>(std::move(turns), std::min<Pos>(8 * context.length, largest_kept));
  }

  std::int64_t dim_ = 128, heads_ = 8, first_ = 1;
  std::optional<std::int64_t> dbar_;
  bool causal_ = true;
  double base_ = 10000;
  std::shared_ptr<const Curve> curve_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_sandwich() { return std::make_unique<Sandwich>(); }

}  // namespace posenc::schemes
