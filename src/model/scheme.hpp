#pragma once
// model: the open interface of positional schemes. A scheme is one source file and one line in schemes.def.
#include "core/field.hpp"
#include "model/encoding.hpp"
#include "model/tensor.hpp"

namespace posenc::model {

/// What a scheme may use to fill its derived defaults.
struct Context {
  Pos length = 4096;                    // positions asked for: the training length where the scheme has none of its own
  std::uint64_t seed = 0;               // of drawn parameters
  const TableLoader* tables = nullptr;  // never null when a scheme is resolved by the program
};

/// A scheme by name with its parameters as text, from the command line, a preset, a plan or a model's file: one plain value.
struct EncodingSpec {
  std::string scheme, label;            // label empty: automatic
  std::vector<std::pair<std::string, std::string>> values;
};

struct SchemeInfo {
  std::string_view name;      // the user's word, with -
  std::string_view title;     // one line
  std::string_view formula;   // the definition in plain text
  std::string_view source;    // paper (arXiv id), equation; repository where the code decides
};

class Scheme {
 public:
  virtual ~Scheme() = default;
  virtual SchemeInfo info() const = 0;

  /// Own fields and the common ones, pointing into this object.
  Fields fields() {
    Fields all = own_fields();
    all.push_back({"original", "position", "training length, before any extension", &original_, Range{.low = 1, .high = 0x1p53}, "length"});
    return all;
  }
  /// Fills derived defaults and checks rules across fields. Call once, before lower(). Throws UsageError, or BadData for a file.
  void resolve(const Context& context) {
    prepare(context);
    if (!original_) original_ = context.length;
    finish(context);
  }
  Pos train_length() const { return original_.value(); }

  /// The encoding in use at `sequence` tokens; sequence 0: as trained, before any extension (factor 1).
  virtual Encoding lower(Pos sequence) const = 0;

 protected:
  virtual Fields own_fields() = 0;
  virtual void prepare(const Context&) {}   // before the training length is known: files that fix it
  virtual void finish(const Context&) {}    // after
  std::optional<Pos> original_;
};

}  // namespace posenc::model
