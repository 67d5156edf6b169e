#pragma once
// sources: NumPy's .npy files, versions 1 to 3 of the format (numpy/numpy doc/neps/nep-0001-npy-format.rst).
#include "model/tensor.hpp"
#include "sources/mapped_file.hpp"

namespace posenc::sources {

/// Float of 2, 4 or 8 bytes, bfloat16 ('<V2' as ml_dtypes writes it) and integers of 1 to 8 bytes, in either byte order and
/// either array order. Throws Error: no_input where there is no such file; BadData "FILE: field = value: rule" otherwise.
std::shared_ptr<const model::Tensor> open_npy(const std::string& path);
/// The same for the bytes of such a file; `path` names them in messages.
std::shared_ptr<const model::Tensor> read_npy(Bytes file, const std::string& path);

}  // namespace posenc::sources
