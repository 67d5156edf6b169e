#include "math/instruction_set.hpp"

#include "math/simd.hpp"

namespace posenc::math {

std::string_view instruction_set() { return simd::set_name; }

}  // namespace posenc::math
