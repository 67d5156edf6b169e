#include "model/recogniser.hpp"
#include "schemes/estimates.hpp"
#include "schemes/files.hpp"
#include "schemes/given_frequencies.hpp"
#include "schemes/limits.hpp"
#include "schemes/sinusoid.hpp"

#include <array>
#include <cmath>

namespace posenc::schemes {
namespace {

using model::Index;
using model::Pos;

constexpr std::array<std::string_view, 2> column_words{"interleaved", "concat"};
constexpr std::array<std::string_view, 2> exponent_words{"paper", "t2t"};
constexpr std::array<std::string_view, 2> odd_words{"sine", "zero"};

/// A table whose padding row is zero.
struct PaddedRows : model::Rows {
  std::shared_ptr<const model::Rows> rows;
  Pos padding = 0;
  Index channels() const override { return rows->channels(); }
  const std::vector<model::Frequency>* spectrum() const override { return rows->spectrum(); }  // of the rows behind the padding
  void block(Pos first, Eigen::Ref<model::Matrix> out) const override {
    rows->block(first, out);
    if (padding >= first && padding < first + out.rows()) out.row(padding - first).setZero();
  }
};

class Sinusoidal : public model::Scheme, public model::Recogniser {
 public:
  model::SchemeInfo info() const override {
    return {"sinusoidal", "sinusoidal absolute positions",
            "x_p = sqrt(D) e_p + P[p]; P[p, 2i] = sin(p w_i), P[p, 2i+1] = cos(p w_i), w_i = base^(-2i/D); concat: all sines, "
            "then all cosines; t2t: w_i = base^(-i/(D/2-1)); frequencies: learned w_i; padding-index: position 0 has the row "
            "behind the padding's, which is zero",
            "Vaswani 2017 (arXiv 1706.03762) sec. 3.5; concat: kimiyoung/transformer-xl; t2t: tensorflow/tensor2tensor "
            "get_timing_signal_1d, facebookresearch/fairseq (padding-index too; both end an odd D in zero); learned frequencies: "
            "Wang 2021, On position "
            "embeddings in BERT"};
  }
  model::Encoding lower(Pos) const override {
    model::Encoding e;
    e.head_dim = e.width = *dim_;
    e.logit_scale = 1 / std::sqrt(static_cast<double>(*dim_));
    model::AbsoluteTable table;
    table.rows = rows_;
    table.entry = model::Added{scale_embedding_ ? std::sqrt(static_cast<double>(*dim_)) : 1.0};
    table.first_row = *start_index_;
    e.terms.push_back(table);
    return e;
  }
  std::vector<model::Proposal> explain(const model::Observation& seen) const override {
    std::vector<model::Proposal> out;
    const bool vector = !seen.amplitude && !seen.frequency.empty();  // one of frequencies tells nothing but the exponent
    if (!seen.table && !vector) return out;
    const auto propose = [&](const std::string& base, bool t2t, const std::string& note) {
      Values values{{"dim", std::to_string(vector ? 2 * seen.pairs : seen.channels)}, {"base", base}};
      if (!vector) values.emplace_back("layout", column_words[seen.alternating ? 0 : 1]);
      if (t2t) values.emplace_back("exponent", "t2t");
      if (seen.zero_rows.size() == 1 && seen.zero_rows[0] >= 0)
        values.emplace_back("padding-index", std::to_string(seen.zero_rows[0]));
      out.push_back({{"sinusoidal", {}, std::move(values)}, 0, note});
    };
    if (seen.frequency.empty()) {
      propose("10000", false, ""), propose("10000", true, "");
      return out;
    }
    if (seen.frequency.size() < 2) return out;
    const auto g = geometric_fit(seen, 0, seen.frequency.size() - 1, true);
    if (!g) return out;
    const double pairs = static_cast<double>(seen.pairs), width = static_cast<double>(seen.channels);
    if (!vector)
      for (const std::string& base : near_base(std::pow(g->base, width / (2 * pairs)), g->base_off))
        propose(base, false, exponent_note(*g, seen.frequency.size()));
    for (const std::string& base : near_base(std::pow(g->base, (pairs - 1) / pairs), g->base_off))
      if (!vector || base.size() <= 7) propose(base, true, "");
    return out;
  }

 private:
  Fields own_fields() override {
    return {{"dim", "channel", "model width D", &dim_, widths, "twice the frequencies given, or 128"},
            {"base", "1", "without frequencies: base of the geometric frequencies", &base_, above(1)},
            {"layout", "1", "sines and cosines alternating, or all sines before all cosines", choice(columns_, column_words)},
            {"exponent", "1", "without frequencies: base^(-2i/D), or base^(-i/(D/2-1))", choice(exponent_, exponent_words)},
            {"frequencies", "1", "file of learned frequencies in rad per position, dim/2 of them, in place of base", &file_},
            {"odd", "1",
             "layout=interleaved, exponent=paper, without frequencies: last channel of an odd dim, the sine that the formula has "
             "there or zero (elsewhere it is zero)",
             choice(odd_, odd_words)},
            {"start-index", "position", "the row of position 0", &start_index_, between(0, 0x1p52), "padding-index + 1, or 0"},
            {"padding-index", "row", "row of the padding, all zero; position 0 has the next one (fairseq)", &padding_,
             between(0, 0x1p52)},
            {"scale-embedding", "1", "multiply the embedding by sqrt(D) before adding the row", &scale_embedding_}};
  }
  void finish(const model::Context& context) override {
    if (padding_ && start_index_ && *start_index_ != *padding_ + 1)
      reject("sinusoidal", "start-index", std::to_string(*start_index_), "must be padding-index + 1 beside it");
    if (!start_index_) start_index_ = padding_ ? *padding_ + 1 : 0;
    if (!file_.empty()) {
      auto given = frequency_file(context, "sinusoidal", "frequencies", file_, -1);
      agree("sinusoidal", "frequencies", file_, "dim", dim_, 2 * static_cast<std::int64_t>(given.size()));
      rows_ = sinusoid(std::move(given), columns_);
    } else {
      if (!dim_) dim_ = 128;
      if (odd_ == Odd::zero && *dim_ % 2 == 0) reject("sinusoidal", "odd", "zero", "needs an odd dim");
      rows_ = sinusoid(*dim_, base_, columns_, exponent_, odd_);
    }
    if (!padding_) return;
    auto padded = std::make_shared<PaddedRows>();
    padded->rows = std::move(rows_);
    padded->padding = *padding_;
    rows_ = std::move(padded);
  }

  std::optional<std::int64_t> dim_, start_index_, padding_;
  double base_ = 10000;
  Columns columns_ = Columns::interleaved;
  Exponent exponent_ = Exponent::paper;
  Odd odd_ = Odd::sine;
  std::string file_;
  bool scale_embedding_ = true;
  std::shared_ptr<const model::Rows> rows_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_sinusoidal() { return std::make_unique<Sinusoidal>(); }

}  // namespace posenc::schemes
