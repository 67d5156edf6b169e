#include "analyses/registry.hpp"

namespace posenc::analyses {

#define POSENC_ANALYSIS(file) std::unique_ptr<model::Analysis> make_##file();
#include "analyses/analyses.def"
#undef POSENC_ANALYSIS

const Registry<model::Analysis>& registry() {
#define POSENC_ANALYSIS(file) &make_##file,
  static const Registry<model::Analysis> all("analysis", {
#include "analyses/analyses.def"
                                              });
#undef POSENC_ANALYSIS
  return all;
}

}  // namespace posenc::analyses
