#include "model/scheme.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/query_scale.hpp"
#include "schemes/rotary.hpp"

#include <numeric>

namespace posenc::schemes {
namespace {

using model::Pos;

enum class Rounding : int { floor, exact };
constexpr std::array<std::string_view, 2> roundings{"floor", "true"};

class SelfExtend : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"self-extend", "SelfExtend",
            "rope at distance s for s < window, else floor(m/G) + W - floor(W/G) - floor(n/G), G = group, W = window; "
            "rounding=true: W/G as it is, positions and frequencies in use counted in steps of gcd(W, G)/G position; log-scale: "
            "queries times max(1, ln(p + 1)/ln(L))",
            "Jin 2024 (arXiv 2401.01325) sec. 3; datamllab/LongLM self_extend_patch Llama_4_40.py and one-token branches (floor "
            "of W/G), Llama.py and flash branches (true division)"};
  }
  model::Encoding lower(Pos sequence) const override {
    Thetas thetas = geometric(head_.base, head_.rotary_width());
    const Pos steps = sequence == 0 || rounding_ == Rounding::floor ? 1 : group_ / std::gcd(group_, window_);
    for (math::Real& theta : thetas) theta /= steps;
    model::Encoding e = head_.encoding(head_.rotation(frequencies(thetas)));
    if (sequence == 0) return e;
    e.pair_map = [G = group_, W = window_, steps](Pos m, Pos n) -> std::array<Pos, 2> {
      if (m - n < W) return {steps * m, steps * n};
      return {steps * (m / G + W) - steps * W / G, steps * (n / G)};
    };
    if (log_scale_) e.query_scale = log_scale(train_length());
    return e;
  }

 private:
  Fields own_fields() override {
    return join(
        head_.fields(),
        {{"group", "position", "positions that share a distance beyond the window", &group_, between(1, 0x1p53)},
         {"window", "position", "distances below it are exact", &window_, between(1, 0x1p53)},
         {"rounding", "1", "of W/G: down, or none; positions and frequencies then count in steps of gcd(window, group)/group",
          choice(rounding_, roundings)},
         {"log-scale", "1", "queries grow with ln of their position", &log_scale_}});
  }
  void finish(const model::Context&) override {
    head_.resolve("self-extend");
    if (rounding_ == Rounding::exact && (group_ > 1024 || window_ > (Pos{1} << 40)))
      reject("self-extend", "rounding", "true", "needs group <= 1024 and window <= 2^40: positions count in steps of 1/group");
    if (log_scale_ && train_length() < 2) reject("self-extend", "log-scale", "true", "needs original >= 2");
  }

  RotaryHead head_;
  std::int64_t group_ = 8, window_ = 1024;
  Rounding rounding_ = Rounding::floor;
  bool log_scale_ = false;
};

}  // namespace

std::unique_ptr<model::Scheme> make_self_extend() { return std::make_unique<SelfExtend>(); }

}  // namespace posenc::schemes
