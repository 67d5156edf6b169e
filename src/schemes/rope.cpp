#include "model/recogniser.hpp"
#include "schemes/estimates.hpp"
#include "schemes/files.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/given_frequencies.hpp"
#include "schemes/limits.hpp"
#include "schemes/query_scale.hpp"
#include "schemes/rotary.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace posenc::schemes {
namespace {

enum class Spacing : int { geometric, single };
constexpr std::array<std::string_view, 2> spacings{"geometric", "single"};

class Rope : public model::Scheme, public model::Recogniser {
 public:
  model::SchemeInfo info() const override {
    return {"rope", "rotary position embedding",
            "q_m -> R_m q, k_n -> R_n k: pair i turns by p theta_i, theta_i = base^(-2i/d), i = 0 .. d/2-1, d the rotated "
            "channels; single: every theta_i = frequency; inv-freq: theta_i as given",
            "Su 2021 (arXiv 2104.09864) eq. 14-16 and 34 (interleaved pairs); half_split and partial: EleutherAI/gpt-neox"};
  }
  model::Encoding lower(model::Pos sequence) const override {
    model::Encoding e = head_.encoding(head_.rotation(frequency_));
    if (log_scale_ && sequence != 0) e.query_scale = log_scale(train_length());
    return e;
  }
  std::vector<model::Proposal> explain(const model::Observation& seen) const override {
    if (!seen.rotation) return {};
    if (seen.frequency.empty()) return {plainest("rope", seen)};
    const auto [least, most] = std::minmax_element(seen.frequency.begin(), seen.frequency.end());
    if (*least > 0 && *most - *least <= 1e-6 * *most && seen.frequency.size() > 1)
      if (const auto words = near(*most, 0); !words.empty())
        return {rotary_proposal("rope", seen, {{"frequencies", "single"}, {"frequency", words.front()}})};
    const auto turning = turning_pairs(seen);
    if (!turning || *turning == 0) return {};
    std::vector<model::Proposal> out;
    Values width;
    if (*turning < seen.frequency.size()) width = {{"rotary-dim", std::to_string(2 * *turning)}};
    for (const bool from_one : {true, false})
      if (const auto g = geometric_fit(leading(seen, *turning), 0, *turning - 1, from_one); g && std::abs(g->scale - 1) < 0.05)
        for (const std::string& base : near_base(g->base, g->base_off))
          out.push_back(rotary_proposal("rope", seen, join_values({{"base", base}}, width), exponent_note(*g, *turning)));
    // The usual mistake, 2i/(d-2) for 2i/d, to compare with.
    if (const auto g = geometric_fit(leading(seen, *turning), 0, *turning - 1, true); g && *turning > 1) {
      const double d = 2 * static_cast<double>(*turning);
      const std::vector<std::string> bases = near_base(g->base, g->base_off);
      const double base = bases.empty() ? 0 : std::pow(parse_number("base", bases.front()), d / (d - 2));
      if (base > 1 && std::isfinite(base))
        out.push_back(rotary_proposal("rope", seen, join_values({{"base", number_text(base)}}, width)));
    }
    return out;
  }

 private:
  Fields own_fields() override {
    Fields head = head_.fields();
    find(head, "base")->about = "frequencies=geometric, without inv-freq: base of the geometric frequencies";
    return join(
        std::move(head),
        {{"frequencies", "1", "without inv-freq: geometric, or one frequency shared by all pairs", choice(spacing_, spacings)},
         {"frequency", "rad/position", "frequencies=single: the frequency of every pair", &single_, above(0)},
         {"inv-freq", "1", "file of the frequencies in rad/position, one for each pair (rotary_emb.inv_freq of checkpoints)",
          &file_},
         {"log-scale", "1", "queries in use times max(1, ln(p + 1)/ln(original)) (log-n attention)", &log_scale_}});
  }
  void finish(const model::Context& context) override {
    if (!file_.empty()) take_file(context);
    head_.resolve("rope");
    if (log_scale_ && train_length() < 2) reject("rope", "log-scale", "true", "needs original >= 2");
    if (!file_.empty()) return;
    const Thetas thetas = spacing_ == Spacing::geometric ? geometric(head_.base, head_.rotary_width())
                                                         : Thetas(static_cast<std::size_t>(head_.pairs()), math::Real(single_));
    frequency_ = frequencies(thetas);
  }

  void take_file(const model::Context& context) {
    if (spacing_ == Spacing::single) reject("rope", "frequencies", "single", "must not be given beside inv-freq");
    if (head_.base != RotaryHead{}.base) reject("rope", "base", number_text(head_.base), "must not be given beside inv-freq");
    if (head_.partial != 1) reject("rope", "partial", number_text(head_.partial), "must not be given beside inv-freq");
    // The size is checked before the exact turns of perhaps millions of numbers are made.
    const auto pairs = vector_file(context, "rope", "inv-freq", file_, -1).size();
    const auto width = 2 * static_cast<std::int64_t>(pairs);
    if (width > largest_width)
      reject("rope", "inv-freq", file_, fmt::format("must have at most {} numbers, not {}", largest_width / 2, pairs));
    if (!head_.rotary_dim && head_.dim != width)
      reject("rope", "dim", std::to_string(head_.dim),
             fmt::format("must be {}, two channels for each number of inv-freq, or rotary-dim={} be given too", width, width));
    agree("rope", "inv-freq", file_, "rotary-dim", head_.rotary_dim, width);
    frequency_ = frequency_file(context, "rope", "inv-freq", file_, pairs);
  }

  RotaryHead head_;
  std::string file_;
  Spacing spacing_ = Spacing::geometric;
  double single_ = 0.01;
  bool log_scale_ = false;
  std::vector<model::Frequency> frequency_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_rope() { return std::make_unique<Rope>(); }

}  // namespace posenc::schemes
