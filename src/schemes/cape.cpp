#include "math/random.hpp"
#include "model/scheme.hpp"
#include "schemes/files.hpp"
#include "schemes/limits.hpp"
#include "schemes/sinusoid_at.hpp"

#include <fmt/format.h>
#include <cmath>

namespace posenc::schemes {
namespace {

using model::Pos;

enum class Variant : int { authors, port };
constexpr std::array<std::string_view, 2> variants{"authors", "port"};
enum class Layout : int { of_variant, interleaved, concat };
constexpr std::array<std::string_view, 3> layouts{"of-variant", "interleaved", "concat"};
enum class Normalize : int { of_variant, yes, no };
constexpr std::array<std::string_view, 3> normalize_words{"of-variant", "true", "false"};
constexpr double largest_length = 0x1p24;  // one position is kept for each token

class Cape : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {
        "cape", "continuous augmented positions",
        "the sinusoidal row of a real position, step p: in use p - mean, in training (p - mean + G + l_p) e^S, G uniform in "
        "+-max-global/2 (port: +-max-global), l_p in +-max-local/2, S in +-ln(max-scale); mean of the positions, "
        "normalize=false: 0; port: interleaved and without the mean",
        "Likhomanenko 2021 (arXiv 2106.03143) sec. 3; flashlight branch cape, SinusoidPositionEmbedding.cpp (ranges, concat); "
        "port: gcambara/cape cape.py"};
  }
  model::Encoding lower(Pos sequence) const override {
    const Pos length = sequence == 0 ? train_length() : sequence;
    if (static_cast<double>(length) > largest_length)
      reject("cape", "length", std::to_string(length), fmt::format("must be <= {}", largest_length));
    model::Encoding e;
    e.head_dim = e.width = dim_;
    e.logit_scale = 1 / std::sqrt(static_cast<double>(dim_));
    model::AbsoluteTable table;
    table.rows = sinusoid_at(dim_, base_, columns(), sequence == 0 ? augmented(length) : plain(length));
    table.entry = model::Added{std::sqrt(static_cast<double>(dim_))};
    e.terms.push_back(table);
    return e;
  }

 private:
  Fields own_fields() override {
    return {{"dim", "channel", "model width D", &dim_, Range{.low = 2, .high = static_cast<double>(largest_width), .even = true}},
            {"base", "1", "base of the geometric frequencies", &base_, above(1)},
            {"variant", "1", "the authors' ranges, layout and mean, or those of the public port", choice(variant_, variants)},
            {"layout", "1", "sines and cosines alternating, or all sines before all cosines (authors)", choice(layout_, layouts)},
            {"normalize", "1", "the mean of the positions is subtracted (authors)", choice(normalize_, normalize_words)},
            {"step", "position", "position of a token per index (audio: 30 times the seconds)", &step_, above(0)},
            {"max-global", "position", "width of the interval of G (port: half of it)", &max_global_, at_least(0)},
            {"max-local", "position", "width of the interval of l_p", &max_local_, at_least(0)},
            {"max-scale", "1", "largest factor e^S", &max_scale_, at_least(1)},
            {"global-shift", "position", "G of a sequence in training", &global_, Range{}, "drawn"},
            {"global-scale", "1", "e^S of a sequence in training", &scale_, above(0), "drawn"},
            {"local-shifts", "1", "file of l_p in training, one a position", &local_file_}};
  }
  void finish(const model::Context& context) override {
    seed_ = context.seed;
    double u[2];
    math::uniform(math::Stream(seed_, "cape.global"), 0, u);
    if (!global_) global_ = (variant_ == Variant::port ? 2 : 1) * max_global_ * (u[0] - 0.5);
    if (!scale_) scale_ = std::exp(std::log(max_scale_) * (2 * u[1] - 1));
    if (!local_file_.empty()) local_ = vector_file(context, "cape", "local-shifts", local_file_, train_length());
  }

  Columns columns() const {
    if (layout_ == Layout::of_variant) return variant_ == Variant::authors ? Columns::concat : Columns::interleaved;
    return layout_ == Layout::concat ? Columns::concat : Columns::interleaved;
  }
  bool normalized() const {
    return normalize_ == Normalize::of_variant ? variant_ == Variant::authors : normalize_ == Normalize::yes;
  }
  double mean(Pos length) const { return normalized() ? step_ * static_cast<double>(length - 1) / 2 : 0; }
  std::vector<RealPosition> plain(Pos length) const {
    std::vector<RealPosition> out;
    for (Pos p = 0; p < length; ++p) out.push_back(split(step_ * static_cast<double>(p) - mean(length)));
    return out;
  }
  std::vector<RealPosition> augmented(Pos length) const {
    std::vector<double> local(static_cast<std::size_t>(length));
    if (local_.size() > 0) {
      std::copy(local_.begin(), local_.end(), local.begin());
    } else {
      math::uniform(math::Stream(seed_, "cape.local"), 0, local);
      for (double& l : local) l = max_local_ * (l - 0.5);
    }
    std::vector<RealPosition> out;
    for (Pos p = 0; p < length; ++p)
      out.push_back(
          split((step_ * static_cast<double>(p) - mean(length) + *global_ + local[static_cast<std::size_t>(p)]) * *scale_));
    return out;
  }

  std::int64_t dim_ = 128;
  double base_ = 10000, step_ = 1;
  Variant variant_ = Variant::authors;
  Layout layout_ = Layout::of_variant;
  Normalize normalize_ = Normalize::of_variant;
  double max_global_ = 2000, max_local_ = 1, max_scale_ = 1.1;
  std::optional<double> global_, scale_;
  std::string local_file_;
  model::Vector local_;
  std::uint64_t seed_ = 0;
};

}  // namespace

std::unique_ptr<model::Scheme> make_cape() { return std::make_unique<Cape>(); }

}  // namespace posenc::schemes
