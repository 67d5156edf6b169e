#pragma once
// tests: a table loader for the .npy files of the project, so that tests of schemes and analyses do not hang on sources.
#include "core/error.hpp"
#include "model/tensor.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace posenc::test {

/// A file's name alone is looked up among the project's own tables, data/trained and data/longrope, then among the tests' data.
inline std::string table_path(const std::string& file) {
  for (const char* folder : {POSENC_DATA_DIR "/trained/", POSENC_DATA_DIR "/longrope/", POSENC_TEST_DATA "/"})
    if (std::filesystem::exists(folder + file)) return folder + file;
  return file;
}

struct NpyTensor : model::Tensor {
  std::vector<model::Pos> dims;
  std::vector<double> values;
  const std::vector<model::Pos>& shape() const override { return dims; }
  void read(model::Pos first, std::span<double> out) const override {
    std::copy_n(values.begin() + first, out.size(), out.begin());
  }
};

/// Version 1 .npy files, little-endian float32 or float64, C order.
struct NpyLoader : model::TableLoader {
  std::shared_ptr<const model::Tensor> open(const std::string& file) const override {
    const std::string path = table_path(file);
    std::ifstream in(path, std::ios::binary);
    if (!in) throw Error(Exit::no_input, fmt::format("{}: no such file", file));
    std::stringstream buffer;
    buffer << in.rdbuf();
    const std::string bytes = buffer.str();
    const auto refuse = [&](const char* why) { throw BadData(fmt::format("{}: {}", file, why)); };
    if (bytes.size() < 10 || bytes.compare(0, 6, "\x93NUMPY") != 0) refuse("not a .npy file");
    const std::size_t start = 10 + static_cast<unsigned char>(bytes[8]) + 256 * static_cast<unsigned char>(bytes[9]);
    const std::string head = bytes.substr(10, start - 10);
    const bool single = head.find("'<f4'") != std::string::npos;
    if (!single && head.find("'<f8'") == std::string::npos) refuse("must be float32 or float64");
    if (head.find("'fortran_order': False") == std::string::npos) refuse("must be in C order");
    auto tensor = std::make_shared<NpyTensor>();
    const std::size_t open_at = head.find('('), close_at = head.find(')');
    std::stringstream shape(head.substr(open_at + 1, close_at - open_at - 1));
    for (std::string item; std::getline(shape, item, ',');)
      if (item.find_first_of("0123456789") != std::string::npos) tensor->dims.push_back(std::stoll(item));
    const auto count = static_cast<std::size_t>(tensor->size());
    if (bytes.size() != start + count * (single ? 4 : 8)) refuse("size does not match the shape");
    tensor->values.resize(count);
    if (!single) std::memcpy(tensor->values.data(), bytes.data() + start, count * 8);
    std::vector<float> narrow(single ? count : 0);
    if (single) std::memcpy(narrow.data(), bytes.data() + start, count * 4);
    std::copy(narrow.begin(), narrow.end(), tensor->values.begin());
    return tensor;
  }
};

}  // namespace posenc::test
