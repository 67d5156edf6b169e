#include "schemes/registry.hpp"

namespace posenc::schemes {

#define POSENC_SCHEME(file) std::unique_ptr<model::Scheme> make_##file();
#include "schemes/schemes.def"
#undef POSENC_SCHEME

const Registry<model::Scheme>& registry() {
#define POSENC_SCHEME(file) &make_##file,
  static const Registry<model::Scheme> all("scheme", {
#include "schemes/schemes.def"
                                                     });
#undef POSENC_SCHEME
  return all;
}

}  // namespace posenc::schemes
