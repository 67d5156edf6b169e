#pragma once
// model: the open interface of analyses. An analysis is one source file and one line in analyses.def.
#include "core/sink.hpp"
#include "model/request.hpp"
#include "model/scheme.hpp"

namespace posenc::model {

/// One resolved encoding under one request.
struct Subject {
  std::string label;
  std::shared_ptr<const Scheme> scheme;
  Request request;

  Pos train_length() const { return scheme->train_length(); }
  Encoding as_trained() const { return scheme->lower(0); }
  Encoding as_used(Pos sequence) const { return scheme->lower(sequence); }
  Encoding in_use() const { return scheme->lower(request.in_use()); }
};

struct AnalysisInfo {
  std::string_view name;   // the user's word and the group's name
  std::string_view title;  // one line
  std::string_view about;  // what it measures and what it does not, and its source
};

class Analysis {
 public:
  virtual ~Analysis() = default;
  virtual AnalysisInfo info() const = 0;
  /// Options of its own (those of Request are common), pointing into this object.
  virtual Fields fields() { return {}; }
  /// Opens the files that its fields name. Call once, after the fields are set and before schema(). Throws Error.
  virtual void open(const TableLoader&) {}
  /// Variables, shapes and what does not apply with its reason, without computing.
  virtual Schema schema(const Subject& subject) const = 0;
  /// Writes every variable of schema(subject), coordinates too.
  virtual void run(const Subject& subject, Sink& sink) const = 0;
};

}  // namespace posenc::model
