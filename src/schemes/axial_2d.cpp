#include "model/scheme.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/grid.hpp"
#include "schemes/rotary.hpp"

#include <fmt/format.h>

namespace posenc::schemes {
namespace {

using model::Index;

enum class Order : int { width_first, height_first };
constexpr std::array<std::string_view, 2> orders{"width-first", "height-first"};
enum class Spacing : int { geometric, pixel };
constexpr std::array<std::string_view, 2> spacings{"geometric", "pixel"};

class Axial2d : public model::Scheme {
 public:
  Axial2d() { head_.layout = Layout::interleaved, head_.base = 100; }
  model::SchemeInfo info() const override {
    return {"axial-2d", "axial rotary positions of images",
            "the first d/4 pairs turn by x theta_i, the others by y theta_i, theta_i = base^(-4i/d) scale; pixel: theta_i = "
            "pi (1 + i (f/2 - 1)/(d/4 - 1)) scale; token p stands at x = p mod columns, y = p div columns",
            "Heo 2024 (arXiv 2403.13298), naver-ai/rope-vit vit_rope.py; height-first, pixel and scale: baaivision/EVA "
            "EVA-02/asuka/rope.py"};
  }
  model::Encoding lower(model::Pos) const override {
    const Index per_axis = head_.dim / 4;
    Thetas thetas = geometric(head_.base, head_.dim / 2);
    if (spacing_ == Spacing::pixel)
      for (Index i = 0; i < per_axis; ++i)
        thetas[static_cast<std::size_t>(i)] =
            math::two_pi() / 2 * (1 + (per_axis > 1 ? math::Real(i) * (math::Real(max_frequency_) / 2 - 1) / (per_axis - 1) : 0));
    for (math::Real& t : thetas) t *= scale_;
    const std::vector<model::Frequency> one = frequencies(thetas);
    model::Rotary r;
    r.head_dim = head_.dim;
    r.axes = 3;
    r.channel = head_.channels(head_.dim);
    r.frequency.assign(static_cast<std::size_t>(3 * 2 * per_axis), {});
    const Index first = order_ == Order::width_first ? width_axis : height_axis, second = height_axis + width_axis - first;
    for (Index i = 0; i < per_axis; ++i) {
      r.frequency[static_cast<std::size_t>(first * 2 * per_axis + i)] = one[static_cast<std::size_t>(i)];
      r.frequency[static_cast<std::size_t>(second * 2 * per_axis + per_axis + i)] = one[static_cast<std::size_t>(i)];
    }
    model::Encoding e = head_.encoding(std::move(r));
    e.point = grid(columns_, class_tokens_);
    e.causal = false;
    return e;
  }

 private:
  Fields own_fields() override {
    Fields head = head_.whole_fields();
    find(head, "base")->about = "frequencies=geometric: base of the geometric frequencies";
    return join(std::move(head),
                {{"columns", "token", "width of the grid of tokens", &columns_, between(1, 0x1p53)},
                 {"class-tokens", "token", "leading tokens outside the grid, not rotated", &class_tokens_, between(0, 0x1p53)},
                 {"order", "1", "coordinate of the first half of the pairs", choice(order_, orders)},
                 {"frequencies", "1", "geometric, or linear as for pixels", choice(spacing_, spacings)},
                 {"max-frequency", "1", "frequencies=pixel: f, twice the largest frequency over pi", &max_frequency_, above(0)},
                 {"scale", "1", "factor of the coordinates (pretraining grid / this grid)", &scale_, above(0)}});
  }
  void finish(const model::Context&) override {
    head_.resolve("axial-2d");
    if (head_.dim % 4 != 0) reject("axial-2d", "dim", std::to_string(head_.dim), "must be a multiple of 4: pairs for two axes");
  }

  RotaryHead head_;
  std::int64_t columns_ = 14, class_tokens_ = 0;
  Order order_ = Order::width_first;
  Spacing spacing_ = Spacing::geometric;
  double max_frequency_ = 10, scale_ = 1;
};

}  // namespace

std::unique_ptr<model::Scheme> make_axial_2d() { return std::make_unique<Axial2d>(); }

}  // namespace posenc::schemes
