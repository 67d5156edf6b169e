#pragma once
// tests: an analysis of an encoding built by hand, for forms and compositions that no scheme has.
#include "analyses/registry.hpp"
#include "support/memory_sink.hpp"

namespace posenc::test {

class CustomScheme : public model::Scheme {
 public:
  CustomScheme(model::Encoding e, model::Pos train_length) : encoding_(std::move(e)) { original_ = train_length; }
  model::SchemeInfo info() const override { return {"custom", "built by a test", "", ""}; }
  model::Encoding lower(model::Pos) const override { return encoding_; }

 private:
  Fields own_fields() override { return {}; }
  model::Encoding encoding_;
};

/// `options` are those of the analysis alone.
inline MemorySink run_custom(const std::string& analysis, const model::Encoding& e, const model::Request& request,
                             const std::vector<std::pair<std::string, std::string>>& options = {}) {
  const std::unique_ptr<model::Analysis> a = analyses::registry().make(analysis);
  Fields own = a->fields();
  for (const auto& [name, value] : options) set(analysis, *find(own, name), value);
  const model::Subject s{"custom", std::make_shared<CustomScheme>(e, request.length), request};
  MemorySink sink(a->schema(s));
  a->run(s, sink);
  sink.complete();
  return sink;
}

}  // namespace posenc::test
