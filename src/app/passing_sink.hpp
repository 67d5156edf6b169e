#pragma once
// app: the base of sinks that watch what goes by.
#include "core/sink.hpp"

#include <memory>

namespace posenc::app {

/// Passes everything on to `next`, which may be null: then the data end here. Throws when a stop was asked for.
class PassingSink : public Sink {
 public:
  explicit PassingSink(std::unique_ptr<Sink> next) : next_(std::move(next)) {}

  void write(std::string_view variable, std::uint64_t first_row, std::span<const double> rows) override {
    throw_if_stop_requested();
    if (next_) next_->write(variable, first_row, rows);
  }
  void write_elements(std::string_view variable, std::uint64_t first_element, std::span<const double> values) override {
    throw_if_stop_requested();
    if (next_) next_->write_elements(variable, first_element, values);
  }
  void write_text(std::string_view variable, std::uint64_t first_row, std::span<const std::string> rows) override {
    throw_if_stop_requested();
    if (next_) next_->write_text(variable, first_row, rows);
  }
  void attribute(std::string_view variable, const Attribute& value) override {
    if (next_) next_->attribute(variable, value);
  }

 private:
  std::unique_ptr<Sink> next_;
};

}  // namespace posenc::app
