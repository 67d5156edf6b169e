#include "model/scheme.hpp"
#include "schemes/drawn.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/heads.hpp"
#include "schemes/path_bias.hpp"
#include "schemes/slopes.hpp"

#include <cmath>

namespace posenc::schemes {
namespace {

using model::Index;
using model::Matrix;

enum class Source : int { own, query, key };
constexpr std::array<std::string_view, 3> sources{"own", "query", "key"};

class GrapeAp : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"grape-ap", "GRAPE additive path bias",
            "b_h(m, n) = sum_{t = n+1..m} m_h ln sigmoid(p_m . R_t rms(p_t)/d), p a projection of x, R_t a half-split "
            "rotation by -t theta, m_h the slopes of alibi",
            "GRAPE (arXiv 2512.07805); model-architectures/GRAPE model/llama-mha-grape-ap-v1.py"};
  }
  model::Encoding lower(model::Pos) const override {
    model::Encoding e;
    e.head_dim = heads_.head_dim();
    e.heads = heads_.count();
    e.width = heads_.width();
    e.logit_scale = 1 / std::sqrt(static_cast<double>(e.head_dim));
    e.terms.push_back(model::Contextual{
        [slopes = slopes_, turns = turns_, weights = weights_, source = source_, scale = e.logit_scale, d = e.head_dim](
            const model::Content& x, Index head, model::Pos start) -> Matrix {
          const Matrix q = x.q(), k = x.k();
          const Matrix p = source == Source::own     ? Matrix(x.x * weights.middleCols(head * d, d))
                           : source == Source::query ? q
                                                     : k;
          return q * k.transpose() + endpoint_path_bias(p, slopes[static_cast<std::size_t>(head)], turns, start) / scale;
        },
        "the bias sums gates of the tokens between key and query"});
    return e;
  }

 private:
  Fields own_fields() override {
    Fields all = heads_.fields();
    all.push_back({"base", "1", "base of the rotation's frequencies", &base_, above(1)});
    all.push_back({"source", "1", "p: a projection of its own, or tied to queries or keys", choice(source_, sources)});
    all.push_back({"std", "1", "standard deviation of a drawn projection", &std_, above(0)});
    return all;
  }
  void prepare(const model::Context& context) override {
    heads_.resolve("grape-ap");
    if (heads_.head_dim() % 2 != 0) reject("grape-ap", "head-dim", std::to_string(heads_.head_dim()), "must be even");
    slopes_ = alibi_slopes(heads_.count());
    for (const model::Frequency& f : frequencies(geometric(base_, heads_.head_dim()))) turns_.push_back(f.turn);
    weights_ = drawn_matrix(context.seed, "grape-ap.weights", heads_.width(), heads_.projected(), std_);
  }

  Heads heads_;
  double base_ = 10000, std_ = 0.02;
  Source source_ = Source::own;
  std::vector<double> slopes_;
  std::vector<math::Turn> turns_;
  Matrix weights_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_grape_ap() { return std::make_unique<GrapeAp>(); }

}  // namespace posenc::schemes
