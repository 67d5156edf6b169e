#include "math/random.hpp"
#include "model/scheme.hpp"
#include "schemes/limits.hpp"
#include "schemes/sinusoid.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::schemes {
namespace {

using model::Pos;

enum class Evaluate : int { code, zero };
constexpr std::array<std::string_view, 2> evaluates{"code", "zero"};

class Shape : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"shape", "shifted absolute positions",
            "the sinusoidal row p + delta, one delta a sequence: in training drawn from 0 .. K - 1, in use K (code) or 0",
            "Kiyono 2021 (arXiv 2109.05644) sec. 3; butsugiri/shape onmt/modules/embeddings.py (evaluation at offset K)"};
  }
  model::Encoding lower(Pos sequence) const override {
    model::Encoding e;
    e.head_dim = e.width = dim_;
    e.logit_scale = 1 / std::sqrt(static_cast<double>(dim_));
    model::AbsoluteTable table;
    table.rows = rows_;
    table.entry = model::Added{std::sqrt(static_cast<double>(dim_))};
    table.first_row = sequence == 0 ? *offset_ : evaluate_ == Evaluate::code ? shift_ : 0;
    e.terms.push_back(table);
    return e;
  }

 private:
  Fields own_fields() override {
    return {
        {"dim", "channel", "model width D", &dim_, widths},
        {"base", "1", "base of the geometric frequencies", &base_, above(1)},
        {"shift", "position", "K, the number of offsets drawn from", &shift_, between(1, 0x1p52)},
        {"offset", "position", "the offset of a sequence in training", &offset_, between(0, 0x1p52), "drawn from 0 .. shift - 1"},
        {"evaluate", "1", "offset in use: K, as the code does, or 0", choice(evaluate_, evaluates)}};
  }
  void finish(const model::Context& context) override {
    rows_ = sinusoid(dim_, base_, Columns::interleaved, Exponent::paper);
    if (offset_) return;
    double u = 0;
    math::uniform(math::Stream(context.seed, "shape.offset"), 0, {&u, 1});
    offset_ = std::min(static_cast<std::int64_t>(u * static_cast<double>(shift_)), shift_ - 1);
  }

  std::int64_t dim_ = 128, shift_ = 500;
  double base_ = 10000;
  std::optional<std::int64_t> offset_;
  Evaluate evaluate_ = Evaluate::code;
  std::shared_ptr<const model::Rows> rows_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_shape() { return std::make_unique<Shape>(); }

}  // namespace posenc::schemes
