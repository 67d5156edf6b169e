#include "core/error.hpp"
#include "core/field.hpp"
#include "sources/array.hpp"
#include "sources/gguf.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace posenc::sources {
namespace {

struct Type {
  std::uint32_t number;
  std::string_view word;
  std::optional<Element> element;  // none: quantised in blocks
};
// ggml-org/ggml include/ggml.h, enum ggml_type.
constexpr Type types[] = {{0, "F32", Element::f32},
                          {1, "F16", Element::f16},
                          {2, "Q4_0", {}},
                          {3, "Q4_1", {}},
                          {6, "Q5_0", {}},
                          {7, "Q5_1", {}},
                          {8, "Q8_0", {}},
                          {9, "Q8_1", {}},
                          {10, "Q2_K", {}},
                          {11, "Q3_K", {}},
                          {12, "Q4_K", {}},
                          {13, "Q5_K", {}},
                          {14, "Q6_K", {}},
                          {15, "Q8_K", {}},
                          {16, "IQ2_XXS", {}},
                          {17, "IQ2_XS", {}},
                          {18, "IQ3_XXS", {}},
                          {19, "IQ1_S", {}},
                          {20, "IQ4_NL", {}},
                          {21, "IQ3_S", {}},
                          {22, "IQ2_S", {}},
                          {23, "IQ4_XS", {}},
                          {24, "I8", Element::i8},
                          {25, "I16", Element::i16},
                          {26, "I32", Element::i32},
                          {27, "I64", Element::i64},
                          {28, "F64", Element::f64},
                          {29, "IQ1_M", {}},
                          {30, "BF16", Element::bf16},
                          {34, "TQ1_0", {}},
                          {35, "TQ2_0", {}},
                          {39, "MXFP4", {}}};

}  // namespace

std::shared_ptr<const model::Tensor> gguf_array(const GgufFile& file, const GgufTensor& t) {
  const std::string full = file.path + "#" + t.name;
  const auto* const type =
      std::find_if(std::begin(types), std::end(types), [&](const Type& known) { return known.number == t.type; });
  if (type == std::end(types) || !type->element)
    throw BadData(fmt::format("{}: type = {}: must be F32, F16, BF16, F64 or an integer, not quantised", full,
                              type == std::end(types) ? std::to_string(t.type) : std::string(type->word)));
  ArrayFacts facts{.type = *type->element, .shape = t.shape};
  facts.offset = file.data + static_cast<std::size_t>(t.offset);
  return array_in(file.bytes, std::move(facts), full);
}

std::shared_ptr<const model::Tensor> open_gguf(const std::string& path, const std::string& name) {
  const GgufFile file = read_gguf(map_file(path), path);
  if (name.empty() && file.tensors.size() != 1)
    throw BadData(fmt::format("{}: holds {} arrays: name one as {}#NAME", path, file.tensors.size(), path));
  if (const GgufTensor* found = name.empty() ? &file.tensors[0] : file.find(name)) return gguf_array(file, *found);
  std::vector<std::string_view> names;
  for (const GgufTensor& t : file.tensors) names.push_back(t.name);
  const std::string_view near = nearest(name, names);
  throw BadData(fmt::format("{}: holds no array {}{}", path, name, near.empty() ? "" : fmt::format("; did you mean {}?", near)));
}

}  // namespace posenc::sources
