#pragma once
// tests: writes GGUF files (ggml-org/ggml docs/gguf.md), little-endian.
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace posenc::test {

class GgufBytes {
 public:
  template <class Number>
  static std::string raw(Number v) {
    char out[sizeof v];
    std::memcpy(out, &v, sizeof v);
    return {out, sizeof v};
  }
  static std::string counted(const std::string& s) { return raw<std::uint64_t>(s.size()) + s; }

  /// A key with its type and the bytes of its value.
  GgufBytes& pair(const std::string& key, std::uint32_t type, const std::string& value) {
    keys_ += counted(key) + raw(type) + value;
    ++key_count_;
    return *this;
  }
  GgufBytes& u32(const std::string& key, std::uint32_t v) { return pair(key, 4, raw(v)); }
  GgufBytes& f32(const std::string& key, float v) { return pair(key, 6, raw(v)); }
  GgufBytes& flag(const std::string& key, bool v) { return pair(key, 7, std::string(1, v ? '\1' : '\0')); }
  GgufBytes& text(const std::string& key, const std::string& v) { return pair(key, 8, counted(v)); }
  static std::string list(std::uint32_t type, std::uint64_t n, const std::string& items) { return raw(type) + raw(n) + items; }
  GgufBytes& numbers(const std::string& key, const std::vector<std::int32_t>& values) {
    std::string items;
    for (const auto v : values) items += raw(v);
    return pair(key, 9, list(5, values.size(), items));
  }
  GgufBytes& flags(const std::string& key, const std::vector<bool>& values) {
    std::string items;
    for (const bool v : values) items += v ? '\1' : '\0';
    return pair(key, 9, list(7, values.size(), items));
  }

  /// A tensor: dimensions in the file's order, fastest first.
  GgufBytes& tensor(const std::string& name, const std::vector<std::uint64_t>& dims, std::uint32_t type,
                    const std::string& data) {
    data_.resize((data_.size() + unit_ - 1) / unit_ * unit_, '\0');
    tensors_ += counted(name) + raw<std::uint32_t>(static_cast<std::uint32_t>(dims.size()));
    for (const auto n : dims) tensors_ += raw(n);
    tensors_ += raw(type) + raw<std::uint64_t>(data_.size());
    data_ += data;
    ++tensor_count_;
    return *this;
  }
  GgufBytes& factors(const std::string& name, const std::vector<double>& values) {
    std::string data;
    for (const double v : values) data += raw(static_cast<float>(v));
    return tensor(name, {values.size()}, 0, data);
  }
  GgufBytes& aligned(std::size_t unit) {
    unit_ = unit;
    return u32("general.alignment", static_cast<std::uint32_t>(unit));
  }

  std::string bytes(std::uint32_t version = 3) const {
    std::string out = "GGUF" + raw(version) + raw(tensor_count_) + raw(key_count_) + keys_ + tensors_;
    if (tensor_count_ > 0) out.resize((out.size() + unit_ - 1) / unit_ * unit_, '\0');
    return out + data_;
  }

 private:
  std::string keys_, tensors_, data_;
  std::uint64_t key_count_ = 0, tensor_count_ = 0;
  std::size_t unit_ = 32;
};

/// The keys that every model has; `heads` of head_dim = width / heads.
inline GgufBytes gguf_model(const std::string& architecture, std::uint32_t length, std::uint32_t width, std::uint32_t heads) {
  GgufBytes out;
  out.text("general.architecture", architecture).text("general.type", "model");
  out.u32(architecture + ".context_length", length).u32(architecture + ".embedding_length", width);
  return out.u32(architecture + ".attention.head_count", heads);
}

}  // namespace posenc::test
