#include "model/scheme.hpp"
#include "schemes/limits.hpp"
#include "schemes/sinusoid.hpp"

#include <cmath>

namespace posenc::schemes {
namespace {

constexpr std::array<std::string_view, 2> column_words{"interleaved", "concat"};
constexpr std::array<std::string_view, 2> exponent_words{"paper", "t2t"};

class Sinusoidal : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"sinusoidal", "sinusoidal absolute positions",
            "x_p = sqrt(D) e_p + P[p]; P[p, 2i] = sin(p w_i), P[p, 2i+1] = cos(p w_i), w_i = base^(-2i/D); concat: all sines, "
            "then all cosines; t2t: w_i = base^(-i/(D/2-1))",
            "Vaswani 2017 (arXiv 1706.03762) sec. 3.5; concat: kimiyoung/transformer-xl; t2t: tensorflow/tensor2tensor "
            "get_timing_signal_1d, facebookresearch/fairseq"};
  }
  model::Encoding lower(model::Pos) const override {
    model::Encoding e;
    e.head_dim = e.width = dim_;
    e.logit_scale = 1 / std::sqrt(static_cast<double>(dim_));
    model::AbsoluteTable table;
    table.rows = rows_;
    table.entry = model::Added{scale_embedding_ ? std::sqrt(static_cast<double>(dim_)) : 1.0};
    table.first_row = start_index_;
    e.terms.push_back(table);
    return e;
  }

 private:
  Fields own_fields() override {
    return {{"dim", "channel", "model width D", &dim_, widths},
            {"base", "1", "base of the geometric frequencies", &base_, above(1)},
            {"layout", "1", "sines and cosines alternating, or all sines before all cosines", choice(columns_, column_words)},
            {"exponent", "1", "frequencies base^(-2i/D), or base^(-i/(D/2-1))", choice(exponent_, exponent_words)},
            {"start-index", "position", "the row of position 0 (fairseq: padding index + 1)", &start_index_, between(0, 0x1p52)},
            {"scale-embedding", "1", "multiply the embedding by sqrt(D) before adding the row", &scale_embedding_}};
  }
  void finish(const model::Context&) override { rows_ = sinusoid(dim_, base_, columns_, exponent_); }

  std::int64_t dim_ = 128;
  double base_ = 10000;
  Columns columns_ = Columns::interleaved;
  Exponent exponent_ = Exponent::paper;
  std::int64_t start_index_ = 0;
  bool scale_embedding_ = true;
  std::shared_ptr<const model::Rows> rows_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_sinusoidal() { return std::make_unique<Sinusoidal>(); }

}  // namespace posenc::schemes
