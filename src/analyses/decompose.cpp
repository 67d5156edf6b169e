#include "analyses/decompose_plan.hpp"

#include <numeric>

namespace posenc::analyses {
namespace {

using namespace model;

enum class WeightRows : int { outputs, inputs };
constexpr std::array<std::string_view, 2> weight_rows{"outputs", "inputs"};

class Decompose : public Analysis {
 public:
  AnalysisInfo info() const override {
    return {"decompose", "share of each term in the score",
            "Mean square of each of the four terms of the score (Dai 2019, arXiv 1901.02860, sec. 3.3; Ke 2021, arXiv 2006.15595, "
            "eq. 6) by lag and in all, with the rotation of rotary schemes as a term of its own, and how far the attention moves "
            "when a term is dropped. Inputs are N(0, 1) a channel and W_q, W_k N(0, 1/D), drawn or given: trained weights may "
            "use a small term well or leave a large one without effect."};
  }
  Fields fields() override {
    return {{"samples", "1", "pairs of tokens at a lag, where shares have no closed form", &options_.samples, between(1, 1 << 20)},
            {"query-rows", "1", "queries of the drop effects, spread over the last half of the positions", &options_.rows,
             at_least(1), "all while queries x keys x heads <= 2M"},
            {"inputs", "1", "file of inputs x, positions x model width, in place of draws: after the scheme's own scaling of embeddings", &given_.inputs_file},
            {"w-query", "1", "file of W_q, outputs (heads x head width) x model width, in place of draws", &given_.query_file},
            {"w-key", "1", "file of W_k, like w-query; its heads may be fewer (grouped queries)", &given_.key_file},
            {"weight-rows", "1", "what the rows of w-query and w-key are", choice(rows_, weight_rows)}};
  }
  void open(const TableLoader& tables) override {
    const auto matrix = [&](std::string_view field, const std::string& file) -> Matrix {
      return file.empty() ? Matrix() : matrix_from(*tables.open(file), "decompose", field, file, -1, -1);
    };
    given_.inputs = matrix("inputs", given_.inputs_file);
    given_.query = matrix("w-query", given_.query_file);
    given_.key = matrix("w-key", given_.key_file);
    if (rows_ == WeightRows::outputs) given_.query.transposeInPlace(), given_.key.transposeInPlace();
  }
  Schema schema(const Subject& s) const override { return decompose_schema(decompose_plan(s, given_, options_)); }

  void run(const Subject& s, Sink& sink) const override {
    const DecomposePlan p = decompose_plan(s, given_, options_);
    if (!p.no_terms.empty()) return;
    const auto numbers = [&](std::string_view name, Pos count) {
      std::vector<double> values(static_cast<std::size_t>(count));
      std::iota(values.begin(), values.end(), 0.0);
      sink.write(name, 0, values);
    };
    if (p.traits.has_heads) numbers("head", p.heads());
    numbers("lag", p.lags);
    sink.write_text("term", 0, p.term_names());
    write_shares(p, sink);
    write_drop_effects(p, sink);
  }

 private:
  DecomposeOptions options_;
  WeightRows rows_ = WeightRows::outputs;
  GivenContent given_;
};

}  // namespace

std::unique_ptr<Analysis> make_decompose() { return std::make_unique<Decompose>(); }

}  // namespace posenc::analyses
