#pragma once
// io: one group being filled. Private to this room.
#include "io/variable_writer.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace posenc::io {

class GroupWriter {
 public:
  /// Creates the group with everything its schema names. The queue must outlive the writer. Throws Failure, or
  /// Error(internal) for a schema that breaks a rule.
  GroupWriter(const Handle& file, std::string path, const Schema& schema, int deflate, ChunkQueue& queue);

  /// Throws Error(internal) for a name that the schema lacks.
  VariableWriter& variable(std::string_view name);
  void attribute(std::string_view variable, const Attribute& value);
  /// Writes what is held and closes the group; once only, later calls do nothing. Throws Failure, or Error(internal) naming
  /// an incomplete variable or two that end at different lengths of a growing dimension.
  void finish();

  const std::string& path() const { return path_; }

 private:
  void check_lengths() const;

  std::string path_;
  Handle group_;
  ChunkQueue& queue_;
  std::vector<std::unique_ptr<VariableWriter>> variables_;  // in the schema's order; the queue refers to them
  std::map<std::string, VariableWriter*, std::less<>> by_name_;
  std::map<std::string, std::vector<const VariableWriter*>> growing_;  // by dimension, its coordinate among them
};

}  // namespace posenc::io
