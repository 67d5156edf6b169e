#include "schemes/given_frequencies.hpp"

#include "schemes/files.hpp"
#include "schemes/frequencies.hpp"

namespace posenc::schemes {

std::vector<model::Frequency> frequency_file(const model::Context& context, std::string_view owner, std::string_view field,
                                             const std::string& file, model::Index size) {
  const model::Vector given = vector_file(context, owner, field, file, size);
  Thetas thetas;
  for (const double theta : given) thetas.emplace_back(theta);
  return frequencies(thetas);
}

}  // namespace posenc::schemes
