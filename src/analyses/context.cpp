#include "analyses/context_plan.hpp"

#include <array>

namespace posenc::analyses {
namespace {

using namespace model;

constexpr std::array<std::string_view, 3> scan_words{"no", "nested", "full"};

class Context : public Analysis {
 public:
  AnalysisInfo info() const override {
    return {
        "context", "bounds on base and length of rotary encodings",
        "Published laws that join base, width and length: Men 2024 (arXiv 2405.14591) and Su 2024 (bases whose sum of cosines is "
        "nowhere negative: a union of windows, so that a bound depends on the search, which is quoted), Liu 2023 (arXiv "
        "2310.05209: critical dimension, small and large bases), Chen 2023 (arXiv 2306.15595: interpolation bound as printed and "
        "as corrected), bands and attention factors of Peng 2023 (arXiv 2309.00071) and Ding 2024 (arXiv 2402.13753), Liu 2026 "
        "(arXiv 2602.10959). Geometry of the frequencies: a base that meets a bound does not make a model use its context."};
  }
  Fields fields() override {
    return {{"base-scan", "1",
             "search for bases that hold over the length: nested: base_nested, a second; full: their windows too, seconds to a "
             "minute",
             choice(options_.base_scan, scan_words)},
            {"base-step", "1", "step in ln b of that search", &options_.base_step, Range{.low = 1e-6, .high = 0.1}},
            {"base-last", "1", "last base of that search", &options_.base_last, Range{.low = 2, .high = 1e15}},
            {"nested-levels", "1", "grids of base_nested", &options_.nested_levels, between(1, 7)},
            {"solve-base", "position", "lengths to find bases for, numbers a/b/c", &options_.solve_base, between(2, 0x1p40)},
            {"tuned-base", "1", "bases of tuned models for tuned_extent", &options_.tuned_base, above(1)},
            {"stability", "1", "least cosines of the slowest pair for stability_base", &options_.stability,
             Range{.low = 0, .high = 1, .open_low = true, .open_high = true}},
            {"layers", "1", "layers of stability_base_deep", &options_.layers, between(1, 100000)}};
  }

  Schema schema(const Subject& s) const override {
    const ContextPlan plan(s);
    Schema out;
    declare_context_curve(plan, out);
    declare_context_laws(plan, options_, out);
    declare_context_bands(plan, out);
    declare_context_bases(plan, options_, out);
    return out;
  }
  void run(const Subject& s, Sink& sink) const override {
    const ContextPlan plan(s);
    write_context_curve(plan, sink);
    write_context_laws(plan, options_, sink);
    write_context_bands(plan, sink);
    write_context_bases(plan, options_, sink);
  }

 private:
  ContextOptions options_;
};

}  // namespace

std::unique_ptr<Analysis> make_context() { return std::make_unique<Context>(); }

}  // namespace posenc::analyses
