#pragma once
// bench: a table of any length written through the program's own file writer; the memory test writes the same.
#include "io/output_file.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace posenc::bench {

inline constexpr std::uint64_t channels = 128, rows_at_once = 1024;  // 1 MiB of doubles

/// rows_at_once rows of a sinusoidal table.
inline std::vector<double> table_block() {
  std::vector<double> block(rows_at_once * channels);
  for (std::size_t i = 0; i < block.size(); ++i)
    block[i] = std::sin(static_cast<double>(i / channels) * std::pow(1e4, -static_cast<double>(i % channels) / channels));
  return block;
}

/// `rows`, a multiple of rows_at_once, of that block again and again, with both coordinates.
inline void write_table(const std::string& path, std::uint64_t rows, Type type, io::OutputOptions options) {
  options.force = true;
  Schema s;
  s.axis({"position", rows}, Type::i64, "position", "position");
  s.axis({"channel", channels}, Type::i64, "1", "channel");
  s.add({"table", type, {"position", "channel"}, "1", "table"});
  io::OutputFile file(path, options);
  const auto block = table_block();
  {
    const auto sink = file.group("/encodings/table", s);
    std::vector<double> index(rows_at_once);
    for (std::uint64_t c = 0; c < channels; ++c) index[c] = static_cast<double>(c);
    sink->write("channel", 0, {index.data(), channels});
    for (std::uint64_t m = 0; m < rows; m += rows_at_once) {
      for (std::uint64_t i = 0; i < rows_at_once; ++i) index[i] = static_cast<double>(m + i);
      sink->write("position", m, index);
      sink->write("table", m, block);
    }
  }
  file.commit();
}

}  // namespace posenc::bench
