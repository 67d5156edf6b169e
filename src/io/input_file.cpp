#include "io/input_file.hpp"

#include "core/error.hpp"
#include "io/attributes.hpp"
#include "io/crash_guard.hpp"
#include "io/input_variable.hpp"
#include "io/schema_rules.hpp"
#include "io/standard_stream.hpp"
#include "io/strings.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <system_error>

namespace posenc::io {
namespace {

[[noreturn]] void no_input(const std::string& path, std::string_view reason) {
  throw Error(Exit::no_input, fmt::format("cannot read '{}': {}", path, reason));
}

// Consecutive elements as hyperslabs: within the leading axis a partial row, whole rows, a partial row; each partial row
// likewise along the next axis.
void boxes(const std::vector<std::uint64_t>& shape, std::size_t axis, std::vector<hsize_t>& corner, std::uint64_t first,
           std::uint64_t count, const std::function<void(const std::vector<hsize_t>&, const std::vector<hsize_t>&)>& take) {
  std::uint64_t row = 1;
  for (std::size_t i = axis + 1; i < shape.size(); ++i) row *= shape[i];
  while (count > 0) {
    const std::uint64_t index = first / row, within = first % row;
    corner[axis] = index;
    std::uint64_t done = 0;
    if (within != 0 || count < row) {
      done = std::min(count, row - within);
      boxes(shape, axis + 1, corner, within, done, take);
    } else {
      std::vector<hsize_t> extent(shape.size(), 1);
      extent[axis] = count / row;
      for (std::size_t i = axis + 1; i < shape.size(); ++i) corner[i] = 0, extent[i] = shape[i];
      done = extent[axis] * row;
      take(corner, extent);
    }
    first += done;
    count -= done;
  }
}

}  // namespace

class InputFile::State {
 public:
  explicit State(std::string path);

  template <class Work>
  auto use(Work&& work) {
    const LibraryLock lock;
    const CrashGuard guard(path_);
    try {
      return work();
    } catch (const Failure& f) {
      if (f.os_error == EAGAIN || f.os_error == EWOULDBLOCK)
        throw Error(Exit::try_again, fmt::format("'{}' is locked: another program is writing it", path_));
      if (f.os_error != 0) throw Error(Exit::io, fmt::format("cannot read '{}': {}", path_, f.what()));
      throw BadData(fmt::format("'{}': {}", path_, f.what()));
    }
  }

  // Soft and external links along the way are refused.
  Handle open(const std::string& object) const;
  struct Open {
    std::string name;
    Handle dataset;
    InputVariable variable;
  };
  // Kept open until another is asked for: a chunk read in pieces is decompressed once.
  const Open& dataset(const std::string& name);
  template <class Take>
  void read_range(const Open& open, std::uint64_t first, std::uint64_t count, Take&& take) const;

  const std::string& path() const { return path_; }
  const Handle& file() const { return file_; }

 private:
  std::string path_;
  std::vector<std::byte> image_;
  Handle file_;
  Open last_;
};

InputFile::State::State(std::string path) : path_(std::move(path)) {
  const bool standard = path_ == "-";
  if (standard) {
    image_ = read_standard_input();
    if (image_.empty()) throw BadData("standard input: is empty");
  } else {
    struct stat s {};
    if (stat(path_.c_str(), &s) != 0) no_input(path_, std::generic_category().message(errno));
    if (S_ISDIR(s.st_mode)) no_input(path_, "is a folder");
    if (!S_ISREG(s.st_mode)) no_input(path_, "is not a regular file");
    if (FILE* f = std::fopen(path_.c_str(), "rb"))
      std::fclose(f);
    else
      no_input(path_, std::generic_category().message(errno));
  }
  use([&] {
    Handle access = properties(H5P_FILE_ACCESS);
#if H5_VERSION_GE(1, 12, 1) || (H5_VERSION_GE(1, 10, 7) && !H5_VERSION_GE(1, 11, 0))
    ok(H5Pset_file_locking(access, true, true));
#endif
    if (standard) {
      ok(H5Pset_fapl_core(access, std::size_t{1} << 22, false));
      ok(H5Pset_file_image(access, image_.data(), image_.size()));
      std::vector<std::byte>().swap(image_);
    } else if (ok(H5Fis_hdf5(path_.c_str())) == 0) {
      throw Failure("is not an HDF5 file", 0);
    }
    file_ = Handle(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, access), H5Fclose);
  });
}

Handle InputFile::State::open(const std::string& object) const {
  for (std::size_t end = 1; end < object.size();) {
    end = std::min(object.find('/', end + 1), object.size());
    const std::string part = object.substr(0, end);
    H5L_info_t link;
    if (H5Lget_info(file_, part.c_str(), &link, H5P_DEFAULT) < 0) throw Failure(fmt::format("has no '{}'", part), 0);
    if (link.type != H5L_TYPE_HARD) throw Failure(fmt::format("'{}' is a link to another place", part), 0);
  }
  return {H5Oopen(file_, object.c_str(), H5P_DEFAULT), H5Oclose};
}

