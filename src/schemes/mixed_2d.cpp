#include "math/random.hpp"
#include "model/scheme.hpp"
#include "schemes/files.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/grid.hpp"
#include "schemes/limits.hpp"
#include "schemes/rotary.hpp"

#include <cmath>
#include <numbers>

namespace posenc::schemes {
namespace {

using math::Real;
using model::Index;

class Mixed2d : public model::Scheme {
 public:
  Mixed2d() { head_.layout = Layout::interleaved, head_.base = 10; }
  model::SchemeInfo info() const override {
    return {
        "mixed-2d", "mixed rotary positions of images",
        "pair i of head h turns by x tx_hi + y ty_hi, both learned; start: magnitudes base^(-4i/d), direction phi_h for the "
        "first d/4 pairs and phi_h + pi/2 for the others, phi_h uniform in a turn; token p stands at x = p mod columns, y = p "
        "div columns",
        "Heo 2024 (arXiv 2403.13298) sec. 3.2; naver-ai/rope-vit vit_rope.py init_random_2d_freqs"};
  }
  model::Encoding lower(model::Pos) const override {
    model::Rotary r;
    r.head_dim = head_.dim;
    r.heads = *heads_;
    r.per_head = true;
    r.axes = 3;
    r.channel = head_.channels(head_.dim);
    for (Index h = 0; h < r.heads; ++h) {
      r.frequency.insert(r.frequency.end(), static_cast<std::size_t>(head_.dim / 2), {});
      for (const auto* along : {&y_, &x_}) {  // the axes are temporal, height, width
        const auto first = along->begin() + h * (head_.dim / 2);
        r.frequency.insert(r.frequency.end(), first, first + head_.dim / 2);
      }
    }
    model::Encoding e = head_.encoding(std::move(r));
    e.heads = *heads_;
    e.point = grid(columns_, class_tokens_);
    e.causal = false;
    return e;
  }

 private:
  Fields own_fields() override {
    Fields head = head_.whole_fields();
    find(head, "base")->about = "without theta-x: base of the geometric frequencies";
    return join(
        std::move(head),
        {{"heads", "head", "number of heads", &heads_, head_counts, "the files', or 8"},
         {"columns", "token", "width of the grid of tokens", &columns_, between(1, 0x1p53)},
         {"class-tokens", "token", "leading tokens outside the grid, not rotated", &class_tokens_, between(0, 0x1p53)},
         {"angle", "rad", "without theta-x: phi of every head", &angle_, between(0, 2 * std::numbers::pi), "drawn for each head"},
         {"theta-x", "1", "file of tx, heads x dim/2", &x_file_},
         {"theta-y", "1", "file of ty, heads x dim/2", &y_file_}});
  }
  void finish(const model::Context& context) override {
    head_.resolve("mixed-2d");
    if (head_.dim % 4 != 0)
      reject("mixed-2d", "dim", std::to_string(head_.dim), "must be a multiple of 4: pairs for two directions");
    if (x_file_.empty() != y_file_.empty())
      reject("mixed-2d", x_file_.empty() ? "theta-y" : "theta-x", x_file_ + y_file_, "needs theta-x and theta-y both");
    x_file_.empty() ? start(context.seed) : read(context);
  }
  void read(const model::Context& context) {
    for (const auto& [field, file, into] : {std::tuple("theta-x", &x_file_, &x_), std::tuple("theta-y", &y_file_, &y_)}) {
      const model::Matrix t = matrix_file(context, "mixed-2d", field, *file, -1, head_.dim / 2);
      agree("mixed-2d", field, *file, "heads", heads_, t.rows());
      for (Index i = 0; i < t.size(); ++i) into->push_back(frequency(Real(t.data()[i])));
    }
  }
  void start(std::uint64_t seed) {
    if (!heads_) heads_ = 8;
    std::vector<double> phi(static_cast<std::size_t>(*heads_));
    math::uniform(math::Stream(seed, "mixed-2d.angle"), 0, phi);
    const Thetas magnitude = geometric(head_.base, head_.dim / 2);
    for (const double u : phi) {
      const Real angle = angle_ ? Real(*angle_) : Real(math::two_pi() * u);
      const Real c = cos(angle), s = sin(angle);
      for (const Real& m : magnitude) x_.push_back(frequency(m * c)), y_.push_back(frequency(m * s));
      for (const Real& m : magnitude) x_.push_back(frequency(-m * s)), y_.push_back(frequency(m * c));
    }
  }

  RotaryHead head_;
  std::optional<std::int64_t> heads_;
  std::int64_t columns_ = 14, class_tokens_ = 0;
  std::optional<double> angle_;
  std::string x_file_, y_file_;
  std::vector<model::Frequency> x_, y_;  // [head][pair]
};

}  // namespace

std::unique_ptr<model::Scheme> make_mixed_2d() { return std::make_unique<Mixed2d>(); }

}  // namespace posenc::schemes
