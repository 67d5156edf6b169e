#include "io/output_file.hpp"

#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/attributes.hpp"
#include "io/group_writer.hpp"
#include "io/schema_rules.hpp"
#include "io/standard_stream.hpp"

#include <fmt/format.h>
#include <exception>
#include <optional>

namespace posenc::io {

class OutputFile::State {
 public:
  State(std::string path, OutputOptions options);
  ~State();

  std::shared_ptr<GroupWriter> open(const std::string& path, const Schema& schema);
  void close(GroupWriter& group) noexcept;
  void commit();

  /// Runs one use of the library; a Failure in it poisons the file and becomes an Error that names it.
  template <class Work>
  auto use(Work&& work) {
    const LibraryLock lock;
    if (health_.poisoned) throw Error(Exit::io, cannot_write(reason_));
    try {
      return work();
    } catch (const Failure& failure) {
      poison(failure.what());
      throw Error(Exit::io, cannot_write(reason_));
    }
  }

  const Handle& file() const { return file_; }
  bool poisoned() const { return health_.poisoned; }

 private:
  std::string cannot_write(std::string_view reason) const {
    return target_ ? fmt::format("cannot write '{}': {}; any previous '{}' is unchanged", path_, reason, path_)
                   : fmt::format("cannot write the temporary file in '{}': {}", spool_->folder(), reason);
  }
  void poison(const std::string& reason) {
    health_.poisoned = true;
    reason_ = reason;
    if (target_) target_->discard();
  }

  std::string path_;
  OutputOptions options_;
  std::optional<AtomicFile> target_;
  std::optional<Spool> spool_;  // in its place for standard output
  Health health_;
  std::string reason_;  // of the first failure
  Handle file_;
  ChunkQueue queue_;
  std::vector<std::string> paths_;
  std::vector<std::shared_ptr<GroupWriter>> open_;
  std::exception_ptr broken_;  // the first error met while a sink was destroyed
};

class OutputFile::GroupSink : public Sink {
 public:
  GroupSink(State& state, std::shared_ptr<GroupWriter> group) : state_(state), group_(std::move(group)) {}
  ~GroupSink() override { state_.close(*group_); }

  void write(std::string_view variable, std::uint64_t first_row, std::span<const double> rows) override {
    throw_if_stop_requested();
    state_.use([&] { group_->variable(variable).write(first_row, rows); });
  }
  void write_elements(std::string_view variable, std::uint64_t first_element, std::span<const double> values) override {
    throw_if_stop_requested();
    state_.use([&] { group_->variable(variable).write_elements(first_element, values); });
  }
  void write_text(std::string_view variable, std::uint64_t first_row, std::span<const std::string> rows) override {
    throw_if_stop_requested();
    state_.use([&] { group_->variable(variable).write_text(first_row, rows); });
  }
  void attribute(std::string_view variable, const Attribute& value) override {
    state_.use([&] { group_->attribute(variable, value); });
  }

 private:
  State& state_;
  std::shared_ptr<GroupWriter> group_;
};

OutputFile::State::State(std::string path, OutputOptions options)
    : path_(std::move(path)), options_(options), queue_(options.deflate, options.threads) {
  if (path_ == "-") {
    refuse_terminal();
    spool_.emplace();
  } else {
    target_.emplace(path_, options_.force);
  }
  use([&] {
    const Handle creation = file_creation(), access = file_access();
    const std::string& name = target_ ? target_->partial() : spool_->path();
    file_ = Handle(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose, &health_);
  });
  if (spool_) spool_->hide();
}

// Deleted first: what closing still writes is of no use to anyone.
OutputFile::State::~State() {
  if (target_) target_->discard();
  const LibraryLock lock;
  open_.clear();
  file_ = Handle();
}

std::shared_ptr<GroupWriter> OutputFile::State::open(const std::string& path, const Schema& schema) {
  if (path.size() < 2 || path.front() != '/' || path.back() == '/' || path.find("//") != std::string::npos)
    internal_error(path, "is not an absolute path of a group");
  for (const auto& other : paths_) {
    const auto inside = [](const std::string& a, const std::string& b) { return a == b || a.rfind(b + "/", 0) == 0; };
    if (inside(path, other) || inside(other, path)) internal_error(path, fmt::format("overlaps the group '{}'", other));
  }
  open_.push_back(std::make_shared<GroupWriter>(file_, path, schema, options_.deflate, queue_));
  paths_.push_back(path);
  return open_.back();
}

void OutputFile::State::close(GroupWriter& group) noexcept {
  try {
    if (!health_.poisoned && std::uncaught_exceptions() == 0) {
      use([&] { group.finish(); });
      std::erase_if(open_, [&](const auto& g) { return g.get() == &group; });
    }
  } catch (...) {
    if (!broken_) broken_ = std::current_exception();
  }
}

void OutputFile::State::commit() {
  if (broken_) std::rethrow_exception(broken_);
  use([&] {
    for (const auto& group : open_) group->finish();
    open_.clear();
    ok(H5Fflush(file_, H5F_SCOPE_GLOBAL));
    file_.close();
  });
  if (target_)
    target_->commit();
  else
    spool_->send();
}

OutputFile::OutputFile(std::string path, OutputOptions options) : state_(std::make_unique<State>(std::move(path), options)) {}
OutputFile::~OutputFile() = default;

void OutputFile::attribute(const Attribute& value) {
  check_attribute("/", value);
  state_->use([&] { write_attribute(state_->file(), value); });
}

std::unique_ptr<Sink> OutputFile::group(const std::string& path, const Schema& schema) {
  return state_->use([&] { return std::make_unique<GroupSink>(*state_, state_->open(path, schema)); });
}

void OutputFile::commit() { state_->commit(); }
bool OutputFile::poisoned() const { return state_->poisoned(); }

}  // namespace posenc::io
