#include "core/error.hpp"
#include "model/scheme.hpp"
#include "model/views/traits.hpp"
#include "schemes/drawn_positions.hpp"
#include "schemes/files.hpp"
#include "schemes/limits.hpp"
#include "schemes/registry.hpp"
#include "schemes/sinusoid_at.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace posenc::schemes {
namespace {

using model::Encoding;
using model::Index;
using model::Pos;

constexpr std::array<std::string_view, 2> column_words{"interleaved", "concat"};
enum class Form : int { positions, offsets, two_sided_offsets };
constexpr std::array<std::string_view, 3> forms{"positions", "offsets", "two-sided-offsets"};

/// The rows of another table at the drawn positions.
struct PickedRows : model::Rows {
  model::AbsoluteTable table;
  std::vector<Pos> positions;
  Index channels() const override { return table.rows->channels(); }
  std::optional<Pos> count() const override { return static_cast<Pos>(positions.size()); }
  void block(Pos first, Eigen::Ref<model::Matrix> out) const override {
    for (Index i = 0; i < out.rows(); ++i)
      table.rows->block(table.row(positions[static_cast<std::size_t>(first + i)]), out.middleRows(i, 1));
  }
};

class Randomized : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {
        "randomized", "randomized positions",
        "token p stands at the p-th smallest of n distinct positions drawn from 0 .. max-position - 1, drawn anew for each "
        "length "
        "n, of the scheme `of`; offsets: distance s is the s-th smallest of n - 1 drawn from 1 .. max-position - 1, mirrored for "
        "keys after the query or drawn for them too",
        "Ruoss 2023 (arXiv 2305.16843) sec. 3; google-deepmind/randomized_positional_encodings (sinusoids concat; offsets of its "
        "relative encodings)"};
  }
  Encoding lower(Pos sequence) const override {
    const Pos length = sequence == 0 ? train_length() : sequence;
    if (length > *max_position_)
      reject("randomized", "max-position", std::to_string(*max_position_),
             fmt::format("must be >= the {} tokens in use", length));
    if (form_ != Form::positions) return at_offsets(length);
    const std::vector<Pos> drawn = static_cast<Pos>(given_.size()) == length
                                       ? given_
                                       : drawn_positions(seed_, "randomized.positions", length, length, 0, *max_position_);
    return inner_ ? at_positions(drawn) : sinusoids(drawn);
  }

 private:
  Fields own_fields() override {
    return {{"of", "1", "scheme that meets the positions; it has dim, heads and base from here, else its defaults", &of_},
            {"dim", "channel", "model width D, or channels of a head", &dim_, widths},
            {"heads", "head", "number of heads, of a scheme that has them", &heads_, head_counts},
            {"base", "1", "base of the geometric frequencies", &base_, above(1)},
            {"layout", "1", "of=sinusoidal: sines and cosines alternating, or all sines before all cosines",
             choice(columns_, column_words)},
            {"form", "1", "positions are drawn, or the offsets of relative encodings, mirrored or drawn on both sides",
             choice(form_, forms)},
            {"max-position", "position", "positions are drawn below it", &max_position_, between(1, 1 << 26), "16 original"},
            {"indices", "1", "file of drawn positions, used at its own length", &file_}};
  }
  void finish(const model::Context& context) override {
    seed_ = context.seed;
    if (!max_position_) max_position_ = 16 * train_length();
    if (of_ != "sinusoidal") make_inner(context);
    if (!inner_ && form_ != Form::positions) reject("randomized", "form", forms[static_cast<std::size_t>(form_)], of_needs);
    if (!inner_ && dim_ % 2 != 0) reject("randomized", "dim", std::to_string(dim_), "must be even for of=sinusoidal");
    if (!file_.empty()) read_indices(context);
    if (inner_) check_inner();
  }
  void read_indices(const model::Context& context) {
    if (form_ != Form::positions) reject("randomized", "indices", file_, "needs form=positions");
    for (const double p : vector_file(context, "randomized", "indices", file_, -1)) {
      if (p != std::floor(p) || p < 0 || p >= static_cast<double>(*max_position_))
        throw BadData(
            fmt::format("randomized: indices = {}: {} must be an integer below max-position = {}", file_, p, *max_position_));
      given_.push_back(static_cast<Pos>(p));
    }
    std::sort(given_.begin(), given_.end());
  }
  /// Trained on all positions that can be drawn.
  void make_inner(const model::Context& context) {
    if (of_ == "randomized") reject("randomized", "of", of_, "must be another scheme");
    inner_ = registry().make(of_);
    Fields fields = inner_->fields();
    const auto give = [&](std::string_view name, const std::string& value) {
      if (Field* f = find(fields, name)) set(of_, *f, value);
    };
    give("dim", std::to_string(dim_)), give("heads", std::to_string(heads_)), give("base", number_text(base_));
    give("original", std::to_string(*max_position_));
    inner_->resolve(context);
  }
  void check_inner() const {
    const Encoding e = inner_->lower(0);
    const bool untied = std::any_of(e.terms.begin(), e.terms.end(), [](const model::Term& t) {
      const auto* a = std::get_if<model::AbsoluteTable>(&t);
      return a && std::holds_alternative<model::Untied>(a->entry);
    });
    if (untied || e.point || e.visible || e.query_scale || model::form<model::Contextual>(e) || e.terms.empty())
      reject("randomized", "of", of_, "must be an added table, a rotation, relative vectors or a bias, of plain text positions");
    const model::Traits t = model::traits(e);
    if (form_ != Form::positions && (!t.by_lag || t.kind == model::Kind::table || e.pair_map))
      reject("randomized", "form", forms[static_cast<std::size_t>(form_)], of_needs);
  }

  Encoding sinusoids(const std::vector<Pos>& drawn) const {
    Encoding e;
    e.head_dim = e.width = dim_;
    e.logit_scale = 1 / std::sqrt(static_cast<double>(dim_));
    std::vector<RealPosition> positions;
    for (const Pos p : drawn) positions.push_back({p, 0});
    model::AbsoluteTable table;
    table.rows = sinusoid_at(dim_, base_, columns_, std::move(positions));
    table.entry = model::Added{std::sqrt(static_cast<double>(dim_))};
    e.terms.push_back(table);
    return e;
  }
  Encoding at_positions(const std::vector<Pos>& drawn) const {
    Encoding e = inner_->lower(0);
    bool mapped = false;
    for (model::Term& t : e.terms) {
      auto* a = std::get_if<model::AbsoluteTable>(&t);
      mapped |= a == nullptr;
      if (!a) continue;
      auto rows = std::make_shared<PickedRows>();
      rows->table = *a, rows->positions = drawn;
      a->rows = std::move(rows), a->first_row = 0, a->row_of = nullptr;
    }
    if (!mapped) return e;
    e.pair_map = [drawn, map = e.pair_map](Pos m, Pos n) {
      const std::array<Pos, 2> at{position_of(drawn, m), position_of(drawn, n)};
      return map ? map(at[0], at[1]) : at;
    };
    return e;
  }
  Encoding at_offsets(Pos length) const {
    Encoding e = inner_->lower(0);
    const auto draw = [&](const char* stream) {
      std::vector<Pos> out{0};
      const auto others = drawn_positions(seed_, stream, length, length - 1, 1, *max_position_);
      out.insert(out.end(), others.begin(), others.end());
      return out;
    };
    const std::vector<Pos> before = draw("randomized.offsets");
    e.pair_map = [before, after = form_ == Form::offsets ? before : draw("randomized.offsets-after")](Pos m, Pos n) {
      return std::array<Pos, 2>{m >= n ? position_of(before, m - n) : -position_of(after, n - m), 0};
    };
    return e;
  }

  static constexpr std::string_view of_needs = "needs of = a rotation, relative vectors or a bias by distance";
  std::string of_ = "sinusoidal";
  std::int64_t dim_ = 128, heads_ = 8;
  double base_ = 10000;
  Columns columns_ = Columns::concat;
  Form form_ = Form::positions;
  std::optional<std::int64_t> max_position_;
  std::string file_;
  std::vector<Pos> given_;
  std::unique_ptr<model::Scheme> inner_;
  std::uint64_t seed_ = 0;
};

}  // namespace

std::unique_ptr<model::Scheme> make_randomized() { return std::make_unique<Randomized>(); }

}  // namespace posenc::schemes
