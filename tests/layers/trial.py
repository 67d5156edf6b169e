"""check_layers.py notices each kind of forbidden line, and accepts a tree without one."""
import pathlib
import tempfile

from check_layers import problems

TRIALS = {
    '#include "model/encoding.hpp"': "math must not include model/encoding.hpp",
    '#include "schemes/rotary.hpp"': "math must not include schemes/rotary.hpp",
    "#include <nlohmann/json.hpp>": "heavy header in a header",
    "hid_t file;": "HDF5 outside io",
}

with tempfile.TemporaryDirectory() as name:
    src = pathlib.Path(name)
    (src / "math").mkdir()
    header = src / "math/turn.hpp"
    header.write_text('#include "core/field.hpp"\n#pragma omp simd\n')
    assert list(problems(src)) == []
    for line, message in TRIALS.items():
        header.write_text(line + "\n")
        found = list(problems(src))
        assert len(found) == 1 and found[0].endswith(message), (line, found)
    header.write_text("")
    (src / "app").mkdir()
    (src / "app/run.cpp").write_text("#pragma omp parallel for\n")
    assert list(problems(src)) == ["app/run.cpp:1: OpenMP outside math"]
print(f"{len(TRIALS) + 1} kinds of forbidden lines are noticed")
