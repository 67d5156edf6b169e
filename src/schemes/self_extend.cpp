#include "model/scheme.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/query_scale.hpp"
#include "schemes/rotary.hpp"

namespace posenc::schemes {
namespace {

using model::Pos;

class SelfExtend : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"self-extend", "SelfExtend",
            "rope at distance s for s < window, else floor(m/G) + W - floor(W/G) - floor(n/G), G = group, W = window; "
            "log-scale: queries times max(1, ln(p + 1)/ln(L))",
            "Jin 2024 (arXiv 2401.01325) sec. 3; datamllab/LongLM self_extend_patch Llama_4_40.py (floor of W/G)"};
  }
  model::Encoding lower(Pos sequence) const override {
    model::Encoding e = head_.encoding(head_.rotation(frequencies(geometric(head_.base, head_.rotary_width()))));
    if (sequence == 0) return e;
    e.pair_map = [G = group_, W = window_](Pos m, Pos n) -> std::array<Pos, 2> {
      if (m - n < W) return {m, n};
      return {m / G + W - W / G, n / G};
    };
    if (log_scale_) e.query_scale = log_scale(train_length());
    return e;
  }

 private:
  Fields own_fields() override {
    return join(head_.fields(),
                {{"group", "position", "positions that share a distance beyond the window", &group_, between(1, 0x1p53)},
                 {"window", "position", "distances below it are exact", &window_, between(1, 0x1p53)},
                 {"log-scale", "1", "queries grow with ln of their position", &log_scale_}});
  }
  void finish(const model::Context&) override {
    head_.resolve("self-extend");
    if (log_scale_ && train_length() < 2) reject("self-extend", "log-scale", "true", "needs original >= 2");
  }

  RotaryHead head_;
  std::int64_t group_ = 8, window_ = 1024;
  bool log_scale_ = false;
};

}  // namespace

std::unique_ptr<model::Scheme> make_self_extend() { return std::make_unique<SelfExtend>(); }

}  // namespace posenc::schemes
