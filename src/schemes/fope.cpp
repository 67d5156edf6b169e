#include "core/error.hpp"
#include "model/scheme.hpp"
#include "schemes/drawn.hpp"
#include "schemes/files.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/limits.hpp"
#include "schemes/rotary.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace posenc::schemes {
namespace {

using model::Index;
using model::Matrix;

enum class Rest : int { code, ideal };
constexpr std::array<std::string_view, 2> rests{"code", "ideal"};

class Fope : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"fope", "Fourier position embedding",
            "pair j < J turns with cos'_j(p) = sum_w C_wj cos(p t_w), sin'_j(p) = sum_w S_wj sin(p t_w) over the F "
            "frequencies t_w >= 2 pi/L of rope, J = min(F, d/4) (keep-zero: all, the slower ones at 0, J = d/2); the other pairs "
            "do not turn: their score is 2 q.k (code: "
            "cos' = sin' = 1, written here as cos' = sqrt 2, sin' = 0, which gives the same score) or q.k (ideal)",
            "Hua 2024 (arXiv 2412.17739) sec. 4; TsinghuaC3I/Fourier-Position-Embedding olmo/model.py (C and S fixed: Xavier "
            "normal plus a stepped identity)"};
  }
  model::Encoding lower(model::Pos) const override {
    model::Rotary r;
    r.head_dim = head_.dim;
    r.heads = sets_;
    r.per_head = separate_heads_;
    r.channel = head_.channels(head_.dim);
    for (Index h = 0; h < r.heads; ++h) r.frequency.insert(r.frequency.end(), columns_.begin(), columns_.end());
    r.mix_cosine = cosine_, r.mix_sine = sine_;
    model::Encoding e = head_.encoding(std::move(r));
    e.heads = *heads_;
    return e;
  }

 private:
  Fields own_fields() override {
    return join(
        head_.whole_fields(),
        {{"heads", "head", "number of heads", &heads_, head_counts, "the files', or 8"},
         {"separate-heads", "1", "C and S of every head, else one for all (fourier_separate_head)", &separate_heads_},
         {"separate-basis", "1", "C and S differ, else S = C (fourier_separate_basis)", &separate_basis_},
         {"keep-zero", "1", "frequencies below the cut are mixed too, at 0 (fourier_ignore_zero false)", &keep_zero_},
         {"rest", "1", "keep-zero=false: pairs that are not mixed, as the code leaves them or at rest", choice(rest_, rests)},
         {"gain", "1", "without cosines: Xavier gain of drawn C and S", &gain_, at_least(0)},
         {"cosines", "1", "file of C, heads x F x J", &cosine_file_},
         {"sines", "1", "file of S, heads x F x J", &sine_file_}});
  }
  void finish(const model::Context& context) override {
    head_.resolve("fope");
    // One column a pair, those below the cut at rest, and a last one at rest for the pairs that are not mixed.
    Thetas thetas = geometric(head_.base, head_.dim);
    kept_ = 0;
    for (math::Real& t : thetas) t* train_length() < math::two_pi() ? t = 0 : ++kept_;
    thetas.emplace_back(0);
    columns_ = frequencies(thetas);
    if (keep_zero_) kept_ = head_.dim / 2;
    mixed_ = keep_zero_ ? head_.dim / 2 : std::min<Index>(kept_, head_.dim / 4);
    if (!separate_basis_ && !sine_file_.empty()) reject("fope", "sines", sine_file_, "must not be given where S = C");
    const auto cosines = coefficients(context, "cosines", cosine_file_, "fope.cosines");
    const auto sines = separate_basis_ ? coefficients(context, "sines", sine_file_, "fope.sines") : cosines;
    if (!heads_) heads_ = separate_heads_ ? sets_ : 8;
    for (const Matrix& c : cosines) cosine_.push_back(padded(c, rest_ == Rest::code ? std::numbers::sqrt2 : 1));
    for (const Matrix& s : sines) sine_.push_back(padded(s, 0));
  }

  /// [head] of F x J numbers.
  std::vector<Matrix> coefficients(const model::Context& context, std::string_view field, const std::string& file,
                                   const char* stream) {
    std::vector<Matrix> out;
    if (!file.empty()) {
      const auto tensor = context.tables->open(file);
      const auto& shape = tensor->shape();
      if (shape.size() != 3 || shape[1] != kept_ || shape[2] != mixed_)
        throw BadData(
            fmt::format("fope: {} = {}: shape [{}] must be [heads, {}, {}]", field, file, fmt::join(shape, ", "), kept_, mixed_));
      if (separate_heads_)
        agree("fope", field, file, "heads", heads_, shape[0]);
      else if (shape[0] != 1)
        throw BadData(fmt::format("fope: {} = {}: has {} heads, must have one for all", field, file, shape[0]));
      sets_ = shape[0];
      for (Index h = 0; h < sets_; ++h) {
        out.emplace_back(kept_, mixed_);
        tensor->read(h * kept_ * mixed_, {out.back().data(), static_cast<std::size_t>(out.back().size())});
      }
      return out;
    }
    if (!heads_ && separate_heads_) heads_ = 8;
    sets_ = separate_heads_ ? *heads_ : 1;
    const double spread = gain_ * std::sqrt(2.0 / static_cast<double>(kept_ + mixed_));
    const Matrix all = drawn_matrix(context.seed, stream, sets_ * kept_, mixed_, spread);
    const Index step = mixed_ > 0 ? (kept_ + mixed_ - 1) / mixed_ : 1;
    for (Index h = 0; h < sets_; ++h) {
      out.emplace_back(all.middleRows(h * kept_, kept_));
      for (Index j = 0; j < mixed_ && j * step < kept_; ++j) out.back()(j * step, j) += 1;
    }
    return out;
  }
  Matrix padded(const Matrix& mixed, double rest) const {
    const Index pairs = head_.dim / 2;
    Matrix out = Matrix::Zero(pairs + 1, pairs);
    out.topLeftCorner(kept_, mixed_) = mixed;
    out.row(pairs).tail(pairs - mixed_).setConstant(rest);
    return out;
  }

  RotaryHead head_;
  std::optional<std::int64_t> heads_;
  Rest rest_ = Rest::code;
  double gain_ = 0.3;
  std::string cosine_file_, sine_file_;
  bool separate_heads_ = true, separate_basis_ = true, keep_zero_ = false;
  Index kept_ = 0, mixed_ = 0, sets_ = 1;
  std::vector<model::Frequency> columns_;
  std::vector<Matrix> cosine_, sine_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_fope() { return std::make_unique<Fope>(); }

}  // namespace posenc::schemes
