#pragma once
// sources: tables by file name.
#include "model/tensor.hpp"

namespace posenc::sources {

/// Opens FILE or FILE#NAME by its suffix. A name without a folder that is not in the working directory is looked for in
/// `folders`, in order.
class FileLoader : public model::TableLoader {
 public:
  explicit FileLoader(std::vector<std::string> folders = {}) : folders_(std::move(folders)) {}
  std::shared_ptr<const model::Tensor> open(const std::string& file) const override;

 private:
  std::string find(const std::string& path) const;
  std::vector<std::string> folders_;
};

/// Whether a file of that name holds tables, by its suffix.
bool is_table(std::string_view file);

}  // namespace posenc::sources
