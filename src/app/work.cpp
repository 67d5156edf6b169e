#include "app/work.hpp"

#include "analyses/registry.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace posenc::app {
namespace {

std::string attribute_name(std::string_view field) {
  std::string out(field);
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

template <class... F>
struct overload : F... {
  using F::operator()...;
};

std::optional<AttributeValue> attribute_value(const Field& f) {
  using Value = std::optional<AttributeValue>;
  return std::visit(overload{[](const bool* b) -> Value { return std::int64_t{*b}; },
                             [](const std::int64_t* i) -> Value { return *i; }, [](const double* d) -> Value { return *d; },
                             [](const std::string* s) -> Value { return s->empty() ? Value{} : Value{*s}; },
                             [](const std::vector<double>* l) -> Value { return l->empty() ? Value{} : Value{*l}; },
                             [&](const Choice&) -> Value { return text(f); },
                             [](const std::optional<std::int64_t>* i) -> Value { return *i ? Value{**i} : Value{}; },
                             [](const std::optional<double>* d) -> Value { return *d ? Value{**d} : Value{}; }},
                    f.slot);
}

class Attributes {
 public:
  void add(std::string name, AttributeValue value) {
    const bool present = std::any_of(all.begin(), all.end(), [&](const Attribute& a) { return a.name == name; });
    if (!present) all.push_back({std::move(name), std::move(value)});
  }
  void add(const Fields& fields) {
    for (const Field& f : fields)
      if (auto value = attribute_value(f)) add(attribute_name(f.name), std::move(*value));
  }
  std::vector<Attribute> all;
};

}  // namespace

void check_positions(std::string_view owner, const model::Request& request) {
  constexpr model::Pos last = model::Pos{1} << 53;
  if (request.start > last - request.length + 1)
    reject(owner, "start", std::to_string(request.start),
           fmt::format("start + length - 1 must be <= {}, length is {}", last, request.length));
}

model::Request resolved(model::Request request) {
  request.at = request.in_use();
  request.lag_horizon = request.horizon();
  return request;
}

std::shared_ptr<model::Analysis> fresh_analysis(std::string_view name) { return analyses::registry().make(name); }

std::string group_path(const model::Analysis& analysis, const Entry& entry) {
  return fmt::format("/{}/{}", analysis.info().name, entry.spec.label);
}

Schema group_schema(const Work& work, const Entry& entry, model::Analysis& analysis) {
  Schema schema = analysis.schema(work.subject(entry));
  Attributes out;
  out.add("encoding", entry.spec.label);
  out.add("scheme", entry.spec.scheme);
  out.add(entry.scheme->fields());
  out.add("train_length", entry.scheme->train_length());
  model::Request request = resolved(work.request);
  out.add(request.fields());
  out.add(analysis.fields());
  for (auto& a : schema.attributes) out.add(a.name, a.value);
  schema.attributes = std::move(out.all);
  return schema;
}

}  // namespace posenc::app
