#include "model/scheme.hpp"
#include "model/stretched_rows.hpp"
#include "schemes/drawn.hpp"
#include "schemes/files.hpp"
#include "schemes/limits.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace posenc::schemes {
namespace {

using model::Pos;

enum class Init : int { normal, gpt2, bert, fairseq };
constexpr std::array<std::string_view, 4> init_words{"normal", "gpt2", "bert", "fairseq"};

enum class Beyond : int { none, clamp, linear };
constexpr std::array<std::string_view, 3> beyond_words{"none", "clamp", "linear"};

const Range positions{.low = 1, .high = 0x1p52};

class Learned : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {
        "learned", "learned absolute positions",
        "x_p = e_p + E[p + offset], E a table of `rows` rows. With P = rows - offset, a position p >= P has "
        "no row, the last one (beyond=clamp), or the table is stretched over the N positions in use: x_p = e_p + the mean of the "
        "two rows around offset + p (P-1)/(N-1), N > P (beyond=linear)",
        "Gehring 2017 (arXiv 1705.03122) sec. 3.1; init: openai/gpt-2 model.py (0.01), google-research/bert modeling.py "
        "(truncated 0.02), facebookresearch/fairseq positional_embedding.py (D^-0.5)"};
  }
  model::Encoding lower(Pos sequence) const override {
    model::Encoding e;
    e.head_dim = e.width = *dim_;
    e.logit_scale = 1 / std::sqrt(static_cast<double>(*dim_));
    model::AbsoluteTable table;
    table.rows = table_rows_;
    table.first_row = *offset_;
    const Pos positions = *rows_ - *offset_;
    if (beyond_ == Beyond::clamp) {
      table.row_of = [first = *offset_, last = *rows_ - 1](Pos p) { return std::min(first + p, last); };
    } else if (beyond_ == Beyond::linear && sequence > positions) {
      table.rows = std::make_shared<model::StretchedRows>(table_rows_, *offset_, positions, sequence);
      table.first_row = 0;
    }
    e.terms.push_back(table);
    return e;
  }

 private:
  Fields own_fields() override {
    return {
        {"dim", "channel", "model width D", &dim_, widths, "the table's, or 128"},
        {"rows", "row", "rows of the table", &rows_, positions, "the table's, or original + offset"},
        {"table", "1", "file of the table, rows x channels", &file_},
        {"offset", "row", "row of position 0 (OPT: 2)", &offset_, between(0, 0x1p52), "padding-index + 1, or 0"},
        {"padding-index", "row", "row of the padding; position 0 has the next one", &padding_, between(0, 0x1p52)},
        {"beyond", "1", "positions beyond the last row: refused, the last row, or the table stretched over the length in use",
         choice(beyond_, beyond_words)},
        {"init", "1",
         "without table: law of a drawn table, normal, gpt2 (normal 0.01), bert (truncated normal 0.02), fairseq (normal D^-0.5)",
         choice(init_, init_words)},
        {"std", "1", "without table: standard deviation of a drawn table, before truncation", &std_, deviations,
         "that of init; normal: 0.02"}};
  }

  void prepare(const model::Context& context) override {
    if (offset_ && padding_) reject("learned", "offset", std::to_string(*offset_), "must not be given beside padding-index");
    if (!offset_) offset_ = padding_ ? *padding_ + 1 : 0;
    if (!file_.empty()) open(context);
    if (!dim_) dim_ = 128;
    if (rows_ && !original_) original_ = *rows_ - *offset_;
    if (original_ && *original_ < 1)
      reject("learned", "offset", std::to_string(*offset_), fmt::format("must leave a row of the {} for position 0", *rows_));
  }
  void open(const model::Context& context) {
    table_rows_ = model::rows_from(context.tables->open(file_), "learned", "table", file_);
    agree("learned", "table", file_, "dim", dim_, table_rows_->channels());
    agree("learned", "table", file_, "rows", rows_, *table_rows_->count());
  }
  void finish(const model::Context& context) override {
    if (!rows_) rows_ = *original_ + *offset_;
    if (beyond_ != Beyond::none && *rows_ - *offset_ < *original_)
      reject("learned", "beyond", beyond_words[static_cast<std::size_t>(beyond_)],
             fmt::format("needs a row for each of the {} training positions, there are {}", *original_, *rows_ - *offset_));
    if (!std_) std_ = spread();
    if (!table_rows_)
      table_rows_ =
          drawn_rows(context.seed, "learned.table", *rows_, *dim_, *std_, init_ == Init::bert ? Law::truncated : Law::normal);
  }
  double spread() const {
    if (init_ == Init::fairseq) return 1 / std::sqrt(static_cast<double>(*dim_));
    return init_ == Init::gpt2 ? 0.01 : 0.02;
  }

  std::optional<std::int64_t> dim_, rows_, offset_, padding_;
  std::optional<double> std_;
  std::string file_;
  Init init_ = Init::normal;
  Beyond beyond_ = Beyond::none;
  std::shared_ptr<const model::Rows> table_rows_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_learned() { return std::make_unique<Learned>(); }

}  // namespace posenc::schemes
