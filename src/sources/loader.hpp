#pragma once
// sources: tables by file name.
#include "model/tensor.hpp"

namespace posenc::sources {

/// Opens FILE or FILE#NAME by its suffix: .npy, .csv, .npz, .gguf, .safetensors and its .index.json.
class FileLoader : public model::TableLoader {
 public:
  std::shared_ptr<const model::Tensor> open(const std::string& file) const override;
};

/// Whether a file of that name holds tables, by its suffix.
bool is_table(std::string_view file);
/// The suffixes, ", " between them.
std::string table_suffixes();

}  // namespace posenc::sources
