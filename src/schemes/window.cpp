#include "model/scheme.hpp"
#include "schemes/limits.hpp"

#include <cmath>

namespace posenc::schemes {
namespace {

using model::Pos;

class Window : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"window", "no positional encoding within a sliding window",
            "score(m, n) = <q_m, k_n> for 0 <= m - n < window, masked beyond; a control: what a window alone tells of order",
            "sliding windows: Beltagy 2020 (arXiv 2004.05150) sec. 3.1, causal as in mistralai/mistral-inference"};
  }
  model::Encoding lower(Pos) const override {
    model::Encoding e;
    e.head_dim = e.width = dim_;
    e.logit_scale = 1 / std::sqrt(static_cast<double>(dim_));
    e.visible = [size = size_](Pos m, Pos n) { return m - n < size; };
    return e;
  }

 private:
  Fields own_fields() override {
    return {{"dim", "channel", "channels of a head", &dim_, widths},
            {"window", "position", "number of keys that a query sees, itself included", &size_, between(1, 0x1p53)}};
  }

  std::int64_t dim_ = 128, size_ = 512;
};

}  // namespace

std::unique_ptr<model::Scheme> make_window() { return std::make_unique<Window>(); }

}  // namespace posenc::schemes
