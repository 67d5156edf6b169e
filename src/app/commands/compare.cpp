#include "app/command.hpp"
#include "app/comparison.hpp"
#include "app/encodings.hpp"
#include "app/tables.hpp"
#include "app/work.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdio>
#include <memory>

namespace posenc::app {
namespace {

/// "full_attention" of "gemma-3.full_attention"; empty for an encoding that is no layer type.
std::string layer(const model::EncodingSpec& spec) {
  const auto dot = spec.label.rfind('.');
  return dot == std::string::npos ? std::string() : spec.label.substr(dot + 1);
}

using Pairs = std::vector<std::pair<const model::EncodingSpec*, const model::EncodingSpec*>>;

/// One encoding against every layer type of the other, or layer types of the same name.
Pairs paired(const std::vector<model::EncodingSpec>& a, const std::vector<model::EncodingSpec>& b) {
  Pairs out;
  if (a.size() == 1 || b.size() == 1) {
    for (const auto& x : a)
      for (const auto& y : b) out.emplace_back(&x, &y);
    return out;
  }
  for (const auto& x : a) {
    const auto y = std::find_if(b.begin(), b.end(), [&](const auto& other) { return layer(other) == layer(x); });
    if (y == b.end()) throw UsageError(fmt::format("compare: {}: the other model has no layer type of that name", x.label));
    out.emplace_back(&x, &*y);
  }
  for (const auto& y : b)
    if (std::none_of(a.begin(), a.end(), [&](const auto& x) { return layer(x) == layer(y); }))
      throw UsageError(fmt::format("compare: {}: the other model has no layer type of that name", y.label));
  return out;
}

class Compare : public Command {
 public:
  CommandInfo info() const override {
    return {"compare",
            "two encodings, models or tables: how far apart, and from where on",
            "Largest difference of every array (frequencies, cosines and sines, tables, biases, relative vectors) and the first "
            "element beyond the tolerance; whether the one is the other in another channel layout, with the order of channels; "
            "whether scores stay relative while a sequence grows. Layer types are matched by name. Exit code 1 where they differ.",
            {{"posenc compare rope rope:layout=interleaved", "the same kernel, channels in another order"},
             {"posenc compare @llama-3.1-8b config.json --length 128k", "a file against what it should be"},
             {"posenc compare rope yarn:factor=4 --json", "for programs"}}};
  }
  std::vector<Argument> arguments() override {
    return {{"A", "NAME[:key=value,...], @PRESET, a model's file or a table's", 2, 2, &words_}};
  }
  std::vector<OptionGroup> options() override {
    Fields request = request_.fields();
    std::erase_if(request, [](const Field& f) { return f.name != "length" && f.name != "at" && f.name != "start" && f.name != "seed"; });
    return {{"Options", "compare",
             {{"tolerance", "1", "largest difference that counts as equal: absolute, of frequencies relative", &tolerance_, at_least(0)}}},
            {"Lengths and seeds", "compare", std::move(request)},
            {"Fields of every encoding", "compare", overrides_.fields()}};
  }
  Exit run(const Globals& globals) override {
    check_positions("compare", request_);
    const Expanded first = expand({words_[0]}, overrides_), second = expand({words_[1]}, overrides_);
    const Tables tables;
    std::vector<Comparison> all;
    for (const auto& [a, b] : paired(first.specs, second.specs)) {
      Entry x = resolve(*a, request_, tables), y = resolve(*b, request_, tables);
      if (x.spec.label == y.spec.label) x.spec.label = words_[0], y.spec.label = words_[1];
      all.push_back(compare(x, y, request_, tolerance_));
    }
    if (globals.json)
      fmt::print("{}\n", json(all, tolerance_));
    else if (!globals.quiet)
      for (const Comparison& c : all) std::fputs(text(c, tolerance_).c_str(), stdout);
    const bool differ = std::any_of(all.begin(), all.end(), [](const Comparison& c) { return c.agreement == Agreement::different; });
    return differ ? Exit::check_failed : Exit::ok;
  }

 private:
  std::vector<std::string> words_;
  model::Request request_;
  Overrides overrides_;
  double tolerance_ = 1e-9;
};

}  // namespace

std::unique_ptr<Command> make_compare() { return std::make_unique<Compare>(); }

}  // namespace posenc::app
