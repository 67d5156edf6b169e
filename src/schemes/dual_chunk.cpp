#include "model/scheme.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/rotary.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace posenc::schemes {
namespace {

using model::Pos;

enum class Cap : int { code, paper };
constexpr std::array<std::string_view, 2> caps{"code", "paper"};

class DualChunk : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"dual-chunk", "dual chunk attention",
            "rope with the key at n mod c, the query at m mod c in the key's chunk, at min(m mod c + c, cap) in the next one, "
            "at min(2c - 1, cap) in later ones, c = chunk - local-window, cap = chunk (code) or chunk - 1 (paper); cos and "
            "sin times 0.05 ln(N/L) + 1 at N tokens beyond the training length L",
            "An 2024 (arXiv 2402.17463) sec. 3; HKUNLP/ChunkLlama chunkllama_attn_replace.py (cap, magnitude)"};
  }
  model::Encoding lower(Pos sequence) const override {
    const double ratio = static_cast<double>(sequence) / static_cast<double>(train_length());
    model::Encoding e = head_.encoding(
        head_.rotation(frequencies(geometric(head_.base, head_.rotary_width())), ratio > 1 ? 0.05 * std::log(ratio) + 1 : 1));
    if (sequence == 0) return e;
    e.pair_map = [c = *chunk_ - *local_, cap = cap_ == Cap::code ? *chunk_ : *chunk_ - 1](Pos m, Pos n) -> std::array<Pos, 2> {
      const Pos apart = m / c - n / c;
      const Pos query = apart == 0 ? m % c : apart == 1 ? std::min(m % c + c, cap) : std::min(2 * c - 1, cap);
      return {query, n % c};
    };
    return e;
  }

 private:
  Fields own_fields() override {
    return join(head_.fields(), {{"chunk", "position", "chunk size", &chunk_, between(2, 0x1p53), "3/4 of original"},
                                 {"local-window", "position", "part of the chunk kept for the next one", &local_,
                                  between(1, 0x1p53), "1/8 of original"},
                                 {"cap", "1", "largest query position: chunk (code) or chunk - 1 (paper)", choice(cap_, caps)}});
  }
  void finish(const model::Context&) override {
    head_.resolve("dual-chunk");
    if (!chunk_) chunk_ = train_length() * 3 / 4;
    if (!local_) local_ = train_length() / 8;
    if (*local_ >= *chunk_ || *local_ < 1)
      reject("dual-chunk", "local-window", std::to_string(*local_), fmt::format("must be >= 1 and < chunk = {}", *chunk_));
  }

  RotaryHead head_;
  std::optional<std::int64_t> chunk_, local_;
  Cap cap_ = Cap::code;
};

}  // namespace

std::unique_ptr<model::Scheme> make_dual_chunk() { return std::make_unique<DualChunk>(); }

}  // namespace posenc::schemes
