#include "model/scheme.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/rotary.hpp"

#include <fmt/format.h>
#include <cmath>

namespace posenc::schemes {
namespace {

using model::Pos;

class String : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {
        "string", "shifted rotary positions (STRING)",
        "rope at distance s for s < S, s - S + W beyond, S = shift, W = window; cos and sin times 0.1 ln 2 + 1 at every length",
        "An 2025 (arXiv 2410.18745) sec. 4; HKUNLP/STRING string_for_llama.py (decode branch, magnitude)"};
  }
  model::Encoding lower(Pos sequence) const override {
    model::Encoding e = head_.encoding(
        head_.rotation(frequencies(geometric(head_.base, head_.rotary_width())), sequence == 0 ? 1 : 0.1 * std::log(2.0) + 1));
    if (sequence == 0) return e;
    e.pair_map = [S = *shift_, W = *window_](Pos m, Pos n) -> std::array<Pos, 2> {
      return m - n < S ? std::array{m, n} : std::array{m - S + W, n};
    };
    return e;
  }

 private:
  Fields own_fields() override {
    return join(head_.fields(),
                {{"shift", "position", "first distance that is moved", &shift_, between(1, 0x1p53), "floor(0.33 original)"},
                 {"window", "position", "distance that it becomes", &window_, between(0, 0x1p53), "min(128, shift)"}});
  }
  void finish(const model::Context&) override {
    head_.resolve("string");
    if (!shift_) shift_ = std::max<Pos>(1, train_length() * 33 / 100);
    if (!window_) window_ = std::min<std::int64_t>(128, *shift_);
    if (*shift_ < *window_) reject("string", "window", std::to_string(*window_), fmt::format("must be <= shift = {}", *shift_));
  }

  RotaryHead head_;
  std::optional<std::int64_t> shift_, window_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_string() { return std::make_unique<String>(); }

}  // namespace posenc::schemes
