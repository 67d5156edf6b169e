#include "math/phase_table.hpp"
#include "model/scheme.hpp"
#include "schemes/drawn.hpp"
#include "schemes/files.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/limits.hpp"

#include <fmt/format.h>
#include <cmath>

namespace posenc::schemes {
namespace {

using model::Index;
using model::Matrix;
using model::Pos;

enum class Form : int { code, paper };
constexpr std::array<std::string_view, 2> forms{"code", "paper"};

/// [r_k cos(w_k p + phi_k) | r_k sin(w_k p + phi_k)].
struct WordRows : model::Rows {
  std::vector<math::Turn> turns;
  std::vector<double> amplitude, cosine, sine;  // r; cos and sin of phi

  Index channels() const override { return 2 * static_cast<Index>(turns.size()); }
  void block(Pos first, Eigen::Ref<Matrix> out) const override {
    const auto K = static_cast<Index>(turns.size());
    Matrix c(out.rows(), K), s(out.rows(), K);
    math::phase_table(turns, first, out.rows(), c.data(), s.data());
    for (Index i = 0; i < out.rows(); ++i)
      for (Index k = 0; k < K; ++k) {
        const auto at = static_cast<std::size_t>(k);
        out(i, k) = amplitude[at] * (c(i, k) * cosine[at] - s(i, k) * sine[at]);
        out(i, K + k) = amplitude[at] * (s(i, k) * cosine[at] + c(i, k) * sine[at]);
      }
  }
};

class ComplexOrder : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {
        "complex-order", "complex-valued words that turn with their position",
        "f_j(p)_k = r_jk exp(i(w_jk p + phi_jk)), amplitude, frequency and phase of word j; code: phi = 0, positions from 1. The "
        "table is that of one word, real parts before imaginary parts; it is the word's embedding, not added to one",
        "Wang 2020 (arXiv 1912.12333) sec. 3; iclr-complex-order/complex-order Complex_order.py (embedding tables, N(0, 1) "
        "each)"};
  }
  model::Encoding lower(Pos) const override {
    model::Encoding e;
    e.head_dim = e.width = *dim_;
    e.logit_scale = 1 / std::sqrt(static_cast<double>(*dim_));
    e.causal = false;
    model::AbsoluteTable table;
    table.rows = rows_;
    table.entry = model::Added{0};
    table.first_row = *start_index_;
    e.terms.push_back(table);
    return e;
  }

 private:
  Fields own_fields() override {
    return {{"dim", "channel", "real channels, two a complex one", &dim_,
             Range{.low = 2, .high = static_cast<double>(largest_width), .even = true}, "twice the files' columns, or 128"},
            {"words", "word", "size of the vocabulary", &words_, between(1, 1 << 24), "the files', or 1024"},
            {"word", "word", "the word whose vectors are computed", &word_, between(0, 1 << 24)},
            {"form", "1", "without phases and from position 1 (code), or with phases from position 0", choice(form_, forms)},
            {"start-index", "position", "the p of the first token", &start_index_, between(0, 0x1p52), "code: 1, paper: 0"},
            {"amplitudes", "1", "file of r, words x dim/2; drawn N(0, 1)", &amplitude_file_},
            {"frequencies", "1", "file of w in rad per position, words x dim/2; drawn N(0, 1)", &frequency_file_},
            {"phases", "1", "paper: file of phi in rad, words x dim/2; drawn N(0, 1)", &phase_file_}};
  }
  void prepare(const model::Context& context) override {
    if (form_ == Form::code && !phase_file_.empty()) reject(name, "phases", phase_file_, "needs form=paper");
    if (!start_index_) start_index_ = form_ == Form::code ? 1 : 0;
    Matrix r = opened(context, "amplitudes", amplitude_file_), w = opened(context, "frequencies", frequency_file_),
           phi = opened(context, "phases", phase_file_);
    if (!dim_) dim_ = 128;
    if (!words_) words_ = 1024;
    if (word_ >= *words_) reject(name, "word", std::to_string(word_), fmt::format("must be below words = {}", *words_));
    auto rows = std::make_shared<WordRows>();
    const auto of_word = [&](const Matrix& given, const char* stream) {
      Matrix row(1, *dim_ / 2);
      if (given.size())
        row = given.row(word_);
      else
        drawn_rows(context.seed, stream, *words_, *dim_ / 2, 1)->block(word_, row);
      return std::vector<double>(row.data(), row.data() + row.size());
    };
    rows->amplitude = of_word(r, "complex-order.amplitudes");
    for (const double theta : of_word(w, "complex-order.frequencies")) rows->turns.push_back(frequency(math::Real(theta)).turn);
    const auto phases =
        form_ == Form::paper ? of_word(phi, "complex-order.phases") : std::vector<double>(rows->amplitude.size(), 0.0);
    for (const double p : phases) rows->cosine.push_back(std::cos(p)), rows->sine.push_back(std::sin(p));
    rows_ = std::move(rows);
  }
  Matrix opened(const model::Context& context, std::string_view field, const std::string& file) {
    if (file.empty()) return {};
    Matrix out = matrix_file(context, name, field, file, -1, -1);
    agree(name, field, file, "words", words_, out.rows());
    agree(name, field, file, "dim", dim_, 2 * out.cols());
    return out;
  }

  static constexpr std::string_view name = "complex-order";
  std::optional<std::int64_t> dim_, words_, start_index_;
  std::int64_t word_ = 0;
  Form form_ = Form::code;
  std::string amplitude_file_, frequency_file_, phase_file_;
  std::shared_ptr<const model::Rows> rows_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_complex_order() { return std::make_unique<ComplexOrder>(); }

}  // namespace posenc::schemes
