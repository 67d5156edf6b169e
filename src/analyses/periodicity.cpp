#include "analyses/periodicity_lag.hpp"
#include "analyses/periodicity_table.hpp"

namespace posenc::analyses {
namespace {

using namespace model;

class Periodicity : public Analysis {
 public:
  AnalysisInfo info() const override {
    return {
        "periodicity", "wavelengths, near returns and spectra",
        "Wavelengths and turns within the length, lags at which an encoding that turns comes back nearer than ever before, the "
        "common period of integer wavelengths (Wang 2024, arXiv 2403.00071), and the power spectrum and effective rank of "
        "tables. A near return is one of the code; whether a model mistakes it depends on its weights."};
  }

  Schema schema(const Subject& s) const override {
    Schema out;
    const Encoding e = s.in_use();
    declare_turning(s, e, out);
    declare_table_spectrum(s, e, out);
    return out;
  }

  void run(const Subject& s, Sink& sink) const override {
    const Encoding e = s.in_use();
    write_turning(s, e, sink);
    write_table_spectrum(s, e, sink);
  }
};

}  // namespace

std::unique_ptr<Analysis> make_periodicity() { return std::make_unique<Periodicity>(); }

}  // namespace posenc::analyses
