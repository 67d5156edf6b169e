#include "analyses/ambiguity_classes.hpp"
#include "analyses/ambiguity_points.hpp"

#include <numeric>

namespace posenc::analyses {
namespace {

using namespace model;

class Ambiguity : public Analysis {
 public:
  AnalysisInfo info() const override {
    return {"ambiguity", "which positions or distances cannot be told apart",
            "Distances between the codes of positions, where the main lobe ends and how near an alias comes, how far positions "
            "stay apart under a noise floor or a storage format; for encodings that see distances alone, the classes of lags. "
            "Geometry of the code, not what a trained model reads from it."};
  }

  Fields fields() override {
    return {
        {"noise", "1", "noise floors, in units of distance (1: orthogonal codes)", &options_.noise, Range{.low = 0, .high = 1.5}},
        {"guard", "position", "lag where aliases begin", &options_.guard, between(1, 0x1p53), "the end of the main lobe"}};
  }

  Schema schema(const Subject& s) const override {
    Schema out;
    const Encoding e = s.in_use();
    declare_points(s, e, options_, out);
    declare_classes(s, e, out);
    return out;
  }

  void run(const Subject& s, Sink& sink) const override {
    const Encoding e = s.in_use();
    const Schema shape = schema(s);
    for (const char* name : {"head", "lag", "position"})
      if (const Dimension* d = shape.dimension(name)) write_counting(name, d->size, sink);
    write_points(s, e, options_, sink);
    write_classes(s, e, shape, sink);
  }

 private:
  static void write_counting(const char* name, std::uint64_t size, Sink& sink) {
    constexpr std::uint64_t block = 1 << 16;
    for (std::uint64_t first = 0; first < size; first += block) {
      std::vector<double> values(static_cast<std::size_t>(std::min(block, size - first)));
      std::iota(values.begin(), values.end(), static_cast<double>(first));
      sink.write(name, first, values);
    }
  }

  AmbiguityOptions options_;
};

}  // namespace

std::unique_ptr<Analysis> make_ambiguity() { return std::make_unique<Ambiguity>(); }

}  // namespace posenc::analyses
