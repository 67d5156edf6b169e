#include "app/summary.hpp"

#include "app/collecting_sink.hpp"

#include "support/catch.hpp"
#include "support/memory_sink.hpp"

#include <cmath>
#include <limits>

using namespace posenc;
using namespace posenc::app;

namespace {

constexpr double absent = std::numeric_limits<double>::quiet_NaN();

struct Plain : model::Scheme {
  model::SchemeInfo info() const override { return {"plain", "", "", ""}; }
  model::Encoding lower(model::Pos) const override { return {}; }
  Fields own_fields() override { return {}; }
};

struct Measuring : model::Analysis {
  explicit Measuring(const char* name) : name(name) {}
  model::AnalysisInfo info() const override { return {name, "", ""}; }
  Schema schema(const model::Subject&) const override { return {}; }
  void run(const model::Subject&, Sink&) const override {}
  const char* name;
};

Entry entry(const std::string& label) {
  Entry e{{"plain", label, {}}, std::make_shared<Plain>()};
  e.scheme->resolve({256, 0, nullptr});
  return e;
}

/// peak: a scalar; slope: by head where `heads`; error: by factor, and by head and factor where `heads`; curve: no measure.
Schema schema(std::uint64_t heads) {
  Schema s;
  s.axis({"factor", 2}, Type::f64, "1", "");
  s.axis({"lag", 3}, Type::i64, "position", "");
  if (heads) s.axis({"head", heads}, Type::i64, "1", "");
  const auto dims = [&](std::vector<std::string> rest) {
    if (heads) rest.insert(rest.begin(), "head");
    return rest;
  };
  s.add({"peak", Type::f64, {}, "rad", "peak"});
  s.add({"slope", Type::f64, dims({}), "1", "slope"});
  s.add({"error", Type::f64, dims({"factor"}), "1", "error"});
  s.add({"curve", Type::f64, {"lag"}, "1", "curve"});
  return s;
}

}  // namespace

TEST_CASE("scalars of every encoding become one row each") {
  Work work{"run",
            {},
            {entry("a"), entry("b"), entry("c")},
            {std::make_shared<Measuring>("first"), std::make_shared<Measuring>("second")},
            {}};
  const std::vector<std::vector<Schema>> schemas{{schema(0), schema(2), Schema{}}, {schema(0), Schema{}, Schema{}}};
  Summary summary(work, schemas);

  const auto rope = collecting_sink(summary, 0, 0, schemas[0][0], nullptr);
  rope->write("factor", 0, std::vector<double>{2, 4});
  rope->scalar("peak", 0.5);
  rope->scalar("slope", 3);
  rope->write("error", 0, std::vector<double>{0.1, 0.2});
  rope->write("curve", 0, std::vector<double>{1, 2, 3});
  const auto alibi = collecting_sink(summary, 0, 1, schemas[0][1], nullptr);
  alibi->write("factor", 0, std::vector<double>{2, 4});
  alibi->scalar("peak", 0.25);
  alibi->write("slope", 0, std::vector<double>{1});
  alibi->write("slope", 1, std::vector<double>{4});
  alibi->write_elements("error", 0, std::vector<double>{1, 2, absent});
  alibi->write_elements("error", 3, std::vector<double>{6});
  collecting_sink(summary, 1, 0, schemas[1][0], nullptr)->scalar("peak", 7);

  const Schema s = summary.schema();
  test::MemorySink sink(s);
  summary.write(sink);
  sink.complete();

  const auto row = [&](const char* name) {
    std::vector<double> out;
    for (const char* label : {"a", "b", "c"}) out.push_back(sink.at(name, {{"encoding", label}}));
    return out;
  };
  const auto equal = [](const std::vector<double>& a, const std::vector<double>& b) {
    for (std::size_t i = 0; i < b.size(); ++i)
      if (!(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i])))) return false;
    return a.size() == b.size();
  };
  CHECK(equal(row("train_length"), {256, 256, 256}));
  CHECK(equal(row("peak"), {0.5, 0.25, absent}));
  CHECK(equal(row("slope"), {3, absent, absent}));
  CHECK(equal(row("slope_mean"), {3, 2.5, absent}));
  CHECK(equal(row("slope_min"), {3, 1, absent}));
  CHECK(equal(row("slope_max"), {3, 4, absent}));
  CHECK(equal(row("second_peak"), {7, absent, absent}));
  CHECK(sink.at("error", {{"encoding", "a"}, {"factor", 4.0}}) == 0.2);
  CHECK(sink.at("error_mean", {{"encoding", "b"}, {"factor", 2.0}}) == 1);
  CHECK(sink.at("error_mean", {{"encoding", "b"}, {"factor", 4.0}}) == 4);
  CHECK(sink.at("error_max", {{"encoding", "b"}, {"factor", 4.0}}) == 6);
  CHECK(std::isnan(sink.at("error_mean", {{"encoding", "c"}, {"factor", 4.0}})));
  CHECK(s.variable("curve") == nullptr);
  CHECK(s.variable("lag") == nullptr);
}

TEST_CASE("what is collected is passed on") {
  Work work{"run", {}, {entry("a")}, {std::make_shared<Measuring>("first")}, {}};
  const std::vector<std::vector<Schema>> schemas{{schema(0)}};
  Summary summary(work, schemas);
  struct Echo : Sink {
    explicit Echo(std::vector<std::string>& seen) : seen(seen) {}
    void write(std::string_view v, std::uint64_t, std::span<const double>) override { seen.push_back("rows " + std::string(v)); }
    void write_elements(std::string_view v, std::uint64_t, std::span<const double>) override {
      seen.push_back("elements " + std::string(v));
    }
    void write_text(std::string_view v, std::uint64_t, std::span<const std::string>) override {
      seen.push_back("text " + std::string(v));
    }
    void attribute(std::string_view v, const Attribute& a) override { seen.push_back("attribute " + std::string(v) + a.name); }
    std::vector<std::string>& seen;
  };
  std::vector<std::string> seen;
  const auto sink = collecting_sink(summary, 0, 0, schemas[0][0], std::make_unique<Echo>(seen));
  sink->scalar("peak", 1);
  sink->write_elements("curve", 0, std::vector<double>{1});
  sink->write_text("note", 0, std::vector<std::string>{"x"});
  sink->attribute("peak", {"digits", std::string("12")});
  CHECK(seen == std::vector<std::string>{"rows peak", "elements curve", "text note", "attribute peakdigits"});
}
