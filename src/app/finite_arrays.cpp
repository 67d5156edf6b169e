#include "app/finite_arrays.hpp"

#include "app/passing_sink.hpp"
#include "core/error.hpp"
#include "model/views/arrays.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace posenc::app {
namespace {

bool refused(const Variable& v, double x) {
  return std::isinf(x) || (std::isnan(x) && v.about.find("NaN") == std::string_view::npos);
}

void check(const Entry& entry, const Variable& v, std::span<const double> values) {
  if (std::none_of(values.begin(), values.end(), [&](double x) { return refused(v, x); })) return;
  std::vector<std::string> given;
  for (const auto& [key, value] : entry.spec.values) given.push_back(key + " = " + value);
  throw UsageError(fmt::format("{}: {}{}the array {} is not finite", entry.spec.scheme, fmt::join(given, ", "),
                               given.empty() ? "" : ": ", v.name));
}

class FiniteSink : public PassingSink {
 public:
  FiniteSink(const Entry& entry, const Schema& schema, std::unique_ptr<Sink> next)
      : PassingSink(std::move(next)), entry_(entry), schema_(schema) {}
  void write(std::string_view variable, std::uint64_t first_row, std::span<const double> rows) override {
    look(variable, rows);
    PassingSink::write(variable, first_row, rows);
  }
  void write_elements(std::string_view variable, std::uint64_t first_element, std::span<const double> values) override {
    look(variable, values);
    PassingSink::write_elements(variable, first_element, values);
  }

 private:
  void look(std::string_view variable, std::span<const double> values) const {
    if (const Variable* v = schema_.variable(variable)) check(entry_, *v, values);
  }
  const Entry& entry_;
  const Schema& schema_;
};

}  // namespace

void refuse_infinite_arrays(const Entry& entry, const model::Request& request) {
  if (entry.spec.values.empty()) return;
  for (const model::ArrayGroup& g : model::arrays(entry.scheme->lower(request.in_use()), request)) {
    const Schema shape{g.dims, {}, {}, {}};
    const std::uint64_t row = shape.row_size(g.variables[0]), rows = shape.rows(g.variables[0]);
    const auto count = static_cast<model::Pos>(g.by_element ? rows * row : rows);
    std::vector<std::vector<double>> values(g.variables.size(), std::vector<double>(g.by_element ? 1 : row));
    std::vector<double*> out;
    for (auto& v : values) out.push_back(v.data());
    for (const model::Pos at : {model::Pos{0}, count - 1}) {
      if (at < 0 || at >= count) continue;
      g.fill(at, 1, out);
      for (std::size_t i = 0; i < values.size(); ++i) check(entry, g.variables[i], values[i]);
    }
  }
}

std::unique_ptr<Sink> finite_sink(const Entry& entry, const Schema& schema, std::unique_ptr<Sink> next) {
  return std::make_unique<FiniteSink>(entry, schema, std::move(next));
}

}  // namespace posenc::app
