#include "model/scheme.hpp"
#include "schemes/drawn.hpp"
#include "schemes/files.hpp"
#include "schemes/heads.hpp"
#include "schemes/limits.hpp"
#include "schemes/sinusoid.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::schemes {
namespace {

using model::Index;
using model::Pos;

class TransformerXl : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {
        "transformer-xl", "Transformer-XL relative positions",
        "logit = [<q_m + u, k_n> + <q_m + v, W_kR R_s>]/sqrt(d), R_s = [sin(s w_i) | cos(s w_i)], w_i = base^(-2i/D), s = m - n",
        "Dai 2019 (arXiv 1901.02860) sec. 3.3 and App. B; kimiyoung/transformer-xl mem_transformer.py (layout, clamp-len, init); "
        "bidirectional: google-deepmind/randomized_positional_encodings"};
  }
  model::Encoding lower(Pos) const override {
    model::Encoding e;
    e.head_dim = heads_.head_dim();
    e.heads = heads_.count();
    e.width = heads_.width();
    e.logit_scale = 1 / std::sqrt(static_cast<double>(e.head_dim));
    e.causal = causal_;
    model::RelativeVectors r;
    r.head_dim = e.head_dim;
    r.heads = e.heads;
    const Pos longest = clamp_length_ > 0 ? clamp_length_ : std::numeric_limits<Pos>::max();
    r.at_query = model::RelativeVectors::Side{rows_, [longest](Pos m, Pos n) { return std::clamp(m - n, -longest, longest); },
                                              model::RelativeVectors::Through::given, weights_, clamp_length_ == 0};
    r.u = u_, r.v = v_;
    e.terms.push_back(std::move(r));
    return e;
  }

 private:
  Fields own_fields() override {
    Fields all = heads_.fields();
    Fields own = {
        {"base", "1", "base of the frequencies of R", &base_, above(1)},
        {"causal", "1", "keys after the query are masked; false: the bidirectional form, R at negative s too", &causal_},
        {"clamp-len", "position", "distances beyond it count as it; 0: off", &clamp_length_, between(0, 0x1p53)},
        {"u", "1", "file of u, heads x head-dim", &u_file_},
        {"v", "1", "file of v, heads x head-dim", &v_file_},
        {"wkr", "1", "file of W_kR, heads head-dim x dim (output x input)", &weight_file_},
        {"std", "1", "standard deviation of drawn u, v and W_kR", &std_, deviations}};
    all.insert(all.end(), own.begin(), own.end());
    return all;
  }
  void prepare(const model::Context& context) override {
    for (const auto& [field, file, into] : {std::tuple("u", &u_file_, &u_), std::tuple("v", &v_file_, &v_)}) {
      if (file->empty()) continue;
      *into = matrix_file(context, "transformer-xl", field, *file, -1, -1);
      agree("transformer-xl", field, *file, "heads", heads_.heads, into->rows());
      agree("transformer-xl", field, *file, "head-dim", heads_.per_head, into->cols());
    }
    if (!weight_file_.empty()) {
      weights_ = matrix_file(context, "transformer-xl", "wkr", weight_file_, -1, -1).transpose();
      agree("transformer-xl", "wkr", weight_file_, "dim", heads_.dim, weights_.rows());
    }
    heads_.resolve("transformer-xl");
    if (!weight_file_.empty()) heads_.check_projection("transformer-xl", "wkr", weight_file_, weights_.cols());
    if (u_file_.empty()) u_ = drawn_matrix(context.seed, "transformer-xl.u", heads_.count(), heads_.head_dim(), std_);
    if (v_file_.empty()) v_ = drawn_matrix(context.seed, "transformer-xl.v", heads_.count(), heads_.head_dim(), std_);
    if (weight_file_.empty())
      weights_ = drawn_matrix(context.seed, "transformer-xl.wkr", heads_.width(), heads_.projected(), std_);
    rows_ = sinusoid(heads_.width(), base_, Columns::concat, Exponent::paper);
  }

  Heads heads_;
  double base_ = 10000, std_ = 0.02;
  std::int64_t clamp_length_ = 0;
  bool causal_ = true;
  std::string u_file_, v_file_, weight_file_;
  model::Matrix u_, v_, weights_;
  std::shared_ptr<const model::Rows> rows_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_transformer_xl() { return std::make_unique<TransformerXl>(); }

}  // namespace posenc::schemes
