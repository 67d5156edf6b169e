#include "model/scheme.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/limits.hpp"
#include "schemes/rotary.hpp"

namespace posenc::schemes {
namespace {

using model::Index;

enum class Mode : int { imag1, imag2, imagh, imago };
constexpr std::array<std::string_view, 4> modes{"imag1", "imag2", "imagh", "imago"};

class RopePp : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"rope-pp", "RoPE++, real and imaginary heads",
            "real heads score Re sum_j h_j e^(i s theta_j) as rope, imaginary heads Im of the same sum: their query is R_m q "
            "turned back by a quarter, q sin - rotate_half(q) cos; imag1: heads in all, a real and an imaginary one for each of "
            "heads/2 projections; imag2: so for each of heads projections; imagh: the second half of the heads imaginary; imago: "
            "all",
            "Liu 2025 (arXiv 2512.07525; imag1 its EH, imag2 its EC); OpenMOSS/rope_pp modeling_llama_rope_pp.py"};
  }
  model::Encoding lower(model::Pos) const override {
    const std::vector<model::Frequency> one = frequencies(geometric(head_.base, head_.dim));
    model::Rotary r;
    r.head_dim = head_.dim;
    r.heads = mode_ == Mode::imag2 ? 2 * heads_ : heads_;
    r.per_head = true;
    r.channel = head_.channels(head_.dim);
    for (Index h = 0; h < r.heads; ++h) {
      r.frequency.insert(r.frequency.end(), one.begin(), one.end());
      const bool imaginary = mode_ == Mode::imago || (mode_ == Mode::imagh ? h >= r.heads / 2 : h % 2 == 1);
      r.query_turn.push_back(imaginary ? -math::Turn{std::uint64_t{1} << 62, 0} : math::Turn{});
    }
    model::Encoding e = head_.encoding(std::move(r));
    e.heads = std::get<model::Rotary>(e.terms[0]).heads;
    return e;
  }

 private:
  Fields own_fields() override {
    return join(head_.whole_fields(),
                {{"heads", "head", "number of heads of the same attention without imaginary ones", &heads_, head_counts},
                 {"mode", "1", "which heads are imaginary", choice(mode_, modes)}});
  }
  void finish(const model::Context&) override {
    head_.resolve("rope-pp");
    if (mode_ == Mode::imag1 && heads_ % 2 != 0)
      reject("rope-pp", "heads", std::to_string(heads_), "must be even: mode imag1 has two a projection");
  }

  RotaryHead head_;
  std::int64_t heads_ = 8;
  Mode mode_ = Mode::imag1;
};

}  // namespace

std::unique_ptr<model::Scheme> make_rope_pp() { return std::make_unique<RopePp>(); }

}  // namespace posenc::schemes
