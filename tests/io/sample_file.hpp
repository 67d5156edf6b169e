#pragma once
// tests: one file with every type, rank and kind of dimension, for the tests of writing, reading and interoperability.
#include "core/sink.hpp"
#include "io/output_file.hpp"

#include <unistd.h>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace posenc::test {

/// A fresh folder, deleted with everything in it.
struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("posenc-io-" + std::to_string(getpid()) + "-" + next());
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() {
    std::error_code none;
    std::filesystem::remove_all(path, none);
  }
  std::string operator/(const std::string& name) const { return (path / name).string(); }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(path), std::filesystem::directory_iterator()));
  }
  static std::string next() {
    static int count = 0;
    return std::to_string(count++);
  }
};

inline std::string bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline Schema encodings_schema(std::uint64_t positions, std::uint64_t pairs, Type type = Type::f64) {
  Schema s;
  s.axis({"position", positions}, Type::i64, "position", "position");
  s.axis({"pair", pairs}, Type::i64, "1", "index of the rotated pair");
  s.add({"frequency", Type::f64, {"pair"}, "rad", "angle per position"});
  s.add({"cos", type, {"position", "pair"}, "1", "cosine of the angle"});
  s.attributes = {{"formula", "cos(m t)"}, {"heads", std::int64_t{4}}, {"base", 1e4}, {"list", std::vector<double>{1, 2.5}}};
  s.skip("bucket", "rotary: no buckets");
  s.skip("bias", "rotary: no bias");
  return s;
}

inline double sample(std::uint64_t i) { return std::sin(0.37 * static_cast<double>(i)); }

inline void write_encodings(Sink& sink, std::uint64_t positions, std::uint64_t pairs, std::uint64_t rows_at_once) {
  std::vector<double> row;
  for (std::uint64_t j = 0; j < pairs; ++j) row.push_back(static_cast<double>(j));
  sink.write("pair", 0, row);
  sink.write("frequency", 0, row);
  for (std::uint64_t m = 0; m < positions; m += rows_at_once) {
    const std::uint64_t n = std::min(rows_at_once, positions - m);
    std::vector<double> position, cosine;
    for (std::uint64_t i = m; i < m + n; ++i) position.push_back(static_cast<double>(i));
    for (std::uint64_t i = m * pairs; i < (m + n) * pairs; ++i) cosine.push_back(sample(i));
    sink.write("position", m, position);
    sink.write("cos", m, cosine);
  }
}

inline Schema records_schema() {
  Schema s;
  s.axis({"record", 0, true}, Type::i64, "1", "number of the record");
  s.axis({"head", 3}, Type::i64, "1", "head");
  s.add({"record_distance", Type::f64, {"record", "head"}, "1", "distance at the record"});
  s.add({"record_name", Type::text, {"record"}, "1", "a word of the record"});
  s.add({"record_kept", Type::i8, {"record"}, "1", "whether it is kept"});
  s.add({"slope", Type::f32, {"head"}, "1", "slope"});
  return s;
}

inline void write_records(Sink& sink, std::uint64_t records) {
  sink.write("head", 0, std::vector<double>{0, 1, 2});
  sink.write("slope", 0, std::vector<double>{0.5, 0.1, std::nan("")});
  for (std::uint64_t r = 0; r < records; ++r) {
    const auto x = static_cast<double>(r);
    sink.write("record", r, std::vector<double>{x});
    sink.write("record_distance", r, std::vector<double>{x, x + 0.25, x + 0.5});
    sink.write_text("record_name", r, std::vector<std::string>{"r" + std::to_string(r)});
    sink.write("record_kept", r, std::vector<double>{r % 2 == 0 ? 1.0 : 0.0});
  }
}

inline Schema summary_schema() {
  Schema s;
  s.axis({"encoding", 2}, Type::text, "1", "label of the encoding");
  s.axis({"factor", 2}, Type::f64, "1", "multiple of the training length");
  s.axis({"lag", 5}, Type::i64, "position", "query minus key");
  s.add({"causal", Type::i8, {"encoding"}, "1", "keys after the query are not seen"});
  s.add({"layout",
         Type::i8,
         {"encoding"},
         "1",
         "pairing of channels",
         {{"flag_values", std::vector<double>{0, 1}}, {"flag_meanings", "interleaved half_split"}}});
  s.add({"error", Type::f32, {"encoding", "factor", "lag"}, "1", "error"});
  s.add({"total", Type::f64, {}, "1", "a scalar"});
  s.add({"count", Type::i64, {}, "1", "a whole scalar"});
  s.add({"word", Type::text, {}, "1", "a scalar word"});
  return s;
}

inline void write_summary(Sink& sink) {
  sink.write_text("encoding", 0, std::vector<std::string>{"rope", "größe"});
  sink.write("factor", 0, std::vector<double>{2, 4});
  sink.write("lag", 0, std::vector<double>{0, 1, 2, 3, 4});
  sink.write("causal", 0, std::vector<double>{0, 1});
  sink.write("layout", 0, std::vector<double>{1, 0});
  std::vector<double> error(20);
  for (std::size_t i = 0; i < error.size(); ++i) error[i] = sample(i);
  sink.write_elements("error", 0, {error.data(), 3});
  sink.write_elements("error", 3, {error.data() + 3, 17});
  sink.scalar("total", 1.5);
  sink.scalar("count", 0x1p53);
  sink.write_text("word", 0, std::vector<std::string>{"whole"});
  sink.attribute("total", {"source", "known late"});
  sink.attribute("", {"note", "of the group"});
}

inline void write_sample(io::OutputFile& file) {
  file.attribute({"Conventions", "CF-1.10"});
  file.attribute({"title", "a sample of every kind of variable"});
  file.attribute({"history", "written by a test"});
  const auto encoding = file.group("/encodings/rope", encodings_schema(300, 7));
  write_encodings(*encoding, 300, 7, 11);
  write_encodings(*file.group("/encodings/rope32", encodings_schema(300, 7, Type::f32)), 300, 7, 300);
  write_records(*file.group("/periodicity/rope", records_schema()), 1100);
  write_records(*file.group("/periodicity/nope", records_schema()), 0);
  write_summary(*file.group("/summary", summary_schema()));
}

inline void write_sample(const std::string& path, io::OutputOptions options = {}) {
  io::OutputFile file(path, options);
  write_sample(file);
  file.commit();
}

}  // namespace posenc::test
