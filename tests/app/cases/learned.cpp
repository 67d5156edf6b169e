#include "model/views/arrays.hpp"
#include "model/views/traits.hpp"
#include "sources/config.hpp"
#include "support/cases.hpp"

namespace posenc::test {
namespace {

using model::Pos;

/// Rows that these positions read.
std::vector<double> rows_read(const std::string& encoding, const std::vector<Pos>& positions) {
  const model::Encoding e = scheme(encoding)->lower(0);
  std::vector<double> out;
  for (const Pos p : positions) out.push_back(static_cast<double>(model::form<model::AbsoluteTable>(e)->row(p)));
  return out;
}

/// The array `table` of `length` positions of a table whose every row holds its own number.
std::vector<double> numbers_at(const std::string& encoding, Pos rows, Pos start, Pos length) {
  MemoryLoader loader;
  nlohmann::json numbered = nlohmann::json::array();
  for (Pos r = 0; r < rows; ++r) numbered.push_back({r});
  loader.add("numbered", numbered);
  const model::Encoding e = scheme(encoding + ",table=numbered", 4096, loader)->lower(0);
  model::Request request;
  request.start = start, request.length = length;
  for (const model::ArrayGroup& g : model::arrays(e, request))
    if (g.variables[0].name == "table") {
      std::vector<double> out(g.dims[0].size);
      g.fill(0, static_cast<model::Index>(out.size()), {out.data()});
      return out;
    }
  FAIL("no table");
  return {};
}

/// Running sum of a mask of 0 and 1.
std::vector<Pos> running_sum(const std::vector<Pos>& mask) {
  std::vector<Pos> out;
  for (const Pos m : mask) out.push_back((out.empty() ? 0 : out.back()) + m);
  return out;
}

const CaseChecks checks{
    {"lrn-01",
     [](Case& c) {
       c.prose({"rule"});
       const auto mask = c.in("attention_mask").get<std::vector<Pos>>(), sum = running_sum(mask);
       std::vector<Pos> positions;  // of tokens 0, 1, ...; a pad stands before all, at -1
       for (std::size_t i = 0; i < mask.size(); ++i) positions.push_back(sum[i] * mask[i] - 1);
       c.equals("value", rows_read("learned:offset=" + c.text("offset"), positions));
     }},
    {"lrn-02",
     [](Case& c) {
       const auto s = scheme("learned:offset=" + c.text("offset") + ",original=" + c.text("max_positions"));
       c.equals("value", std::stod(field_text(*s, "rows")));
       const auto opt = sources::read_config(R"({"model_type": "opt", "hidden_size": 64, "num_attention_heads": 2,
         "max_position_embeddings": )" + c.text("max_positions") +
                                                 "}",
                                             "config.json");
       REQUIRE(opt.errors.empty());
       const auto& values = opt.layers.at(0).encoding.values;
       const auto value = [&](const char* name) {
         const auto at = std::find_if(values.begin(), values.end(), [&](const auto& v) { return v.first == name; });
         return at == values.end() ? std::string() : at->second;
       };
       c.equals("value", std::stod(value("rows")));
       CHECK(value("offset") == c.text("offset"));
     }},
    {"lrn-03",
     [](Case& c) {
       c.prose({"rule"});
       const auto ids = c.in("input_ids").get<std::vector<Pos>>();
       const Pos padding = c.in("padding_idx");
       std::vector<Pos> positions;  // tokens 0, 1, ...; a pad reads the row before that of position 0
       Pos token = 0;
       for (const Pos id : ids) positions.push_back(id == padding ? -1 : token++);
       c.equals("value", rows_read("learned:padding-index=" + c.text("padding_idx"), positions));
     }},
    {"lrn-04",
     [](Case& c) {
       std::vector<double> ours;
       for (const auto& padding : c.in("padding_idx")) {
         const auto s = scheme("learned:rows=" + c.text("rows") + ",padding-index=" + padding.dump());
         ours.push_back(static_cast<double>(s->train_length()));
       }
       c.equals("value", ours);
     }},
    {"lrn-06",
     [](Case& c) {
       c.prose({"rule"});
       const auto mask = c.in("attention_mask").get<std::vector<Pos>>();
       const auto pads = static_cast<Pos>(std::count(mask.begin(), mask.end(), 0)), tokens = static_cast<Pos>(mask.size()) - pads;
       c.equals("value_on_tokens", numbers_at("learned:offset=0", 8, 0, tokens));
       c.equals("mask_blind_arange_on_tokens", numbers_at("learned:offset=0", 8, pads, tokens));
     }},
    {"lrn-07",
     [](Case& c) {
       const Pos rows = c.in("rows");
       // More positions asked for than there are: the array ends with the table.
       const auto read = numbers_at("learned:padding-index=" + c.text("padding_idx"), rows, 0, 2 * rows);
       c.equals("usable_rows", {read.front(), read.back()});
       std::vector<double> never;
       for (Pos row = 0; row < rows; ++row)
         if (std::count(read.begin(), read.end(), static_cast<double>(row)) == 0) never.push_back(static_cast<double>(row));
       c.equals("exclude_rows", never);
     }},
    {"lrn-08",
     [](Case& c) {
       const auto packed = [&](const std::string& encoding) {  // each sequence is one of its own, from position 0 on
         std::vector<double> out;
         for (const auto& length : c.in("lengths"))
           for (const double row : numbers_at(encoding, 16, 0, length)) out.push_back(row);
         return out;
       };
       c.equals("value", packed("learned:padding-index=" + c.text("padding_idx")));
       c.equals("wrong_zero_based", packed("learned:offset=0"));
     }},
};

}  // namespace
}  // namespace posenc::test
