#include "core/error.hpp"
#include "math/random.hpp"
#include "model/scheme.hpp"
#include "schemes/files.hpp"
#include "schemes/limits.hpp"
#include "schemes/sinusoid_at.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace posenc::schemes {
namespace {

using model::Pos;

constexpr std::array<std::string_view, 2> column_words{"interleaved", "concat"};

class Randomized : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"randomized", "randomized positions",
            "the sinusoidal row of the p-th smallest of n distinct positions drawn from 0 .. max-position - 1, drawn anew for "
            "each length n",
            "Ruoss 2023 (arXiv 2305.16843) sec. 3; google-deepmind/randomized_positional_encodings (concat)"};
  }
  model::Encoding lower(Pos sequence) const override {
    model::Encoding e;
    e.head_dim = e.width = dim_;
    e.logit_scale = 1 / std::sqrt(static_cast<double>(dim_));
    model::AbsoluteTable table;
    table.rows = sinusoid_at(dim_, base_, columns_, positions(sequence == 0 ? train_length() : sequence));
    table.entry = model::Added{std::sqrt(static_cast<double>(dim_))};
    e.terms.push_back(table);
    return e;
  }

 private:
  Fields own_fields() override {
    return {{"dim", "channel", "model width D", &dim_, Range{.low = 2, .high = static_cast<double>(largest_width), .even = true}},
            {"base", "1", "base of the geometric frequencies", &base_, above(1)},
            {"layout", "1", "sines and cosines alternating, or all sines before all cosines", choice(columns_, column_words)},
            {"max-position", "position", "positions are drawn below it", &max_position_, between(1, 1 << 26), "16 original"},
            {"indices", "1", "file of drawn positions, used at its own length", &file_}};
  }
  void finish(const model::Context& context) override {
    seed_ = context.seed;
    if (!max_position_) max_position_ = 16 * train_length();
    if (file_.empty()) return;
    const model::Vector v = vector_file(context, "randomized", "indices", file_, -1);
    for (const double p : v) {
      if (p != std::floor(p) || p < 0 || p >= static_cast<double>(*max_position_))
        throw BadData(
            fmt::format("randomized: indices = {}: {} must be an integer below max-position = {}", file_, p, *max_position_));
      given_.push_back(static_cast<Pos>(p));
    }
    std::sort(given_.begin(), given_.end());
  }
  std::vector<RealPosition> positions(Pos length) const {
    if (length > *max_position_)
      reject("randomized", "max-position", std::to_string(*max_position_),
             fmt::format("must be >= the {} tokens in use", length));
    std::vector<RealPosition> out;
    if (static_cast<Pos>(given_.size()) == length) {
      for (const Pos p : given_) out.push_back({p, 0});
      return out;
    }
    // Selection sampling (Knuth 3.4.2 S): position t is taken with probability (still wanted)/(still to come).
    std::vector<double> u(static_cast<std::size_t>(*max_position_));
    math::uniform(math::Stream(seed_, "randomized.positions"), static_cast<std::uint64_t>(length) << 26, u);
    for (Pos t = 0; static_cast<Pos>(out.size()) < length; ++t) {
      const auto wanted = static_cast<double>(length - static_cast<Pos>(out.size()));
      if (u[static_cast<std::size_t>(t)] * static_cast<double>(*max_position_ - t) < wanted) out.push_back({t, 0});
    }
    return out;
  }

  std::int64_t dim_ = 128;
  double base_ = 10000;
  Columns columns_ = Columns::concat;
  std::optional<std::int64_t> max_position_;
  std::string file_;
  std::vector<Pos> given_;
  std::uint64_t seed_ = 0;
};

}  // namespace

std::unique_ptr<model::Scheme> make_randomized() { return std::make_unique<Randomized>(); }

}  // namespace posenc::schemes
