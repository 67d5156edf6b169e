#include "model/recogniser.hpp"
#include "schemes/estimates.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/query_scale.hpp"
#include "schemes/rotary.hpp"

namespace posenc::schemes {
namespace {

enum class Spacing : int { geometric, single };
constexpr std::array<std::string_view, 2> spacings{"geometric", "single"};

class Rope : public model::Scheme, public model::Recogniser {
 public:
  model::SchemeInfo info() const override {
    return {"rope", "rotary position embedding",
            "q_m -> R_m q, k_n -> R_n k: pair i turns by p theta_i, theta_i = base^(-2i/d), i = 0 .. d/2-1, d the rotated "
            "channels; single: every theta_i = frequency",
            "Su 2021 (arXiv 2104.09864) eq. 14-16 and 34 (interleaved pairs); half_split and partial: EleutherAI/gpt-neox"};
  }
  model::Encoding lower(model::Pos sequence) const override {
    model::Encoding e = head_.encoding(head_.rotation(frequency_));
    if (log_scale_ && sequence != 0) e.query_scale = log_scale(train_length());
    return e;
  }
  std::vector<model::EncodingSpec> explain(const model::Observation& seen) const override {
    std::vector<model::EncodingSpec> out;
    if (seen.table || seen.frequency.empty()) return out;
    for (const std::string& base : bases(seen, 0, seen.frequency.size() - 1))
      out.push_back(rotary_spec("rope", seen, {{"base", base}}));
    return out;
  }

 private:
  Fields own_fields() override {
    Fields head = head_.fields();
    find(head, "base")->about = "frequencies=geometric: base of the geometric frequencies";
    return join(std::move(head),
                {{"frequencies", "1", "geometric, or one frequency shared by all pairs", choice(spacing_, spacings)},
                 {"frequency", "rad/position", "frequencies=single: the frequency of every pair", &single_, above(0)},
                 {"log-scale", "1", "queries in use times max(1, ln(p + 1)/ln(original)) (log-n attention)", &log_scale_}});
  }
  void finish(const model::Context&) override {
    head_.resolve("rope");
    if (log_scale_ && train_length() < 2) reject("rope", "log-scale", "true", "needs original >= 2");
    const Thetas thetas = spacing_ == Spacing::geometric ? geometric(head_.base, head_.rotary_width())
                                                         : Thetas(static_cast<std::size_t>(head_.pairs()), math::Real(single_));
    frequency_ = frequencies(thetas);
  }

  RotaryHead head_;
  Spacing spacing_ = Spacing::geometric;
  double single_ = 0.01;
  bool log_scale_ = false;
  std::vector<model::Frequency> frequency_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_rope() { return std::make_unique<Rope>(); }

}  // namespace posenc::schemes
