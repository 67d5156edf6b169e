#include "model/scheme.hpp"
#include "schemes/drawn.hpp"
#include "schemes/files.hpp"
#include "schemes/limits.hpp"

#include <cmath>

namespace posenc::schemes {
namespace {

using model::Index;
using model::Pos;

enum class Argument : int { code, plain };
constexpr std::array<std::string_view, 2> arguments{"code", "plain"};

/// Gaussian kernels, [kernel][head] each.
struct Kernels {
  model::Matrix offset, amplitude, sharpness;
  double at(Index kernel, Index head, double r) const {
    const double away = offset(kernel, head) - r;
    return std::exp(-std::abs(sharpness(kernel, head)) * away * away);
  }
};

class Tisa : public model::Scheme {
 public:
  model::SchemeInfo info() const override {
    return {"tisa", "translation-invariant self-attention",
            "b_h(r) = sum_k a_kh exp(-|g_kh| (c_kh - r)^2), plain: r = m - n; code: r = m - n - 1",
            "Wennberg 2021 (arXiv 2106.01950) eq. 5; code: ulmewennberg/tisa model/tisa.py, whose gather is off by one"};
  }
  model::Encoding lower(Pos) const override {
    model::Encoding e;
    e.head_dim = e.width = dim_;
    e.heads = *heads_;
    e.logit_scale = 1 / std::sqrt(static_cast<double>(dim_));
    e.causal = false;
    const auto r = [shift = argument_ == Argument::code ? 1 : 0](Pos m, Pos n) { return static_cast<double>(m - n - shift); };
    model::Bias b;
    b.heads = *heads_;
    b.value = [k = kernels_, r](Index h, Pos m, Pos n) {
      double sum = 0;
      for (Index i = 0; i < k->offset.rows(); ++i) sum += k->amplitude(i, h) * k->at(i, h, r(m, n));
      return sum;
    };
    b.features = [k = kernels_, r](Index h, Pos m, Pos n, double* phi) {
      for (Index i = 0; i < k->offset.rows(); ++i) phi[i] = k->at(i, h, r(m, n));
    };
    b.unknowns = kernels_->offset.rows();
    e.terms.push_back(std::move(b));
    return e;
  }

 private:
  Fields own_fields() override {
    return {{"dim", "channel", "channels of a head", &dim_, widths},
            {"heads", "head", "number of heads", &heads_, head_counts, "the files', or 8"},
            {"kernels", "1", "kernels of a head", &count_, between(1, 65536), "the files', or 5"},
            {"argument", "1", "distance that the kernels see", choice(argument_, arguments)},
            {"amplitudes", "1", "file of a, kernels x heads; drawn N(0.1, 0.01^2)", &amplitude_file_},
            {"sharpness", "1", "file of g, kernels x heads; drawn N(0.1, 0.01^2)", &sharpness_file_},
            {"offsets", "1", "file of c, kernels x heads; drawn N(0, 5^2)", &offset_file_}};
  }
  void prepare(const model::Context& context) override {
    auto k = std::make_shared<Kernels>();
    const auto read = [&](std::string_view field, const std::string& file, model::Matrix& into) {
      if (file.empty()) return;
      into = matrix_file(context, "tisa", field, file, -1, -1);
      agree("tisa", field, file, "kernels", count_, into.rows());
      agree("tisa", field, file, "heads", heads_, into.cols());
    };
    read("amplitudes", amplitude_file_, k->amplitude);
    read("sharpness", sharpness_file_, k->sharpness);
    read("offsets", offset_file_, k->offset);
    if (!heads_) heads_ = 8;
    if (!count_) count_ = 5;
    const auto draw = [&](const std::string& file, const char* name, double mean, double spread, model::Matrix& into) {
      if (!file.empty()) return;
      into = drawn_matrix(context.seed, name, *count_, *heads_, spread);
      into.array() += mean;
    };
    draw(amplitude_file_, "tisa.amplitudes", 0.1, 0.01, k->amplitude);
    draw(sharpness_file_, "tisa.sharpness", 0.1, 0.01, k->sharpness);
    draw(offset_file_, "tisa.offsets", 0, 5, k->offset);
    kernels_ = std::move(k);
  }

  std::int64_t dim_ = 128;
  std::optional<std::int64_t> heads_, count_;
  Argument argument_ = Argument::code;
  std::string amplitude_file_, sharpness_file_, offset_file_;
  std::shared_ptr<const Kernels> kernels_;
};

}  // namespace

std::unique_ptr<model::Scheme> make_tisa() { return std::make_unique<Tisa>(); }

}  // namespace posenc::schemes
