#include "app/collecting_sink.hpp"

#include "app/passing_sink.hpp"

namespace posenc::app {
namespace {

class Collector : public PassingSink {
 public:
  Collector(Summary& summary, std::size_t analysis, std::size_t entry, const Schema& schema, std::unique_ptr<Sink> next)
      : PassingSink(std::move(next)), summary_(summary), analysis_(analysis), entry_(entry), schema_(schema) {}

  void write(std::string_view variable, std::uint64_t first_row, std::span<const double> rows) override {
    if (const Variable* v = kept(variable)) summary_.keep(analysis_, entry_, variable, first_row * schema_.row_size(*v), rows);
    PassingSink::write(variable, first_row, rows);
  }
  void write_elements(std::string_view variable, std::uint64_t first_element, std::span<const double> values) override {
    if (kept(variable)) summary_.keep(analysis_, entry_, variable, first_element, values);
    PassingSink::write_elements(variable, first_element, values);
  }

 private:
  const Variable* kept(std::string_view variable) const {
    const Variable* v = schema_.variable(variable);
    return v && (is_measure(*v) || variable == "factor") ? v : nullptr;
  }

  Summary& summary_;
  std::size_t analysis_, entry_;
  const Schema schema_;
};

}  // namespace

std::unique_ptr<Sink> collecting_sink(Summary& summary, std::size_t analysis, std::size_t entry, const Schema& schema,
                                      std::unique_ptr<Sink> next) {
  return std::make_unique<Collector>(summary, analysis, entry, schema, std::move(next));
}

}  // namespace posenc::app
