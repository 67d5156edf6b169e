// Every bad input: one line on stderr that names what is wrong, the documented exit code, the target unchanged, nothing else
// left in the folder.
#include "cli/program.hpp"
#include "support/catch.hpp"

#include <sys/stat.h>

using posenc::test::Folder;
using posenc::test::lines;
using posenc::test::read_file;
using posenc::test::write_file;

namespace {

struct Case {
  const char* name;
  const char* arguments;
  int code;
  const char* says;         // part of the line
  const char* before = "";  // shell, in front of the program
};

/// NPY 1.0 with a header of the given text, padded to 64 bytes.
std::string npy(const std::string& header, const std::string& data) {
  std::string text = header;
  while ((10 + text.size() + 1) % 64 != 0) text += ' ';
  text += '\n';
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(text.size() % 256) + static_cast<char>(text.size() / 256) +
         text + data;
}

void fill(const Folder& folder) {
  write_file(folder / "there.h5", "previous content");
  write_file(folder / "config.json", R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32})");
  write_file(folder / "truncated.json", R"({"model_type": "llama", "hidden_size": 40)");
  write_file(folder / "list.json", "[1, 2]");
  write_file(folder / "empty.json", "");
  write_file(folder / "listed.json", R"({"encodings": [{"scheme": "rope"}]})");
  write_file(folder / "model.gguf", "GGUF");
  write_file(folder / "odd.json", R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2, "head_dim": 31})");
  write_file(folder / "vector.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }", std::string(16, '\0')));
  write_file(folder / "cube.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2, 2), }", std::string(32, '\0')));
  write_file(folder / "text.npy", npy("{'descr': '<U4', 'fortran_order': False, 'shape': (2, 2), }", std::string(64, '\0')));
  write_file(folder / "short.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (100, 8), }", std::string(64, '\0')));
  write_file(folder / "garbage.npy", "not an array");
  write_file(folder / "nan.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }",
                                     std::string("\x00\x00\xc0\x7f", 4) + std::string(12, '\0')));
  std::filesystem::create_directory(folder / "folder.h5");
  std::filesystem::create_directory(folder / "folder.json");
  for (const char* const pipe : {"pipe.json", "pipe.csv"}) REQUIRE(::mkfifo((folder / pipe).c_str(), 0600) == 0);
  write_file(folder / "large.json", std::string((16 << 20) + 1, ' '));
  write_file(folder / "deep.json", std::string(100000, '['));
  write_file(folder / "more.json", R"({"head_dim": 4}x)");
  write_file(folder / "utf16.json", std::string("\xff\xfe{\0}\0", 6));
  write_file(folder / "marked.json", "\xef\xbb\xbf{}");
  write_file(folder / "latin.json", "{\"model_type\": \"ll\xe9\"}");
  write_file(folder / "half.json", R"({"model_type": "\ud800"})");
  write_file(folder / "nul.json", R"({"model_type": "a\u0000b"})");
  write_file(folder / "nan.json", R"({"rope_theta": NaN})");
  write_file(folder / "over.json", R"({"rope_theta": 1e999})");
  write_file(folder / "count.json", R"({"model_type": "llama", "head_dim": 1152921504606846976})");
  write_file(folder / "cell.csv", "1,2\n2x,3\n");
  write_file(folder / "above.csv", "nan\n1\n2\n");
  const std::string header =
      R"({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}, "b": {"dtype": "F32", "shape": [2], "data_offsets": [4, 12]}})";
  write_file(folder / "overlap.safetensors",
             static_cast<char>(header.size()) + std::string(7, '\0') + header + std::string(12, '\0'));
}

