#pragma once
// tests: arrays as .npy files, and what identify says of them.
#include "cli/program.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

namespace posenc::test {

/// A C-order array as .npy, version 1; Number is double or float.
template <class Number>
void write_npy(const std::filesystem::path& file, int rows, int columns, const std::function<Number(int, int)>& value) {
  std::string shape = rows == 1 ? std::to_string(columns) + "," : std::to_string(rows) + ", " + std::to_string(columns);
  std::string header =
      std::string("{'descr': '<f") + (sizeof(Number) == 8 ? "8" : "4") + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  header.resize((10 + header.size() + 64) / 64 * 64 - 10, ' ');
  header.back() = '\n';
  std::string bytes = "\x93NUMPY\x01";
  bytes += '\0', bytes += static_cast<char>(header.size() & 255), bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      const Number x = value(i, j);
      bytes.append(reinterpret_cast<const char*>(&x), sizeof x);
    }
  write_file(file, bytes);
}

/// The first explanation, with the precision and the storage of the whole.
inline nlohmann::json best(const Folder& folder, const std::string& arguments, int code = 0) {
  const auto out = folder.run("identify " + arguments + " --json");
  INFO(arguments << " " << out.err);
  CHECK(out.code == code);
  nlohmann::json all = nlohmann::json::parse(out.out);
  nlohmann::json first = all["explanations"].empty() ? nlohmann::json::object() : all["explanations"][0];
  first["precision"] = all["precision"], first["stored"] = all["stored"];
  return first;
}

inline double theta(int i, int pairs, double base) { return std::pow(base, -static_cast<double>(i) / pairs); }

}  // namespace posenc::test
