#pragma once
// app: the published numbers that come with the program, data/published, one file a paper.
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace posenc::app {

/// Coordinates from <= x < below.
struct CoordinateRange {
  double from = -std::numeric_limits<double>::infinity(), below = std::numeric_limits<double>::infinity();
};
using Where = std::variant<double, std::string, CoordinateRange>;

/// Elements of one variable of one run: `at` fixes or restricts dimensions, the others are taken whole.
struct Operand {
  std::string analysis, encoding;                            // an encoding as on the command line
  std::vector<std::pair<std::string, std::string>> options;  // of the request or of the analysis
  std::string variable;
  bool attribute = false;  // `variable` names an attribute of the group
  std::vector<std::pair<std::string, Where>> at;
};

/// Element by element with the second operand: a - b, a / b, a / b - 1.
enum class Combine { none, difference, ratio, relative_difference };
/// From the elements to one number. argmax to last give a coordinate: of the largest or smallest element, or of the first or
/// last that is above or below the threshold. count: elements above or below it. spearman: see truth.hpp.
enum class Reduce { one, max, min, argmax, argmin, mean, median, sum, count, first, last, spearman };

/// How a number is known: computed by anyone alike, printed in a paper, by its distribution over seeds, or as far as the
/// solver allows.
enum class NumberClass { exact, published, seed, solver };

struct PublishedNumber {
  std::string name, source, note;
  NumberClass kind = NumberClass::exact;
  Operand ours;
  std::optional<Operand> against;
  Combine combine = Combine::none;
  bool magnitude = false;  // of the elements, before they are reduced
  Reduce reduce = Reduce::one;
  std::optional<double> above, below;   // thresholds of count, first and last
  double power = 1, scale = 1;          // ours = scale * reduced^power
  std::string without;                  // spearman: the family of encodings left out
  double value = 0, low = 0, high = 0;  // met where low <= ours <= high
  std::string tolerance;                // in words
  std::string unmet;                    // why the published number cannot be met; empty where it can
  bool main = false;                    // in the table of the README
};

/// An encoding of a trained model and its measured losses, by the words of the file of losses.
struct TruthUnit {
  std::string scheme, variant, family, encoding;
};
struct Truth {
  std::string losses;  // file below the data folder
  std::vector<std::pair<std::string, std::string>> options;
  std::vector<TruthUnit> units;
};

struct PublishedPaper {
  std::string stem, title, source;
  std::vector<PublishedNumber> numbers;  // lists of the file taken apart
  std::optional<Truth> truth;
};

/// Stems of the files in `folder`, sorted.
std::vector<std::string> published_stems(const std::string& folder);
/// The files named; all where `stems` is empty. Throws UsageError for an unknown name, with the nearest; BadData "FILE:LINE:
/// rule" for a file that breaks one.
std::vector<PublishedPaper> read_published(const std::string& folder, const std::vector<std::string>& stems);

}  // namespace posenc::app
