#include "model/scheme.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/rotary.hpp"

#include <algorithm>

namespace posenc::schemes {
namespace {

using model::Pos;

class LmInfinite : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"lm-infinite", "LM-Infinite",
            "rope at distance min(s, limit) (the code also caps limit by the last position, which no distance exceeds); key n is "
            "visible "
            "to query m where n < global-tokens or s < local-window",
            "Han 2024 (arXiv 2308.16137) sec. 4; Glaciohound/LM-Infinite models/llama.py"};
  }
  model::Encoding lower(Pos sequence) const override {
    model::Encoding e = head_.encoding(head_.rotation(frequencies(geometric(head_.base, head_.rotary_width()))));
    if (sequence == 0) return e;
    e.pair_map = [limit = *limit_](Pos m, Pos n) -> std::array<Pos, 2> {
      return m - n <= limit ? std::array{m, n} : std::array{limit, Pos{0}};
    };
    e.visible = [global = global_, local = *local_](Pos m, Pos n) { return n < global || m - n < local; };
    return e;
  }

 private:
  Fields own_fields() override {
    return join(head_.fields(),
                {{"global-tokens", "position", "first positions, visible to all", &global_, between(0, 0x1p53)},
                 {"local-window", "position", "distances below it are visible", &local_, between(1, 0x1p53), "original"},
                 {"limit", "position", "largest distance", &limit_, between(1, 0x1p53), "original"}});
  }
  void finish(const model::Context&) override {
    head_.resolve("lm-infinite");
    if (!local_) local_ = train_length();
    if (!limit_) limit_ = train_length();
  }

  RotaryHead head_;
  std::int64_t global_ = 100;
  std::optional<std::int64_t> local_, limit_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_lm_infinite() { return std::make_unique<LmInfinite>(); }

}  // namespace posenc::schemes
