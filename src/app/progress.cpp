#include "app/progress.hpp"

#include "app/passing_sink.hpp"
#include "app/terminal.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdio>

namespace posenc::app {
namespace {

using clock = std::chrono::steady_clock;

class Counter : public PassingSink {
 public:
  Counter(Progress& progress, std::unique_ptr<Sink> next) : PassingSink(std::move(next)), progress_(progress) {}

  void write(std::string_view variable, std::uint64_t first_row, std::span<const double> rows) override {
    PassingSink::write(variable, first_row, rows);
    progress_.advance(static_cast<double>(rows.size_bytes()));
  }
  void write_elements(std::string_view variable, std::uint64_t first_element, std::span<const double> values) override {
    PassingSink::write_elements(variable, first_element, values);
    progress_.advance(static_cast<double>(values.size_bytes()));
  }

 private:
  Progress& progress_;
};

}  // namespace

Progress::Progress(const Globals& globals, std::size_t groups, double bytes)
    : groups_(groups), bytes_(std::max(bytes, 1.0)), started_(clock::now()) {
  if (globals.quiet || globals.progress == ProgressMode::never) return;
  if (stderr_is_terminal())
    form_ = Form::line;
  else if (globals.progress == ProgressMode::always)
    form_ = Form::lines;
}

Progress::~Progress() {
  if (form_ == Form::line && shown_ != clock::time_point{}) std::fputs("\r\x1b[K", stderr);
}

void Progress::begin(const std::string& group) {
  group_ = group;
  ++begun_;
  if (form_ == Form::lines) fmt::print(stderr, "[{}/{}] {}\n", begun_, groups_, group_);
  if (form_ == Form::line) show();
}

void Progress::advance(double bytes) {
  done_ += bytes;
  if (form_ == Form::line && clock::now() - shown_ > std::chrono::milliseconds(100)) show();
}

void Progress::show() {
  shown_ = clock::now();
  const double seconds = std::chrono::duration<double>(shown_ - started_).count();
  const double share = std::min(1.0, done_ / bytes_);
  fmt::print(stderr, "\r\x1b[K[{}/{}] {:3.0f} %  {:.0f} s  {}", begun_, groups_, 100 * share, seconds, group_);
  std::fflush(stderr);
}

std::unique_ptr<Sink> progress_sink(Progress& progress, std::unique_ptr<Sink> next) {
  return std::make_unique<Counter>(progress, std::move(next));
}

}  // namespace posenc::app
