#include "model/scheme.hpp"
#include "schemes/drawn.hpp"
#include "schemes/files.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/heads.hpp"
#include "schemes/limits.hpp"
#include "schemes/path_bias.hpp"
#include "schemes/slopes.hpp"

#include <fmt/format.h>
#include <cmath>

namespace posenc::schemes {
namespace {

using model::Index;
using model::Matrix;

enum class Source : int { own, query, key, value };
constexpr std::array<std::string_view, 4> sources{"own", "query", "key", "value"};

class GrapeAp : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {
        "grape-ap", "GRAPE additive path bias",
        "b_h(m, n) = sum_{t = n+1..m} m_h ln sigmoid(p_m . R_t rms(p_t)/d_p), p a projection of x to d_p channels, or tied to "
        "q, k or v, R_t a half-split rotation by -t theta, m_h the slopes of alibi",
        "GRAPE (arXiv 2512.07805); model-architectures/GRAPE model/llama-mha-grape-ap-v1.py (d_p = 8 in its configs)"};
  }
  model::Encoding lower(model::Pos) const override {
    model::Encoding e;
    e.head_dim = heads_.head_dim();
    e.heads = heads_.count();
    e.width = heads_.width();
    e.logit_scale = 1 / std::sqrt(static_cast<double>(e.head_dim));
    e.terms.push_back(model::Contextual{
        [slopes = slopes_, turns = turns_, weights = weights_, source = source_, scale = e.logit_scale, d = *path_dim_](
            const model::Content& x, Index head, model::Pos start) -> Matrix {
          const Matrix q = x.q(), k = x.k();
          const Matrix p = source == Source::query ? q
                           : source == Source::key ? k
                                                   : Matrix(x.x * weights.middleCols(head * d, d));
          return q * k.transpose() + endpoint_path_bias(p, slopes[static_cast<std::size_t>(head)], turns, start) / scale;
        },
        "the bias sums gates of the tokens between key and query"});
    return e;
  }

 private:
  Fields own_fields() override {
    Fields all = heads_.fields();
    all.push_back({"base", "1", "base of the rotation's frequencies", &base_, above(1)});
    all.push_back({"source", "1", "p: a projection of its own, or tied to queries, keys or values", choice(source_, sources)});
    all.push_back({"path-dim", "channel", "source=own: d_p, channels of p", &path_dim_,
                   Range{.low = 2, .high = 65536, .even = true}, "the weights', or head-dim"});
    all.push_back(
        {"weights", "1",
         "source=own|value: file of the projection to p (own) or to the values (value), heads d_p x dim (output x input)",
         &file_});
    all.push_back({"std", "1", "source=own|value, without weights: standard deviation of a drawn projection", &std_, deviations});
    return all;
  }
  void prepare(const model::Context& context) override {
    const bool projects = source_ == Source::own || source_ == Source::value;
    if (!file_.empty()) {
      if (!projects) reject("grape-ap", "weights", file_, "needs source=own or source=value");
      weights_ = matrix_file(context, "grape-ap", "weights", file_, -1, -1).transpose();
      agree("grape-ap", "weights", file_, "dim", heads_.dim, weights_.rows());
    }
    heads_.resolve("grape-ap");
    if (!path_dim_) path_dim_ = weights_.size() && source_ == Source::own ? weights_.cols() / heads_.count() : heads_.head_dim();
    if (source_ != Source::own && *path_dim_ != heads_.head_dim())
      reject("grape-ap", "path-dim", std::to_string(*path_dim_),
             fmt::format("must be head-dim = {} unless source=own", heads_.head_dim()));
    if (*path_dim_ % 2 != 0) reject("grape-ap", "path-dim", std::to_string(*path_dim_), "must be even");
    if (weights_.size() && weights_.cols() != heads_.count() * *path_dim_)
      reject("grape-ap", "weights", file_,
             fmt::format("must have heads x path-dim = {} x {} outputs", heads_.count(), *path_dim_));
    slopes_ = alibi_slopes(heads_.count());
    for (const model::Frequency& f : frequencies(geometric(base_, *path_dim_))) turns_.push_back(f.turn);
    if (projects && file_.empty())
      weights_ = drawn_matrix(context.seed, source_ == Source::own ? "grape-ap.weights" : "grape-ap.values", heads_.width(),
                              heads_.count() * *path_dim_, std_);
  }

  Heads heads_;
  std::optional<std::int64_t> path_dim_;
  double base_ = 10000, std_ = 0.02;
  Source source_ = Source::own;
  std::string file_;
  std::vector<double> slopes_;
  std::vector<math::Turn> turns_;
  Matrix weights_;  // [input][head d_p]
};

}  // namespace

std::unique_ptr<model::Scheme> make_grape_ap() { return std::make_unique<GrapeAp>(); }

}  // namespace posenc::schemes
