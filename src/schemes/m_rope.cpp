#include "model/scheme.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/rotary.hpp"

#include <fmt/format.h>
#include <cmath>

namespace posenc::schemes {
namespace {

using model::Index;

class MRope : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {
        "m-rope", "multimodal rotary (temporal, height, width)",
        "rope whose pair i turns with one of three coordinates: the first sections[0] pairs with t, the next sections[1] with "
        "h, the rest with w; interleaved: i mod 3 = 1 and i < 3 sections[1] with h, i mod 3 = 2 and i < 3 sections[2] with w, "
        "else t. Text has t = h = w",
        "Wang 2024 (arXiv 2409.12191) sec. 2.1; huggingface/transformers qwen2_vl (sections), qwen3_vl (interleaved)"};
  }
  model::Encoding lower(model::Pos) const override {
    const std::vector<model::Frequency> plain = frequencies(geometric(head_.base, head_.rotary_width()));
    const Index pairs = head_.pairs();
    model::Rotary r = head_.rotation(plain);
    r.axes = 3;
    r.frequency.assign(static_cast<std::size_t>(3 * pairs), {});
    for (Index i = 0; i < pairs; ++i)
      r.frequency[static_cast<std::size_t>(axis_of(i) * pairs + i)] = plain[static_cast<std::size_t>(i)];
    return head_.encoding(std::move(r));
  }

 private:
  Fields own_fields() override {
    return join(head_.fields(), {{"sections", "pair", "pairs of t, h and w; their sum is half the rotary width", &sections_,
                                  at_least(0), "1/4, 3/8, 3/8 of the pairs; interleaved: 3/8, 5/16, 5/16"},
                                 {"interleaved", "1", "the axes alternate along the pairs", &interleaved_}});
  }
  void finish(const model::Context&) override {
    head_.resolve("m-rope");
    const auto pairs = static_cast<double>(head_.pairs());
    if (sections_.empty()) {
      const double side = std::floor(pairs * (interleaved_ ? 5.0 / 16 : 3.0 / 8));
      sections_ = {pairs - 2 * side, side, side};
    }
    double sum = 0;
    bool whole = sections_.size() == 3;
    for (const double s : sections_) sum += s, whole &= s == std::floor(s);
    if (!whole || sum != pairs)
      reject("m-rope", "sections", sections_text(),
             fmt::format("must be three integers with sum {}, half the rotary width", pairs));
  }
  std::string sections_text() const {
    std::string out;
    for (const double s : sections_) out += (out.empty() ? "" : "/") + number_text(s);
    return out;
  }
  Index axis_of(Index i) const {
    const auto below = [&](std::size_t axis, double scale) { return static_cast<double>(i) < scale * sections_[axis]; };
    if (interleaved_) return i % 3 == 1 && below(1, 3) ? 1 : i % 3 == 2 && below(2, 3) ? 2 : 0;
    return below(0, 1) ? 0 : static_cast<double>(i) < sections_[0] + sections_[1] ? 1 : 2;
  }

  RotaryHead head_;
  std::vector<double> sections_;
  bool interleaved_ = false;
};

}  // namespace

std::unique_ptr<model::Scheme> make_m_rope() { return std::make_unique<MRope>(); }

}  // namespace posenc::schemes
