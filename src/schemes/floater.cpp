#include "model/scheme.hpp"
#include "schemes/drawn.hpp"
#include "schemes/files.hpp"
#include "schemes/flow.hpp"
#include "schemes/limits.hpp"

#include <fmt/format.h>
#include <cmath>

namespace posenc::schemes {
namespace {

using model::Index;
using model::Matrix;
using model::Pos;
using model::Vector;

enum class Method : int { rk4, dopri5 };
constexpr std::array<std::string_view, 2> methods{"rk4", "dopri5"};
constexpr std::int64_t most_numbers = std::int64_t{1} << 27;  // every row made is kept

struct FlowRows : model::Rows {
  std::shared_ptr<FlowStates> states;
  Pos rows = 0;
  Index channels() const override { return states->channels(); }
  std::optional<Pos> count() const override { return rows; }
  void block(Pos first, Eigen::Ref<Matrix> out) const override { states->block(first, out); }
};

class Floater : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {
        "floater", "positions by a continuous dynamical system",
        "x_i = e_i + p(i dt), p(t) = p(s) + int_s^t h(tau, p(tau)) dtau, h(t, p) = W2 [relu(W1 [p; t] + b1); t] + b2; rk4: "
        "`steps` steps a position; dopri5: error of a step below tolerance (1 + |p|)",
        "Liu 2020 (arXiv 2003.09229) eq. 4-8; xuanqing94/FLOATER flow_transformer.py, flow_funcs.py (linear h, dt 0.01, rk4 in "
        "5 steps, Xavier init; it adds p to queries, keys and values behind their projections)"};
  }
  model::Encoding lower(Pos sequence) const override {
    const Pos length = std::max(sequence, train_length());
    if (length > most_numbers / *dim_)
      reject("floater", "length", std::to_string(length), fmt::format("must be <= {}: all rows are kept", most_numbers / *dim_));
    model::Encoding e;
    e.head_dim = e.width = *dim_;
    e.logit_scale = 1 / std::sqrt(static_cast<double>(*dim_));
    auto rows = std::make_shared<FlowRows>();
    rows->states = states_;
    rows->rows = length;
    model::AbsoluteTable table;
    table.rows = std::move(rows);
    e.terms.push_back(std::move(table));
    return e;
  }

 private:
  Fields own_fields() override {
    return {
        {"dim", "channel", "model width D", &dim_, between(1, 1 << 13), "the files', or 128"},
        {"hidden", "1", "units of h's hidden layer", &hidden_, between(1, 1 << 13), "the files', or dim"},
        {"dt", "1", "t from one position to the next", &how_.interval, above(0)},
        {"method", "1", "classical Runge-Kutta, or Dormand and Prince's pair with controlled steps", choice(method_, methods)},
        {"steps", "1", "method=rk4: steps from one position to the next", &how_.steps, between(1, 1 << 20)},
        {"tolerance", "1", "method=dopri5: largest error of a step, absolute and relative", &how_.tolerance,
         between(1e-14, 1e-2)},
        {"p0", "1", "file of p(0), dim; drawn uniform of std sqrt(2/(9 dim)) (Xavier of the code's [3, 6, dim])", &start_file_},
        {"w1", "1", "file of W1, hidden x (dim + 1), time last; drawn N(0, 2/(dim + hidden + 1))", &w1_file_},
        {"b1", "1", "file of b1, hidden; zero without", &b1_file_},
        {"w2", "1", "file of W2, dim x (hidden + 1), time last; drawn N(0, 2/(dim + hidden + 1))", &w2_file_},
        {"b2", "1", "file of b2, dim; zero without", &b2_file_}};
  }
  void prepare(const model::Context& context) override {
    Flow flow;
    Vector start;
    const auto matrix = [&](const char* field, const std::string& file, Matrix& into, auto& rows, const char* row_name,
                            auto& columns, const char* column_name) {
      if (file.empty()) return;
      into = matrix_file(context, "floater", field, file, -1, -1);
      agree("floater", field, file, row_name, rows, into.rows());
      agree("floater", field, file, column_name, columns, into.cols() - 1);
    };
    matrix("w1", w1_file_, flow.w1, hidden_, "hidden", dim_, "dim");
    matrix("w2", w2_file_, flow.w2, dim_, "dim", hidden_, "hidden");
    const auto vector = [&](const char* field, const std::string& file, Vector& into, std::optional<std::int64_t>& size,
                            const char* name) {
      if (file.empty()) return;
      into = vector_file(context, "floater", field, file, -1);
      agree("floater", field, file, name, size, into.size());
    };
    vector("p0", start_file_, start, dim_, "dim");
    vector("b1", b1_file_, flow.b1, hidden_, "hidden");
    vector("b2", b2_file_, flow.b2, dim_, "dim");
    if (!dim_) dim_ = 128;
    if (!hidden_) hidden_ = *dim_;
    const double spread = std::sqrt(2 / static_cast<double>(*dim_ + *hidden_ + 1));
    if (w1_file_.empty()) flow.w1 = drawn_matrix(context.seed, "floater.w1", *hidden_, *dim_ + 1, spread);
    if (w2_file_.empty()) flow.w2 = drawn_matrix(context.seed, "floater.w2", *dim_, *hidden_ + 1, spread);
    if (b1_file_.empty()) flow.b1 = Vector::Zero(*hidden_);
    if (b2_file_.empty()) flow.b2 = Vector::Zero(*dim_);
    if (start_file_.empty()) {
      Matrix row(1, *dim_);
      drawn_rows(context.seed, "floater.p0", 1, *dim_, std::sqrt(2 / (9 * static_cast<double>(*dim_))), Law::uniform)
          ->block(0, row);
      start = row.row(0);
    }
    flow.w1.transposeInPlace(), flow.w2.transposeInPlace();
    how_.adaptive = method_ == Method::dopri5;
    states_ = std::make_shared<FlowStates>(std::move(flow), how_, std::vector<double>(start.begin(), start.end()));
  }

  std::optional<std::int64_t> dim_, hidden_;
  Method method_ = Method::rk4;
  Integration how_;
  std::string start_file_, w1_file_, b1_file_, w2_file_, b2_file_;
  std::shared_ptr<FlowStates> states_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_floater() { return std::make_unique<Floater>(); }

}  // namespace posenc::schemes
