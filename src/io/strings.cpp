#include "io/strings.hpp"

#include "io/utf8.hpp"

#include <cstring>

namespace posenc::io {
namespace {

constexpr std::size_t longest = std::size_t{1} << 26;  // bytes of all fixed-length strings of one call

std::vector<std::string> read_fixed(const Handle& stored, std::size_t n, const std::function<void(hid_t, void*)>& read) {
  const std::size_t size = H5Tget_size(stored);
  if (size == 0) fail();
  if (size > longest / std::max<std::size_t>(n, 1)) throw Failure("strings longer than 64 MiB", 0);
  std::vector<char> buffer(size * n);
  if (n > 0) read(stored, buffer.data());
  const bool blank = H5Tget_strpad(stored) == H5T_STR_SPACEPAD;
  std::vector<std::string> out;
  for (std::size_t i = 0; i < n; ++i) {
    std::string s(&buffer[i * size], strnlen(&buffer[i * size], size));
    if (blank) s.erase(s.find_last_not_of(' ') + 1);
    out.push_back(to_utf8(s));
  }
  return out;
}

}  // namespace

std::vector<std::string> read_strings(const Handle& stored, std::size_t n, const std::function<void(hid_t, void*)>& read) {
  if (ok(H5Tis_variable_str(stored)) == 0) return read_fixed(stored, n, read);
  Handle memory(H5Tcopy(H5T_C_S1), H5Tclose);
  ok(H5Tset_size(memory, H5T_VARIABLE));
  ok(H5Tset_cset(memory, H5Tget_cset(stored)));
  std::vector<char*> pointers(n, nullptr);
  if (n > 0) read(memory, pointers.data());
  std::vector<std::string> out;
  for (char* p : pointers) {
    out.push_back(p ? to_utf8(p) : std::string());
    H5free_memory(p);
  }
  return out;
}

}  // namespace posenc::io