const Case cases[] = {
    // dimensions and bases
    {"odd dim", "decay rope:dim=63 -o new.h5", 64, "rope: dim = 63: must be >= 2, even"},
    {"zero dim", "decay rope:dim=0 -o new.h5", 64, "rope: dim = 0: must be"},
    {"negative dim", "decay rope:dim=-4 -o new.h5", 64, "rope: dim = -4: must be"},
    {"fractional dim", "decay rope:dim=2.5 -o new.h5", 64, "rope: dim = 2.5: must be an integer"},
    {"huge dim", "decay rope:dim=1e12 -o new.h5", 64, "rope: dim = "},
    {"odd dim by the override", "decay rope --dim 63 -o new.h5", 64, "rope: dim = 63: must be"},
    {"zero base", "decay rope:base=0 -o new.h5", 64, "rope: base = 0: must be > 1"},
    {"negative base", "decay rope:base=-10 -o new.h5", 64, "rope: base = -10: must be > 1"},
    {"base one", "decay rope:base=1 -o new.h5", 64, "rope: base = 1: must be > 1"},
    {"base that is no number", "decay rope:base=nan -o new.h5", 64, "rope: base = nan: must be a finite number"},
    {"infinite base", "decay rope:base=1e999 -o new.h5", 64, "rope: base = 1e999: must be a finite number"},
    {"positions beyond 2^53", "encode rope --start 9007199254740991 --length 3 -o new.h5", 64,
     "encode: start = 9007199254740991: start + length - 1 must be <= 9007199254740992, length is 3"},
    {"a file below KERPLE's least parameter", "decay kerple:r1=vector.npy -o new.h5", 65,
     "kerple: r1 = vector.npy: head 0 has 0: must be >= 0.01"},
    {"hexadecimal", "decay rope:base=0x10 -o new.h5", 64, "rope: base = 0x10: must be a finite number"},
    {"zero heads", "decay alibi:heads=0 -o new.h5", 64, "alibi: heads = 0: must be"},
    // lengths
    {"zero length", "decay rope --length 0 -o new.h5", 64, "decay: length = 0: must be >= 1"},
    {"negative length", "decay rope --length -5 -o new.h5", 64, "decay: length = -5: must be >= 1"},
    {"length that is no number", "decay rope --length many -o new.h5", 64, "length = many: must be"},
    {"length beyond 2^53", "decay rope --length 1e16 -o new.h5", 64, "length = 1e16: must be"},
    {"length beyond the disk", "encode rope --length 1e15 -o new.h5", 73, "cannot write 'new.h5': the data take"},
    {"length beyond memory", "decay rope --length 9007199254740992 -o new.h5", 64, "of memory"},
    {"length given twice", "decay rope --length 1 --length 2 -o new.h5", 64, "--length: given twice"},
    {"option without its value", "decay rope -o new.h5 --length", 64, "--length"},
    {"extend of one", "extrapolation rope --extend 1 -o new.h5", 64, "extrapolation: extend = 1: must be > 1"},
    {"empty item in a list", "extrapolation rope --extend 2,,4 -o new.h5", 64, "extend = : must be a finite number"},
    // words
    {"unknown command", "deacy rope -o new.h5", 64, "unknown command 'deacy': did you mean 'decay'?"},
    {"no command", "", 64, "no command given"},
    {"unknown option", "decay rope --lenght 4 -o new.h5", 64, "unknown option '--lenght': did you mean '--length'?"},
    {"abbreviated option", "decay rope --len 4 -o new.h5", 64, "unknown option '--len'"},
    {"unknown scheme", "decay roep -o new.h5", 64, "unknown scheme 'roep': did you mean 'rope'?"},
    {"unknown key", "decay rope:bas=5 -o new.h5", 64, "rope: unknown key 'bas': did you mean 'base'?"},
    {"unknown choice", "decay rope:layout=mixed -o new.h5", 64, "rope: layout = mixed: must be one of"},
    {"key without value", "decay rope:dim -o new.h5", 64, "rope: 'dim': must be key=value"},
    {"key given twice", "decay rope:dim=4,dim=8 -o new.h5", 64, "rope: dim = 8: given twice"},
    {"empty encoding", "decay '' -o new.h5", 64, "encoding: must not be empty"},
    {"bracketed encoding", "decay '[]' -o new.h5", 64, "unknown scheme '[]'"},
    {"unknown preset", "decay @lama -o new.h5", 64, "unknown preset 'lama'"},
    {"values for a set", "decay standard:dim=4 -o new.h5", 64, "standard: 'standard:dim=4': a set takes no values"},
    {"override that nothing has", "decay nope --heads 4 -o new.h5", 64, "--heads = 4: no encoding has a field of that name"},
    {"malformed label", "decay rope:label=a/b -o new.h5", 64, "label = a/b: must match"},
    {"label given twice", "decay rope:label=a alibi:label=a -o new.h5", 64, "label = a: given twice"},
    {"line feed in a word", "decay \"$(printf 'a\\nb')\" -o new.h5", 64, "unknown scheme 'a\\x0ab'"},
    {"arguments too many", "schemes rope alibi", 64, "schemes: unexpected 'alibi'"},
    {"argument missing", "show", 64, "show: FILE is missing"},
    {"threads below one", "decay rope --threads 0 -o new.h5", 64, "posenc: threads = 0: must be >= 1"},
    {"threads in the environment", "decay rope -o new.h5", 64, "SLURM_CPUS_PER_TASK = two",
     "unset OMP_NUM_THREADS; SLURM_CPUS_PER_TASK=two"},
    {"encode without an output", "encode rope", 64, "encode: output: must name a file"},
    // files
    {"missing file", "decay ./missing.json -o new.h5", 66, "./missing.json"},
    {"truncated config", "decay truncated.json -o new.h5", 65, "truncated.json"},
    {"config that is a list", "decay list.json -o new.h5", 65, "list.json"},
    {"empty config", "inspect empty.json", 65, "empty.json"},
    {"folder for a config", "inspect ./folder.json", 65, "folder.json: must be a regular file"},
    {"pipe for a config", "inspect ./pipe.json", 65, "pipe.json: must be a regular file"},
    {"pipe for a table", "decay ./pipe.csv -o new.h5", 65, "pipe.csv: must be a regular file"},
    {"config beyond 16 MB", "inspect large.json", 65, "large.json: size = 16777217: must be <= 16777216 bytes"},
    {"config nested too deep", "inspect deep.json", 65, "deep.json: must not be nested more than 64 levels deep"},
    {"config that goes on", "inspect more.json", 65, "more.json: parse error at line 1, column 16"},
    {"config in UTF-16", "inspect utf16.json", 65, "utf16.json: begins with a byte order mark: must be UTF-8 without one"},
    {"config with a mark", "inspect marked.json", 65, "marked.json: begins with a byte order mark"},
    {"config not of UTF-8", "inspect latin.json", 65, "latin.json: parse error at line 1, column 20"},
    {"half a character", "inspect half.json", 65, "half.json: parse error at line 1, column 23"},
    {"config with NUL", "inspect nul.json", 65, "nul.json: \"a\\u0000b\": must not hold U+0000"},
    {"NaN in a config", "inspect nan.json", 65, "nan.json: rope_theta = NaN: must be a number as JSON has it"},
    {"too large a number in a config", "inspect over.json", 65, "over.json: rope_theta = 1e999: must be a number that float64"},
    {"too large a count in a config", "decay ./count.json -o new.h5", 65,
     "count.json: head_dim = 1152921504606846976: must be an integer from"},
    {"typo in a table's cell", "decay cell.csv -o new.h5", 65, "cell.csv:2: 2x: must be a finite number"},
    {"NaN above a column", "decay above.csv -o new.h5", 65, "above.csv:1: nan: must be a finite number"},
    {"arrays that overlap", "decay overlap.safetensors#a -o new.h5", 65, "#b: data_offsets = [4, 12]: must begin at 8"},
    {"odd head in a config", "decay odd.json -o new.h5", 65, "odd.json"},
    {"vector for a table", "decay learned:table=vector.npy -o new.h5", 65, "vector.npy"},
    {"cube for a table", "decay cube.npy -o new.h5", 65, "cube.npy"},
    {"words for numbers", "decay text.npy -o new.h5", 65, "text.npy"},
    {"array shorter than its shape", "decay short.npy -o new.h5", 65, "short.npy"},
    {"array that is none", "decay garbage.npy -o new.h5", 65, "garbage.npy"},
    {"NaN in a table", "decay nan.npy -o new.h5", 65, "nan.npy"},
    {"missing table", "decay learned:table=none.npy -o new.h5", 66, "none.npy"},
    {"show what is no HDF5", "show config.json", 65, "config.json"},
    {"show what is not there", "show none.h5", 66, "none.h5"},
    // the tool that reads a file
    {"unknown tool", "inspect config.json --as vlm", 64, "inspect: as = vlm: must be one of hf, vllm, llama.cpp"},
    {"unknown tool of a word", "decay config.json:as=ollama -o new.h5", 64, "config.json: as = ollama: must be one of hf, vllm, llama.cpp"},
    {"tool of a preset", "decay @llama-3.1-8b:as=HF -o new.h5", 64, "llama-3.1-8b: as = HF: must be one of hf, vllm, llama.cpp"},
    {"tool given twice", "decay config.json:as=hf,as=vllm -o new.h5", 64, "as = vllm: given twice"},
    {"tool for a table", "decay vector.npy:as=vllm -o new.h5", 64, "vector.npy: as = vllm: must be left out: a table is no config.json"},
    {"tool for a GGUF file", "decay model.gguf:as=hf -o new.h5", 64, "model.gguf: as = hf: must be left out: a GGUF file is read as llama.cpp reads it"},
    {"tool to inspect a GGUF file", "inspect model.gguf --as hf", 64, "model.gguf: as = hf: must be left out"},
    {"tool for encodings written out", "inspect listed.json --as vllm", 64, "listed.json: as = vllm: must be left out: encodings written out"},
    {"tool for a scheme", "decay rope:as=vllm -o new.h5", 64, "rope: unknown key 'as'"},
    // outputs
    {"output that exists", "decay rope -o there.h5", 73, "there.h5"},
    {"output that is a folder", "decay rope -o folder.h5 --force", 73, "folder.h5"},
    {"output in a missing folder", "decay rope -o none/new.h5", 73, "none"},
    {"output below a file", "decay rope -o config.json/new.h5", 73, "config.json"},
    {"full disk", "encode rope --length 64k -o there.h5 --force", 74, "cannot write 'there.h5': ", "ulimit -f 64;"},
    {"full disk, new file", "encode rope --length 64k -o new.h5", 74, "cannot write 'new.h5': ", "ulimit -f 64;"},
    {"full disk, compressed", "encode rope --length 64k --deflate 1 -o new.h5", 74, "cannot write 'new.h5': ", "ulimit -f 64;"},
    {"stdout that is full", "encode rope --length 64 -o - >/dev/full", 74, "cannot write"},
    {"table to a full stdout", "schemes >/dev/full", 74, "cannot write the standard output"},
};

}  // namespace