const InputFile::State::Open& InputFile::State::dataset(const std::string& name) {
  if (last_.dataset && last_.name == name) return last_;
  last_ = Open();
  Handle object = open(name);
  if (H5Iget_type(object) != H5I_DATASET) throw Failure(fmt::format("'{}' is not a dataset", name), 0);
  InputVariable v = describe_dataset(object, name.substr(name.rfind('/') + 1));
  last_ = {name, std::move(object), std::move(v)};
  return last_;
}

template <class Take>
void InputFile::State::read_range(const Open& open, std::uint64_t first, std::uint64_t count, Take&& take) const {
  const auto& shape = open.variable.shape;
  const std::uint64_t size = open.variable.size();
  if (first > size || count > size - first)
    internal_error(path_ + ":" + open.name, fmt::format("elements {} to {} of {} asked for", first, first + count, size));
  const Handle space(H5Dget_space(open.dataset), H5Sclose);
  std::uint64_t done = 0;
  const auto box = [&](const std::vector<hsize_t>& corner, const std::vector<hsize_t>& extent) {
    hsize_t n = 1;
    for (const auto e : extent) n *= e;
    if (!shape.empty()) ok(H5Sselect_hyperslab(space, H5S_SELECT_SET, corner.data(), nullptr, extent.data(), nullptr));
    const Handle memory(H5Screate_simple(1, &n, nullptr), H5Sclose);
    take(memory, space, done, n);
    done += n;
  };
  std::vector<hsize_t> corner(shape.size(), 0);
  if (shape.empty() && count > 0) box({}, {});
  if (!shape.empty()) boxes(shape, 0, corner, first, count, box);
}

InputFile::InputFile(std::string path) : state_(std::make_unique<State>(std::move(path))) {}
InputFile::~InputFile() = default;
InputFile::InputFile(InputFile&&) noexcept = default;
const std::string& InputFile::path() const { return state_->path(); }

std::vector<std::string> InputFile::groups() const {
  return state_->use([&] {
    std::vector<std::string> out;
    const auto visit = [](hid_t, const char* name, const H5O_info_t* info, void* list) -> herr_t {
      if (info->type == H5O_TYPE_GROUP)
        static_cast<std::vector<std::string>*>(list)->push_back(name == std::string_view(".") ? "/" : fmt::format("/{}", name));
      return 0;
    };
    if (H5Ovisit2(state_->file(), H5_INDEX_CRT_ORDER, H5_ITER_INC, visit, &out, H5O_INFO_BASIC) < 0) {
      out.clear();
      ok(H5Ovisit2(state_->file(), H5_INDEX_NAME, H5_ITER_INC, visit, &out, H5O_INFO_BASIC));
    }
    return out;
  });
}

std::vector<Attribute> InputFile::attributes(const std::string& object) const {
  return state_->use([&] { return read_attributes(state_->open(object)); });
}

std::vector<InputVariable> InputFile::variables(const std::string& group) const {
  return state_->use([&] {
    const Handle object = state_->open(group);
    if (H5Iget_type(object) != H5I_GROUP) throw Failure(fmt::format("'{}' is not a group", group), 0);
    std::vector<std::string> names;
    const auto list = [](hid_t, const char* name, const H5L_info_t* link, void* out) -> herr_t {
      if (link->type == H5L_TYPE_HARD) static_cast<std::vector<std::string>*>(out)->emplace_back(name);
      return 0;
    };
    if (H5Literate(object, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, list, &names) < 0) {
      names.clear();
      ok(H5Literate(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, list, &names));
    }
    std::vector<InputVariable> out;
    for (const auto& name : names) {
      const Handle item(H5Oopen(object, name.c_str(), H5P_DEFAULT), H5Oclose);
      if (H5Iget_type(item) == H5I_DATASET) out.push_back(describe_dataset(item, name));
    }
    return out;
  });
}

InputVariable InputFile::variable(const std::string& dataset) const {
  return state_->use([&] { return state_->dataset(dataset).variable; });
}

void InputFile::read(const std::string& name, std::uint64_t first, std::span<double> out) const {
  state_->use([&] {
    const auto& open = state_->dataset(name);
    if (open.variable.kind != InputVariable::Kind::number)
      throw Failure(fmt::format("'{}' holds {}, not numbers", name, open.variable.type), 0);
    state_->read_range(open, first, out.size(), [&](const Handle& memory, const Handle& space, std::uint64_t done, hsize_t) {
      ok(H5Dread(open.dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, out.data() + done));
    });
  });
}

std::vector<std::string> InputFile::read_text(const std::string& name, std::uint64_t first, std::uint64_t count) const {
  return state_->use([&] {
    const auto& open = state_->dataset(name);
    if (open.variable.kind != InputVariable::Kind::text)
      throw Failure(fmt::format("'{}' holds {}, not text", name, open.variable.type), 0);
    const Handle type(H5Dget_type(open.dataset), H5Tclose);
    std::vector<std::string> out;
    state_->read_range(open, first, count, [&](const Handle& memory, const Handle& space, std::uint64_t, hsize_t n) {
      for (auto& s : read_strings(type, n, [&](hid_t element, void*buffer) {
             ok(H5Dread(open.dataset, element, memory, space, H5P_DEFAULT, buffer));
           }))
        out.push_back(std::move(s));
    });
    return out;
  });
}

}  // namespace posenc::io
