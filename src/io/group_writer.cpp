#include "io/group_writer.hpp"

#include "io/attributes.hpp"
#include "io/schema_rules.hpp"

#include <fmt/format.h>

namespace posenc::io {

GroupWriter::GroupWriter(const Handle& file, std::string path, const Schema& schema, int deflate, ChunkQueue& queue)
    : path_(std::move(path)), queue_(queue) {
  check_schema(path_, schema);
  group_ = create_group(file, path_);
  for (const Attribute& a : schema.attributes) write_attribute(group_, a);
  std::string names;
  for (const auto& [name, reason] : schema.not_applicable) {
    names += (names.empty() ? "" : " ") + name;
    write_attribute(group_, {"not_applicable_" + name, reason});
  }
  if (!names.empty()) write_attribute(group_, {"not_applicable", names});
  auto datasets = create_datasets(group_, schema, deflate);
  for (std::size_t i = 0; i < datasets.size(); ++i) {
    const Variable& v = schema.vars[i];
    variables_.push_back(
        std::make_unique<VariableWriter>(std::move(datasets[i]), path_ + "/" + v.name, schema, v, deflate, queue_));
    by_name_[v.name] = variables_.back().get();
    if (!v.dims.empty() && schema.dimension(v.dims[0])->grows) growing_[v.dims[0]].push_back(variables_.back().get());
  }
}

VariableWriter& GroupWriter::variable(std::string_view name) {
  const auto at = by_name_.find(name);
  if (at == by_name_.end()) internal_error(path_, fmt::format("no variable '{}' is declared, or the group is finished", name));
  return *at->second;
}

void GroupWriter::attribute(std::string_view name, const Attribute& value) {
  const std::string where = name.empty() ? path_ : fmt::format("{}/{}", path_, name);
  check_attribute(where, value);
  if (!group_) internal_error(where, "the group is finished");
  write_attribute(name.empty() ? group_ : variable(name).dataset(), value);
}

void GroupWriter::check_lengths() const {
  for (const auto& [dimension, along] : growing_)
    for (const VariableWriter* v : along)
      if (v->rows() != along.front()->rows())
        internal_error(v->where(), fmt::format("has {} rows along '{}' where '{}' has {}", v->rows(), dimension,
                                               along.front()->where(), along.front()->rows()));
}

void GroupWriter::finish() {
  if (!group_) return;
  for (const auto& v : variables_) v->flush();
  check_lengths();
  queue_.drain();
  for (const auto& v : variables_) v->close();
  by_name_.clear();
  growing_.clear();
  variables_.clear();
  group_.close();
}

}  // namespace posenc::io
