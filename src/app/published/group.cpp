#include "app/published/report.hpp"
#include "io/output_file.hpp"

#include <numeric>

namespace posenc::app {

void write_reproduction(const std::vector<JudgedPaper>& papers, io::OutputFile& file) {
  for (const JudgedPaper& p : papers) {
    Schema schema;
    schema.attributes = {{"title", p.paper.title}, {"source", p.paper.source}};
    schema.axis({"result", p.judged.size()}, Type::i64, "1", "index of a published number");
    const auto text = [&](const char* name, const char* about) { schema.add({name, Type::text, {"result"}, "1", about, {}}); };
    const auto real = [&](const char* name, const char* about) { schema.add({name, Type::f64, {"result"}, "1", about, {}}); };
    text("name", "what the number is");
    text("class", "exact, published, seed or solver");
    real("published", "the published number; NaN where only bounds are");
    real("ours", "the number computed");
    real("low", "least number that meets it");
    real("high", "largest number that meets it");
    text("verdict", "met, differs or failed");
    text("reason", "why it differs or failed");
    text("number_source", "where it is published");
    text("note", "what else is known of it");
    text("group", "group that holds the curve it was taken from");
    std::map<std::string, std::vector<std::string>> words;
    std::map<std::string, std::vector<double>> numbers;
    for (std::size_t i = 0; i < p.judged.size(); ++i) {
      const PublishedNumber& n = p.paper.numbers[i];
      const Judged& j = p.judged[i];
      numbers["result"].push_back(static_cast<double>(i));
      words["name"].push_back(n.name), words["class"].emplace_back(word_of(n.kind));
      numbers["published"].push_back(n.value), numbers["ours"].push_back(j.ours);
      numbers["low"].push_back(n.low), numbers["high"].push_back(n.high);
      words["verdict"].emplace_back(word_of(j.verdict)), words["reason"].push_back(j.reason);
      words["number_source"].push_back(n.source), words["note"].push_back(n.note), words["group"].push_back(j.path);
    }
    const auto sink = file.group("/published/" + p.paper.stem, schema);
    for (const auto& [name, values] : numbers) sink->write(name, 0, values);
    for (const auto& [name, values] : words) sink->write_text(name, 0, values);
  }
}

}  // namespace posenc::app
