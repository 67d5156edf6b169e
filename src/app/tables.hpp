#pragma once
// app: tables from whatever file holds them; joins sources and io.
#include "model/tensor.hpp"

namespace posenc::app {

/// FILE or FILE#NAME: an HDF5 dataset (.h5, .hdf5: FILE.h5#/path/to/dataset), or what sources/loader.hpp opens. A name that
/// begins with @ is looked for in the data that comes with the program: @trained/learned.wpe.npy.
class Tables : public model::TableLoader {
 public:
  std::shared_ptr<const model::Tensor> open(const std::string& file) const override;
};

}  // namespace posenc::app
