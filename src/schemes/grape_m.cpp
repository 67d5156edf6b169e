#include "core/error.hpp"
#include "model/scheme.hpp"
#include "schemes/files.hpp"
#include "schemes/frequencies.hpp"
#include "schemes/limits.hpp"
#include "schemes/rotary.hpp"

#include <fmt/format.h>

namespace posenc::schemes {
namespace {

using math::Real;
using model::Index;

class GrapeM : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"grape-m", "GRAPE-M, learned rotations",
            "q_m -> G(m) q, k_n -> G(n) k, G(p) = exp(p sum_i w_i L_i), L_i the generator of the plane of pair i: a turn by -p "
            "w_i, against that of rope; w_i = e^(l_i), l learned, at the start those of rope: ln w_i = -2i/d ln(base)",
            "Zhang 2025 (arXiv 2512.07805) sec. 3.1; model-architectures/GRAPE llama-mha-grape-m-nonctx.py (canonical planes, "
            "half split, one spectrum for all heads or one a head)"};
  }
  model::Encoding lower(model::Pos) const override {
    model::Rotary r;
    r.head_dim = head_.dim;
    r.heads = per_head_ ? *heads_ : 1;
    r.per_head = per_head_;
    r.channel = head_.channels(head_.dim);
    r.frequency = frequency_;
    model::Encoding e = head_.encoding(std::move(r));
    e.heads = heads_.value_or(1);
    return e;
  }

 private:
  Fields own_fields() override {
    Fields head = head_.whole_fields();
    find(head, "base")->about = "without log-frequencies: base of the geometric frequencies";
    return join(std::move(head), {{"heads", "head", "number of heads", &heads_, head_counts, "the file's, or 1"},
                                  {"log-frequencies", "1", "file of l: dim/2, or heads x dim/2", &file_}});
  }
  void finish(const model::Context& context) override {
    head_.resolve("grape-m");
    if (file_.empty()) {
      for (const Real& theta : geometric(head_.base, head_.dim)) frequency_.push_back(frequency(-theta));
    } else {
      read(context);
    }
    if (!heads_) heads_ = 1;
  }
  void read(const model::Context& context) {
    const auto tensor = context.tables->open(file_);
    const std::vector<model::Pos>& shape = tensor->shape();
    const Index pairs = head_.dim / 2;
    if (shape.empty() || shape.size() > 2 || shape.back() != pairs)
      throw BadData(fmt::format("grape-m: log-frequencies = {}: shape [{}] must be [{}] or [heads, {}]", file_,
                                fmt::join(shape, ", "), pairs, pairs));
    per_head_ = shape.size() == 2;
    if (per_head_) agree("grape-m", "log-frequencies", file_, "heads", heads_, shape[0]);
    std::vector<double> logarithm(static_cast<std::size_t>(tensor->size()));
    tensor->read(0, logarithm);
    for (const double l : logarithm) {
      // e^40 positions leave 2^-54 of a turn of the 113-bit frequency's fraction.
      if (!(l <= 40))
        throw BadData(fmt::format("grape-m: log-frequencies = {}: must be numbers <= 40, not {}", file_, number_text(l)));
      frequency_.push_back(frequency(-exp(Real(l))));
    }
  }

  RotaryHead head_;
  std::optional<std::int64_t> heads_;
  std::string file_;
  bool per_head_ = false;
  std::vector<model::Frequency> frequency_;  // [head][pair]
};

}  // namespace

std::unique_ptr<model::Scheme> make_grape_m() { return std::make_unique<GrapeM>(); }

}  // namespace posenc::schemes
