#pragma once
// sources: the number types that files store, read as float64.
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace posenc::sources {

enum class Element : int { f16, bf16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64 };

std::size_t bytes_of(Element type);

/// out[k] = element k at `from`, exactly; `swap` where the bytes are big-endian. A 64-bit integer beyond 2^53 that float64
/// does not hold becomes NaN, as does a stored NaN; infinities stay.
void convert(Element type, bool swap, const std::byte* from, std::span<double> out);

/// The index of the first element that is not a finite number float64 holds exactly, among `count` at `from`.
std::optional<std::size_t> first_bad(Element type, bool swap, const std::byte* from, std::size_t count);

}  // namespace posenc::sources
