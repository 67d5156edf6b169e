#include "app/command.hpp"
#include "app/comparison.hpp"
#include "app/comparison_tables.hpp"
#include "app/work.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>

namespace posenc::app {
namespace {

using model::Pos;

constexpr Pos usual_length = 4096;  // where neither side brings a length

bool has_value(const model::EncodingSpec& spec, std::string_view name) {
  return std::any_of(spec.values.begin(), spec.values.end(), [&](const auto& v) { return v.first == name; });
}

/// Whether the one side's file has a table that the other model's file does not hold.
bool values_unknown(const Side& a, const model::EncodingSpec& x, const Side& b, const model::EncodingSpec& y) {
  const bool first = has_value(x, "table"), second = has_value(y, "table");
  return x.scheme == y.scheme && first != second && (first ? b : a).model.has_value();
}

class Compare : public Command {
 public:
  CommandInfo info() const override {
    return {"compare",
            "two encodings, models or tables: how far apart, and from where on",
            "Largest difference of every array (frequencies, cosines and sines, tables, biases, relative vectors) and the first "
            "element beyond the tolerance; whether the one is the other in another channel layout, with the order of channels; "
            "whether scores stay relative while a sequence grows; of two models also which layers are of which type. Compared at "
            "the lengths that the two bring along: in use at the longest, and at those they were trained at where that makes a "
            "difference. Where a GGUF file or a vector holds float32, what agrees to its rounding agrees; a vector says nothing "
            "but frequencies, the rest is taken "
            "from the other. Exit code 1 where they "
            "differ.",
            {{"posenc compare rope rope:layout=interleaved", "the same kernel, channels in another order"},
             {"posenc compare config.json model.gguf", "a conversion against what it was made from"},
             {"posenc compare @llama-3.1-8b config.json --length 128k", "a file against what it should be"},
             {"posenc compare inv_freq.npy config.json", "frequencies of a checkpoint against its configuration"},
             {"posenc compare cos.npy config.json --tolerance 1e-3", "a cache of cosines or sines against a model's rotation"},
             {"posenc compare rope yarn:factor=4 --json", "for programs"}}};
  }
  std::vector<Argument> arguments() override {
    return {{"A", "NAME[:key=value,...], @PRESET, a model's file or a table's; a vector of frequencies is a rotation by them", 1,
             1, &first_},
            {"B", "what it is compared with, likewise", 1, 1, &second_}};
  }
  std::vector<OptionGroup> options() override {
    const Range positions{.low = 1, .high = 0x1p53};
    Fields lengths{{"length", "position", "positions and lags compared", &length_, positions,
                    "the longest that either brings along, or 4096"},
                   {"at", "position", "length in use", &at_, positions, "length, and each trained length where it matters"}};
    for (Field& f : request_.fields())
      if (f.name == "start" || f.name == "seed") lengths.push_back(f);
    return {{"Options",
             "compare",
             {{"tolerance", "1", "largest difference that counts as equal: absolute, of frequencies relative", &tolerance_,
               at_least(0)}}},
            {"Lengths and seeds", "compare", std::move(lengths)},
            {"Fields of every encoding", "compare", overrides_.fields()}};
  }
  Exit run(const Globals& globals) override {
    const Side a = read_side(first_[0], overrides_), b = read_side(second_[0], overrides_);
    const LayerMatch layers = match_layers(a, b);
    tables_ = ComparisonTables({a.table, b.table});
    request_.length = length_.value_or(longest(a, b));
    check_positions("compare", request_);
    std::vector<Comparison> all;
    for (const auto& [x, y] : layers.pairs) compare_pair(a, x, b, y, all);
    if (globals.json) {
      fmt::print("{}\n", json(all, layers, tolerance_));
    } else if (!globals.quiet) {
      for (const Comparison& c : all) std::fputs(text(c, layers, tolerance_).c_str(), stdout);
      std::fputs(text(layers).c_str(), stdout);
    }
    const bool differ = layers.different() || std::any_of(all.begin(), all.end(), [](const Comparison& c) {
                          return c.agreement == Agreement::different;
                        });
    return differ ? Exit::check_failed : Exit::ok;
  }

 private:
  /// The longest length that an encoding of either brings along.
  Pos longest(const Side& a, const Side& b) const {
    model::Request usual = request_;
    usual.length = usual_length;
    std::optional<Pos> out;
    for (const Side* side : {&a, &b})
      for (std::size_t i = 0; i < side->specs.size(); ++i)
        if (const auto own = own_lengths(*side, i, usual, tables_).longest) out = std::max(out.value_or(0), *own);
    return std::min(out.value_or(usual_length), (Pos{1} << 53) - request_.start);
  }

  /// In use at the length asked for, or at the longest and before it at each trained length where one of the two changes.
  void compare_pair(const Side& a, std::size_t i, const Side& b, std::size_t k, std::vector<Comparison>& all) const {
    Entry x = resolve(a.specs[i], request_, tables_), y = resolve(b.specs[k], request_, tables_);
    if (x.spec.label == y.spec.label) x.spec.label = a.word, y.spec.label = b.word;
    const Allowance allowance{std::max(a.stored, b.stored), values_unknown(a, x.spec, b, y.spec),
                              (!a.model && has_value(x.spec, "table")) || (!b.model && has_value(y.spec, "table")), a.vector,
                              b.vector};
    std::set<Pos> lengths{at_.value_or(request_.length)};
    if (!at_ && !length_)
      for (const Entry* e : {&x, &y}) {
        const Pos trained = e->scheme->train_length();
        if (trained < request_.length &&
            (changes(x, request_, trained, request_.length) || changes(y, request_, trained, request_.length)))
          lengths.insert(trained);
      }
    for (const Pos in_use : lengths) {
      model::Request now = request_;
      now.at = in_use;
      if (!at_ && !length_) now.length = std::clamp<Pos>(in_use - now.start, 1, now.length);
      all.push_back(compare(x, y, now, tolerance_, allowance));
    }
  }

  std::vector<std::string> first_, second_;
  std::optional<std::int64_t> length_, at_;
  model::Request request_;
  Overrides overrides_;
  double tolerance_ = 1e-9;
  ComparisonTables tables_{{}};
};

}  // namespace

std::unique_ptr<Command> make_compare() { return std::make_unique<Compare>(); }

}  // namespace posenc::app
