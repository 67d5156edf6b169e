#include "model/scheme.hpp"
#include "schemes/drawn.hpp"
#include "schemes/files.hpp"
#include "schemes/limits.hpp"

#include <cmath>
#include <numbers>

namespace posenc::schemes {
namespace {

using model::Index;
using model::Matrix;
using model::Vector;

enum class Init : int { variance, deviation };
constexpr std::array<std::string_view, 2> inits{"variance", "std"};

struct FourierRows : model::Rows {
  Matrix coordinates;  // [token][group coordinate]; empty: the position itself
  Index groups = 1;
  Matrix wave;    // W, [F/2][coordinate]
  Matrix w1, w2;  // [F][hidden], [hidden][D/G]
  Vector b1, b2;
  double factor = 1;  // 1/sqrt F, or 1

  Index channels() const override { return groups * w2.cols(); }
  std::optional<model::Pos> count() const override {
    return coordinates.size() ? std::optional<model::Pos>(coordinates.rows()) : std::nullopt;
  }
  void block(model::Pos first, Eigen::Ref<Matrix> out) const override {
    const Index half = wave.rows();
    Vector r(2 * half), hidden(w1.cols());
    for (Index i = 0; i < out.rows() * groups; ++i) {
      const Index token = i / groups, group = i % groups;
      for (Index f = 0; f < half; ++f) {
        double phase = 0;
        for (Index c = 0; c < wave.cols(); ++c)
          phase += wave(f, c) * (coordinates.size() ? coordinates(first + token, group * wave.cols() + c)
                                                    : static_cast<double>(first + token));
        r(f) = factor * std::cos(phase), r(half + f) = factor * std::sin(phase);
      }
      for (Index h = 0; h < hidden.size(); ++h) {
        double sum = b1(h);
        for (Index f = 0; f < r.size(); ++f) sum += r(f) * w1(f, h);
        hidden(h) = sum / 2 * (1 + std::erf(sum / std::numbers::sqrt2));  // GELU
      }
      for (Index c = 0; c < w2.cols(); ++c) {
        double sum = b2(c);
        for (Index h = 0; h < hidden.size(); ++h) sum += hidden(h) * w2(h, c);
        out(token, group * w2.cols() + c) = sum;
      }
    }
  }
};

class LearnableFourier : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"learnable-fourier", "learnable Fourier features",
            "P[p] = GELU(r W1 + b1) W2 + b2, r = [cos(W x), sin(W x)]/sqrt(F), x the coordinates of token p (p itself without "
            "a file); groups: each group of coordinates gives D/G channels by the same weights, side by side",
            "Li 2021 (arXiv 2106.02795) eq. 2 and Algorithm 1; std: public ports draw W with deviation, not variance, gamma^-2"};
  }
  model::Encoding lower(model::Pos) const override {
    model::Encoding e;
    e.head_dim = e.width = *dim_;
    e.logit_scale = 1 / std::sqrt(static_cast<double>(*dim_));
    e.causal = false;
    model::AbsoluteTable table;
    table.rows = rows_;
    e.terms.push_back(table);
    return e;
  }

 private:
  Fields own_fields() override {
    return {
        {"dim", "channel", "model width D", &dim_, widths, "w2's, or 128"},
        {"features", "1", "F, number of cosines and sines", &features_, Range{.low = 2, .high = 65536, .even = true},
         "w's, or 128"},
        {"hidden", "1", "units of the hidden layer", &hidden_, between(1, 65536), "w1's, or 32"},
        {"groups", "1", "G, groups of coordinates of a token", &groups_, between(1, 65536)},
        {"gamma", "position", "spread of W is gamma^-1, or gamma^-2 with init=std", &gamma_, above(0)},
        {"init", "1", "gamma^-2 is the variance of W, or its standard deviation", choice(init_, inits)},
        {"normalized", "1", "r is divided by sqrt(F)", &normalized_},
        {"coordinates", "1", "file of the tokens' coordinates, tokens x (groups x coordinates of a group)", &coordinate_file_},
        {"w", "1", "file of W, F/2 x coordinates of a group", &w_file_},
        {"w1", "1", "file of W1, F x hidden", &w1_file_},
        {"b1", "1", "file of b1, hidden", &b1_file_},
        {"w2", "1", "file of W2, hidden x dim/groups", &w2_file_},
        {"b2", "1", "file of b2, dim/groups", &b2_file_}};
  }
  void prepare(const model::Context& context) override {
    auto rows = std::make_shared<FourierRows>();
    if (!coordinate_file_.empty()) {
      rows->coordinates = matrix_file(context, name, "coordinates", coordinate_file_, -1, -1);
      agree(name, "coordinates", coordinate_file_, "original", original_, rows->coordinates.rows());
    }
    if (coordinate_file_.empty() ? groups_ != 1 : rows->coordinates.cols() % groups_ != 0)
      reject(name, "groups", std::to_string(groups_), "must divide the columns of coordinates");
    rows->groups = groups_;
    const Index coordinates = coordinate_file_.empty() ? 1 : rows->coordinates.cols() / groups_;
    if (!w_file_.empty()) {
      rows->wave = matrix_file(context, name, "w", w_file_, -1, coordinates);
      agree(name, "w", w_file_, "features", features_, 2 * rows->wave.rows());
    }
    if (!w1_file_.empty()) {
      rows->w1 = matrix_file(context, name, "w1", w1_file_, -1, -1);
      agree(name, "w1", w1_file_, "features", features_, rows->w1.rows());
      agree(name, "w1", w1_file_, "hidden", hidden_, rows->w1.cols());
    }
    if (!w2_file_.empty()) {
      rows->w2 = matrix_file(context, name, "w2", w2_file_, -1, -1);
      agree(name, "w2", w2_file_, "hidden", hidden_, rows->w2.rows());
      agree(name, "w2", w2_file_, "dim", dim_, groups_ * rows->w2.cols());
    }
    if (!dim_) dim_ = 128;
    if (*dim_ % groups_ != 0) reject(name, "groups", std::to_string(groups_), "must divide dim = " + std::to_string(*dim_));
    if (!features_) features_ = 128;
    if (!hidden_) hidden_ = 32;
    rows->factor = normalized_ ? 1 / std::sqrt(static_cast<double>(*features_)) : 1;
    fill(context, *rows, coordinates);
    rows_ = std::move(rows);
  }
  /// What no file gives: W normal, the perceptron's layers uniform in +-1/sqrt(inputs) (PyTorch's Linear).
  void fill(const model::Context& context, FourierRows& rows, Index coordinates) const {
    const double spread = init_ == Init::variance ? 1 / gamma_ : 1 / (gamma_ * gamma_);
    if (w_file_.empty()) rows.wave = drawn_matrix(context.seed, "learnable-fourier.w", *features_ / 2, coordinates, spread);
    const auto linear = [&](const char* stream, Index r, Index c, std::int64_t inputs) {
      Matrix out(r, c);
      drawn_rows(context.seed, stream, r, c, 1 / std::sqrt(3 * static_cast<double>(inputs)), Law::uniform)->block(0, out);
      return out;
    };
    if (w1_file_.empty()) rows.w1 = linear("learnable-fourier.w1", *features_, *hidden_, *features_);
    if (w2_file_.empty()) rows.w2 = linear("learnable-fourier.w2", *hidden_, *dim_ / groups_, *hidden_);
    rows.b1 = b1_file_.empty() ? Vector(linear("learnable-fourier.b1", *hidden_, 1, *features_))
                               : vector_file(context, name, "b1", b1_file_, *hidden_);
    rows.b2 = b2_file_.empty() ? Vector(linear("learnable-fourier.b2", *dim_ / groups_, 1, *hidden_))
                               : vector_file(context, name, "b2", b2_file_, *dim_ / groups_);
  }

  static constexpr std::string_view name = "learnable-fourier";
  std::optional<std::int64_t> dim_, features_, hidden_;
  std::int64_t groups_ = 1;
  double gamma_ = 1;
  Init init_ = Init::variance;
  bool normalized_ = true;
  std::string coordinate_file_, w_file_, w1_file_, b1_file_, w2_file_, b2_file_;
  std::shared_ptr<const model::Rows> rows_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_learnable_fourier() { return std::make_unique<LearnableFourier>(); }

}  // namespace posenc::schemes
