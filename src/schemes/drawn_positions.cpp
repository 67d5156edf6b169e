#include "schemes/drawn_positions.hpp"

#include "math/random.hpp"

namespace posenc::schemes {

using model::Pos;

std::vector<Pos> drawn_positions(std::uint64_t seed, const char* stream, Pos number, Pos count, Pos low, Pos high) {
  // Selection sampling (Knuth 3.4.2 S): position t is taken with probability (still wanted)/(still to come).
  std::vector<double> u(static_cast<std::size_t>(high - low));
  math::uniform(math::Stream(seed, stream), static_cast<std::uint64_t>(number) << 26, u);
  std::vector<Pos> out;
  for (Pos t = low; static_cast<Pos>(out.size()) < count; ++t) {
    const auto wanted = static_cast<double>(count - static_cast<Pos>(out.size()));
    if (u[static_cast<std::size_t>(t - low)] * static_cast<double>(high - t) < wanted) out.push_back(t);
  }
  return out;
}

Pos position_of(const std::vector<Pos>& positions, Pos p) {
  const auto last = static_cast<Pos>(positions.size()) - 1;
  if (p < 0) return positions.front() + p;
  return p > last ? positions.back() + (p - last) : positions[static_cast<std::size_t>(p)];
}

}  // namespace posenc::schemes
