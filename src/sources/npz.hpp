#pragma once
// sources: NumPy's .npz files: arrays in a zip archive.
#include "model/tensor.hpp"
#include "sources/mapped_file.hpp"

namespace posenc::sources {

/// The array of that name, with or without its .npy; with an empty name the only one of the file. Stored arrays stay in the
/// mapped file, deflated ones are held in memory. Throws Error: no_input where there is no such file; BadData otherwise, with
/// the nearest name for one that is not there.
std::shared_ptr<const model::Tensor> open_npz(const std::string& path, const std::string& name);
/// The same for the bytes of such a file; `path` names them in messages.
std::shared_ptr<const model::Tensor> read_npz(const Bytes& file, const std::string& path, const std::string& name);

}  // namespace posenc::sources
