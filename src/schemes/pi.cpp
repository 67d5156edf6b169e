#include "model/recogniser.hpp"
#include "schemes/estimates.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/rotary.hpp"

namespace posenc::schemes {
namespace {

class Pi : public model::Scheme, public model::Recogniser {
 public:
  model::SchemeInfo info() const override {
    return {"pi", "position interpolation", "rope with theta_i / factor, i.e. positions divided by the factor",
            "Chen 2023 (arXiv 2306.15595) eq. 4; kaiokendev's SuperHOT"};
  }
  model::Encoding lower(model::Pos sequence) const override {
    Thetas thetas = geometric(head_.base, head_.rotary_width());
    for (math::Real& theta : thetas) theta /= stretch(factor_, sequence, train_length());
    return head_.encoding(head_.rotation(frequencies(thetas)));
  }
  std::vector<model::EncodingSpec> explain(const model::Observation& seen) const override {
    std::vector<model::EncodingSpec> out;
    if (seen.table || seen.frequency.empty() || seen.frequency[0] > 0.999) return out;
    for (const std::string& base : bases(seen, 0, seen.frequency.size() - 1))
      for (const std::string& factor : factors(seen.frequency[0]))
        out.push_back(rotary_spec("pi", seen, {{"base", base}, {"factor", factor}}));
    return out;
  }

 private:
  Fields own_fields() override { return join(head_.fields(), {factor_field(factor_)}); }
  void finish(const model::Context&) override { head_.resolve("pi"); }

  RotaryHead head_;
  std::optional<double> factor_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_pi() { return std::make_unique<Pi>(); }

}  // namespace posenc::schemes
