#pragma once
// app: how far the work is, on stderr.
#include "app/globals.hpp"
#include "core/sink.hpp"

#include <chrono>
#include <memory>
#include <string>

namespace posenc::app {

/// On a terminal one line that is rewritten at most ten times a second and erased at the end; with `always` elsewhere one
/// line for each group begun. Nothing with `never` or quiet.
class Progress {
 public:
  /// `bytes` is what all groups together will write.
  Progress(const Globals& globals, std::size_t groups, double bytes);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  void begin(const std::string& group);
  void advance(double bytes);

 private:
  void show();

  enum class Form { none, line, lines } form_ = Form::none;
  std::size_t groups_, begun_ = 0;
  double bytes_, done_ = 0;
  std::string group_;
  std::chrono::steady_clock::time_point started_, shown_{};
};

/// Passes everything on to `next`, which may be null, and reports the bytes that went through.
std::unique_ptr<Sink> progress_sink(Progress& progress, std::unique_ptr<Sink> next);

}  // namespace posenc::app