TEST_CASE("bad input: one line, the right code, nothing changed") {
  for (const Case& c : cases) {
    DYNAMIC_SECTION(c.name) {
      const Folder folder;
      fill(folder);
      const std::string before = folder.listing();
      const auto outcome = folder.run(c.arguments, c.before);
      INFO(c.arguments);
      INFO("stderr: " << outcome.err);
      CHECK(outcome.code == c.code);
      CHECK(lines(outcome.err) == 1);
      CHECK(outcome.err.find(c.says) != std::string::npos);
      CHECK(outcome.out.empty());
      CHECK(folder.listing() == before);
      CHECK(read_file(folder / "there.h5") == "previous content");
    }
  }
}

TEST_CASE("a config that may not be read is told from a missing one") {
  if (geteuid() == 0) return;  // the superuser may read anything
  const Folder folder;
  write_file(folder / "locked.json", "{}");
  std::filesystem::permissions(folder / "locked.json", std::filesystem::perms::none);
  const auto outcome = folder.run("inspect locked.json");
  CHECK(outcome.code == 74);
  CHECK(lines(outcome.err) == 1);
  CHECK(outcome.err.find("locked.json: Permission denied") != std::string::npos);
}

TEST_CASE("an output whose folder cannot be written is refused before anything is computed") {
  if (geteuid() == 0) return;  // the superuser may write anywhere
  const Folder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const auto outcome = folder.run("decay rope -o new.h5");
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
  CHECK(outcome.code == 73);
  CHECK(lines(outcome.err) == 1);
}
