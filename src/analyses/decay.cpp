#include "analyses/decay_plan.hpp"

#include <numeric>

namespace posenc::analyses {
namespace {

using namespace model;

class Decay : public Analysis {
 public:
  AnalysisInfo info() const override {
    return {
        "decay", "score against distance",
        "The position score by lag, RoFormer's upper bound, the mean, deviation and quantiles of logits under Gaussian content, "
        "the softmax over lags of a model whose keys all match, and how far biases reach. Geometry of the encoding alone: "
        "trained weights may use or undo it, and independent queries and keys see no decay at all (Barbero 2024, arXiv "
        "2410.06205)."};
  }
  Fields fields() override {
    return {{"samples", "1", "draws behind each quantile of the logits", &samples_, between(1, 1 << 20)}};
  }
  Schema schema(const Subject& s) const override { return decay_schema(decay_plan(s, samples_)); }

  void run(const Subject& s, Sink& sink) const override {
    const DecayPlan p = decay_plan(s, samples_);
    if (!p.no_score.empty()) return;
    write_coordinates(p, sink);
    for (Index head = 0; head < p.heads(); ++head) {
      const auto statistics = lag_statistics(p.encoding, head, p.positions);
      const DecayHead h{p, head, *statistics, sink};
      write_decay_score(h);
      write_decay_bound(h);
      write_decay_attention(h);
      write_decay_logits(h);
      write_decay_receptive_field(h);
      write_decay_inversion(h);
    }
  }

 private:
  static void write_coordinates(const DecayPlan& p, Sink& sink) {
    std::vector<double> values;
    p.blocks([&](Pos first, Pos count) {
      values.resize(static_cast<std::size_t>(count));
      std::iota(values.begin(), values.end(), static_cast<double>(first));
      sink.write("lag", static_cast<std::uint64_t>(first), values);
    });
    if (p.traits.has_heads) {
      values.resize(static_cast<std::size_t>(p.heads()));
      std::iota(values.begin(), values.end(), 0.0);
      sink.write("head", 0, values);
    }
    if (p.no_logits.empty()) {
      sink.write("rho", 0, p.rho);
      sink.write("quantile", 0, p.quantile);
      sink.write("sample_lag", 0, std::vector<double>(p.sample_lags.begin(), p.sample_lags.end()));
    }
    if (p.no_attention.empty()) sink.write("mass", 0, p.mass);
    if (p.no_receptive_field.empty()) sink.write("eps", 0, p.eps);
  }

  std::int64_t samples_ = 4096;
};

}  // namespace

std::unique_ptr<Analysis> make_decay() { return std::make_unique<Decay>(); }

}  // namespace posenc::analyses
