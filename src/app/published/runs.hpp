#pragma once
// app: the runs behind published numbers: each distinct analysis of an encoding under its options, once.
#include "app/globals.hpp"
#include "app/published/list.hpp"
#include "core/schema.hpp"

#include <map>
#include <set>

namespace posenc::io {
class OutputFile;
}

namespace posenc::app {

/// What one run wrote, as far as somebody asks for it.
struct KeptRun {
  std::string path;  // of its group in an output file
  Schema schema;
  std::map<std::string, std::vector<double>, std::less<>> numbers;
  std::map<std::string, std::vector<std::string>, std::less<>> words;
  std::vector<Attribute> attributes;  // of the group
  std::string failure;                // why there is nothing, in one line; empty where there is
};

class PublishedRuns {
 public:
  void need(const Operand& operand);
  /// Runs everything needed, each into `file` too where it is given. What cannot be run is kept with its failure. Throws Error
  /// where the file cannot be written, or when a stop was asked for.
  void compute(io::OutputFile* file, const Globals& globals);
  const KeptRun& of(const Operand& operand) const;
  std::size_t size() const { return runs_.size(); }

 private:
  struct Run {
    Operand wanted;
    std::set<std::string> variables;
    KeptRun kept;
  };
  static std::string key(const Operand& operand);
  std::map<std::string, std::size_t> index_;
  std::vector<Run> runs_;  // in the order in which they were asked for
};

}  // namespace posenc::app
