#include "model/analysis.hpp"
#include "model/views/arrays.hpp"
#include "model/views/position_code.hpp"
#include "model/views/traits.hpp"

#include <algorithm>
#include <set>

namespace posenc::analyses {
namespace {

using namespace model;

class Encodings : public Analysis {
 public:
  AnalysisInfo info() const override {
    return {"encodings", "the arrays that define each encoding",
            "Frequencies, cosines and sines, tables, relative vectors, biases and buckets, at the length in use. Exact at any "
            "position: phases are computed in 128-bit fixed point."};
  }

  Schema schema(const Subject& s) const override {
    Schema out;
    const Encoding e = s.in_use();
    for (const ArrayGroup& g : arrays(e, s.request))
      for (const Variable& v : g.variables) {
        if (out.variable(v.name)) continue;
        for (const Dimension& d : g.dims)
          if (!out.dimension(d.name)) out.dims.push_back(d);
        out.add(v);
      }
    out.attributes.push_back({"logit_scale", e.logit_scale});
    out.attributes.push_back({"causal", std::int64_t{e.causal}});
    if (e.cosine) out.attributes.push_back({"cosine", std::int64_t{1}});
    const Traits t = traits(e);
    if (t.kind == Kind::none) out.skip("table", "the encoding has no positional term");
    if (t.kind == Kind::contextual) out.skip("table", "depends on content: " + t.contextual_needs);
    if (const auto table = table_points(e); table && table->count) {
      const Pos without = s.request.length - std::clamp<Pos>(*table->count - s.request.start, 0, s.request.length);
      if (without > 0) out.attributes.push_back({"positions_without_row", without});
    }
    if (const auto* r = form<Rotary>(e)) {
      out.attributes.push_back({"attention_factor", r->attention_factor});
      out.attributes.push_back({"head_dim", std::int64_t{r->head_dim}});
      if (r->hyperbolic)
        for (const char* name : {"frequency", "wavelength", "cos", "sin", "damping"})
          out.skip(name, "hyperbolic pairs do not turn: see rapidity, log_damping, cosh and sinh");
    }
    return out;
  }

  void run(const Subject& s, Sink& sink) const override {
    std::set<std::string> written;
    for (const ArrayGroup& g : arrays(s.in_use(), s.request)) {
      if (!written.insert(g.variables[0].name).second) continue;
      const Schema shape{g.dims, {}, {}, {}};
      const auto row = g.by_element ? Index{1} : static_cast<Index>(shape.row_size(g.variables[0]));
      const Pos rows = static_cast<Pos>(shape.rows(g.variables[0]) * shape.row_size(g.variables[0])) / row;
      // 2 MiB a variable, in multiples of 64 rows, so that a phase never depends on the split.
      const Index block = std::max<Index>(1, (Index{1} << 18) / (64 * row)) * 64;
      std::vector<std::vector<double>> values(g.variables.size());
      std::vector<double*> out;
      for (auto& v : values) v.resize(static_cast<std::size_t>(std::min<Index>(block, rows) * row)), out.push_back(v.data());
      for (Pos first = 0; first < rows; first += block) {
        const Index count = std::min<Index>(block, rows - first);
        g.fill(first, count, out);
        for (std::size_t i = 0; i < values.size(); ++i) {
          const std::span<const double> part{values[i].data(), static_cast<std::size_t>(count * row)};
          const auto at = static_cast<std::uint64_t>(first);
          g.by_element ? sink.write_elements(g.variables[i].name, at, part) : sink.write(g.variables[i].name, at, part);
        }
      }
    }
  }
};

}  // namespace

std::unique_ptr<Analysis> make_encodings() { return std::make_unique<Encodings>(); }

}  // namespace posenc::analyses
