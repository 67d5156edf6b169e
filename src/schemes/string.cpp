#include "model/scheme.hpp"
#include "model/views/terms.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/rotary.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace posenc::schemes {
namespace {

using model::Matrix;
using model::Pos;

enum class Branch : int { decode, prefill };
constexpr std::array<std::string_view, 2> branches{"decode", "prefill"};

/// Distances below `shift` stay, the others are moved to start at `window`.
std::function<std::array<Pos, 2>(Pos, Pos)> moved(Pos shift, Pos window, Pos first) {
  return [=](Pos m, Pos n) { return m - n < first ? std::array{m, n} : std::array{m - shift + window, n}; };
}

class String : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {
        "string", "shifted rotary positions (STRING)",
        "rope at distance s for s < S, s - S + W beyond, S = shift, W = window; cos and sin times 0.1 ln 2 + 1 at every length; "
        "prefill: the softmax counts the key at s = S twice, at distances S and W, i.e. once with the logit ln(e^a(S) + e^a(W))",
        "An 2025 (arXiv 2410.18745) sec. 4; HKUNLP/STRING string_for_llama.py (both branches, magnitude)"};
  }
  model::Encoding lower(Pos sequence) const override {
    model::Encoding e = head_.encoding(
        head_.rotation(frequencies(geometric(head_.base, head_.rotary_width())), sequence == 0 ? 1 : 0.1 * std::log(2.0) + 1));
    if (sequence == 0) return e;
    e.pair_map = moved(*shift_, *window_, *shift_);
    return branch_ == Branch::decode ? e : counted_twice(std::move(e));
  }

 private:
  Fields own_fields() override {
    return join(head_.fields(),
                {{"shift", "position", "first distance that is moved", &shift_, between(1, 0x1p53), "floor(0.33 original)"},
                 {"window", "position", "distance that it becomes", &window_, between(0, 0x1p53), "min(128, shift)"},
                 {"branch", "1", "of the code: token by token, or the whole prompt at once", choice(branch_, branches)}});
  }
  void finish(const model::Context&) override {
    head_.resolve("string");
    if (!shift_) shift_ = std::max<Pos>(1, train_length() * 33 / 100);
    if (!window_) window_ = std::min<std::int64_t>(128, *shift_);
    if (*shift_ < *window_) reject("string", "window", std::to_string(*window_), fmt::format("must be <= shift = {}", *shift_));
  }

  /// The same encoding with its two scores of the key at distance S merged.
  model::Encoding counted_twice(model::Encoding e) const {
    model::Encoding at_shift = e, out = e;
    at_shift.pair_map = moved(*shift_, *window_, *shift_ + 1);
    out.pair_map = nullptr;
    out.terms = {model::Contextual{[at_window = std::move(e), at_shift = std::move(at_shift), S = *shift_](
                                       const model::Content& c, model::Index head, Pos start) {
                                     Matrix scores = model::terms(at_window, head, c, start).sum();
                                     const Matrix others = model::terms(at_shift, head, c, start).sum();
                                     for (model::Index m = S; m < scores.rows(); ++m) {
                                       const double a = scores(m, m - S), b = others(m, m - S), top = std::max(a, b),
                                                    scale = at_window.logit_scale;
                                       scores(m, m - S) = top + std::log1p(std::exp(-scale * std::abs(a - b))) / scale;
                                     }
                                     return scores;
                                   },
                                   "the key at the shift has two logits, merged by content"}};
    return out;
  }

  RotaryHead head_;
  std::optional<std::int64_t> shift_, window_;
  Branch branch_ = Branch::decode;
};

}  // namespace

std::unique_ptr<model::Scheme> make_string() { return std::make_unique<String>(); }

}  // namespace posenc::schemes
