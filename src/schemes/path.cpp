#include "model/scheme.hpp"
#include "schemes/drawn.hpp"
#include "schemes/heads.hpp"
#include "schemes/limits.hpp"
#include "schemes/reflections.hpp"

#include <cmath>

namespace posenc::schemes {
namespace {

using model::Index;
using model::Matrix;
using model::Vector;

/// One head's path: w_t = unit(silu(convolution(x_t A B))), beta_t = 2 sigmoid(x_t.g + c).
struct Path {
  Matrix down, up;  // A [width][rank], B [rank][head_dim]
  Matrix kernel;    // [tap][channel], tap 0 the token itself
  Vector gate;      // g
  Vector forget;    // of the forget gate, empty: none

  Matrix directions(const Matrix& x) const {
    const Matrix projected = (x * down) * up;
    Matrix out = Matrix::Zero(projected.rows(), projected.cols());
    for (Index t = 0; t < out.rows(); ++t) {
      double square = 0;
      for (Index c = 0; c < out.cols(); ++c) {
        double sum = 0;
        for (Index tap = 0; tap < kernel.rows() && tap <= t; ++tap) sum += kernel(tap, c) * projected(t - tap, c);
        out(t, c) = sum / (1 + std::exp(-sum));
        square += out(t, c) * out(t, c);
      }
      const double inverse = square > 0 ? 1 / std::sqrt(square) : 0;
      for (Index c = 0; c < out.cols(); ++c) out(t, c) *= inverse;
    }
    return out;
  }
  Vector strengths(const Matrix& x) const {
    Vector out(x.rows());
    for (Index t = 0; t < x.rows(); ++t) {
      double sum = 0;
      for (Index c = 0; c < x.cols(); ++c) sum += gate(c) * x(t, c);
      out(t) = 2 / (1 + std::exp(-sum));
    }
    return out;
  }
  /// sum_{u <= t} ln sigmoid(forget.x_u).
  Vector forgotten(const Matrix& x) const {
    Vector out(x.rows());
    double total = 0;
    for (Index t = 0; t < x.rows(); ++t) {
      double sum = 0;
      for (Index c = 0; c < x.cols(); ++c) sum += forget(c) * x(t, c);
      out(t) = total += sum < 0 ? sum - std::log1p(std::exp(sum)) : -std::log1p(std::exp(-sum));
    }
    return out;
  }
};

enum class Forget : int { none, logit, scaled };
constexpr std::array<std::string_view, 3> forgets{"none", "logit", "scaled"};

class PathAttention : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"path", "PaTH attention",
            "score(m, n) = q_m^T H_m H_{m-1} .. H_{n+1} k_n, H_t = I - beta_t w_t w_t^T, beta_t = 2 sigmoid(g.x_t), w_t the "
            "unit vector of a low-rank projection of x_t after a short causal convolution with SiLU; forget-gate: the logit (or, "
            "scaled, the score before it is scaled) gains sum_{t = n+1..m} ln sigmoid(f.x_t)",
            "Yang 2025 (arXiv 2505.16381) sec. 3; fla-org/flash-linear-attention fla/layers/path_attn.py (rank 32, width 3; no "
            "forget gate unless asked "
            "for), fla/ops/path_attn/naive.py (scaled)"};
  }
  model::Encoding lower(model::Pos) const override {
    model::Encoding e;
    e.head_dim = heads_.head_dim();
    e.heads = heads_.count();
    e.width = heads_.width();
    e.logit_scale = 1 / std::sqrt(static_cast<double>(e.head_dim));
    const double unit = forget_ == Forget::logit ? 1 / e.logit_scale : 1;
    e.terms.push_back(model::Contextual{[paths = paths_, unit](const model::Content& x, Index head, model::Pos) {
                                          const Path& p = (*paths)[static_cast<std::size_t>(head)];
                                          Matrix out = reflected_scores(x.q(), x.k(), p.directions(x.x), p.strengths(x.x));
                                          if (!p.forget.size()) return out;
                                          const Vector sum = p.forgotten(x.x);
                                          for (Index m = 0; m < out.rows(); ++m)
                                            for (Index n = 0; n <= m; ++n) out(m, n) += unit * (sum(m) - sum(n));
                                          return out;
                                        },
                                        "the path between key and query is made of reflections by the tokens"});
    return e;
  }

 private:
  Fields own_fields() override {
    Fields all = heads_.fields();
    all.push_back({"rank", "1", "rank of the projection of w", &rank_, between(1, 65536)});
    all.push_back({"taps", "position", "width of the convolution", &taps_, between(1, 1024)});
    all.push_back({"forget-gate", "1", "a gate as of fox: none, added to the logit, or to the score before its scale",
                   choice(forget_, forgets)});
    all.push_back({"std", "1", "standard deviation of drawn projections and gates", &std_, deviations});
    return all;
  }
  void prepare(const model::Context& context) override {
    heads_.resolve("path");
    auto paths = std::make_shared<std::vector<Path>>();
    const Index H = heads_.count(), D = heads_.width(), d = heads_.head_dim();
    const Matrix down = drawn_matrix(context.seed, "path.down", H * D, rank_, std_);
    const Matrix up = drawn_matrix(context.seed, "path.up", H * rank_, d, std_);
    const Matrix kernel = drawn_matrix(context.seed, "path.kernel", H * taps_, d, 1 / std::sqrt(static_cast<double>(taps_)));
    const Matrix gate = drawn_matrix(context.seed, "path.gate", H, D, std_);
    const Matrix forget = forget_ == Forget::none ? Matrix() : drawn_matrix(context.seed, "path.forget", H, D, std_);
    for (Index h = 0; h < H; ++h)
      paths->push_back({down.middleRows(h * D, D), up.middleRows(h * rank_, rank_), kernel.middleRows(h * taps_, taps_),
                        gate.row(h), forget.size() ? Vector(forget.row(h)) : Vector()});
    paths_ = std::move(paths);
  }

  Heads heads_;
  std::int64_t rank_ = 32, taps_ = 3;
  double std_ = 0.02;
  Forget forget_ = Forget::none;
  std::shared_ptr<const std::vector<Path>> paths_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_path() { return std::make_unique<PathAttention>(); }

}  // namespace posenc::schemes
