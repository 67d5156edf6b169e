#include "model/scheme.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/rotary.hpp"

namespace posenc::schemes {
namespace {

class Ntk : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"ntk", "NTK-aware scaling",
            "rope with base' = base factor^(d/(d-2)), d the rotated channels: the slowest pair is exactly factor times slower",
            "bloc97 2023; Peng 2023 (arXiv 2309.00071) eq. 16"};
  }
  model::Encoding lower(model::Pos sequence) const override {
    const double factor = stretch(factor_, sequence, train_length());
    return head_.encoding(
        head_.rotation(frequencies(geometric(ntk_base(head_.base, factor, head_.rotary_width()), head_.rotary_width()))));
  }

 private:
  Fields own_fields() override { return join(head_.fields(), {factor_field(factor_)}); }
  void finish(const model::Context&) override {
    head_.resolve("ntk");
    head_.require_two_pairs("ntk");
  }

  RotaryHead head_;
  std::optional<double> factor_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_ntk() { return std::make_unique<Ntk>(); }

}  // namespace posenc::schemes
