#pragma once
// app: every scalar measure of every encoding, gathered while the analyses write: the /summary group, the table on the
// terminal and the JSON at the end.
#include "app/work.hpp"

#include <map>

namespace posenc::app {

/// A scalar of one analysis: a variable without dimensions, or with head, factor or both.
struct Measure {
  std::string analysis, variable;
  std::string name;  // in the summary: the variable's, with the analysis in front where an earlier analysis has it
  std::string unit, about;
  bool by_factor = false;
  bool plain = false, per_head = false;  // some encoding has it without, some with heads
};

/// Names of the measures that say most about an encoding, the first ones first: columns of the tables for reading.
std::span<const std::string_view> telling_measures();

/// Whether a variable belongs to the summary.
bool is_measure(const Variable& variable);

class Summary {
 public:
  /// `schemas[a][e]` is analysis a of encoding e, in the order of `work`, which must outlive this object.
  Summary(const Work& work, const std::vector<std::vector<Schema>>& schemas);

  /// Keeps `values`, elements `first` on in C order, of a measure or of the coordinate `factor`.
  void keep(std::size_t analysis, std::size_t entry, std::string_view variable, std::uint64_t first,
            std::span<const double> values);

  /// One row an encoding: (encoding) or (encoding, factor). A measure that some encoding has by head is also there as _mean,
  /// _min and _max, which equal the value where there are no heads; the plain one is NaN where there are.
  Schema schema() const;
  void write(Sink& sink) const;

  const std::vector<Measure>& measures() const { return measures_; }
  /// One number an encoding: of heads the mean, of factors the last; NaN where it has none.
  double headline(const Measure& measure, std::size_t entry) const;
  /// All numbers of a measure, one of measures(), in C order of `dims(measure, entry)`; empty where the encoding has none.
  std::vector<double> values(const Measure& measure, std::size_t entry) const;
  std::vector<std::string> dims(const Measure& measure, std::size_t entry) const;
  const Work& work() const { return work_; }

 private:
  enum class Over { single, mean, least, most };
  struct Column {
    std::string name, about;
    const Measure* measure;
    Over over;
  };
  using Key = std::pair<std::size_t, std::size_t>;
  std::vector<Column> columns() const;
  std::vector<double> factors() const;
  const std::vector<double>* factors_of(const Measure& measure, std::size_t entry) const;
  double reduced(const Measure& measure, std::size_t entry, std::optional<double> factor, Over over) const;

  const Work& work_;
  std::vector<Measure> measures_;
  std::map<Key, std::vector<std::string>> dims_;  // measure, entry
  std::map<Key, std::vector<double>> cells_;      // measure, entry
  std::map<Key, std::vector<double>> factors_;    // analysis, entry
  std::size_t factor_count_ = 0;                  // of the schemas, before anything is written
};

}  // namespace posenc::app
