"""A room may include itself and what stands left of it: core <- math <- model <- {schemes, analyses, sources} <- app <- main,
core <- model <- io <- app. Heavy headers belong in source files only. Exit 1 with one line a forbidden include."""
import pathlib
import re
import sys

MAY = {
    "core": set(),
    "math": {"core"},
    "model": {"core", "math"},
    "schemes": {"core", "math", "model"},
    "analyses": {"core", "math", "model"},
    "sources": {"core", "math", "model"},
    "io": {"core", "model"},
    "app": {"core", "math", "model", "schemes", "analyses", "sources", "io"},
    "main.cpp": {"core", "app"},
}
HEAVY = re.compile(r"<(boost/|nlohmann/|CLI/|toml\+\+/)")
ALLOWED_HEAVY = {"math/real.hpp"}
OMP = re.compile(r"#\s*pragma\s+omp|<omp\.h>")
HID = re.compile(r"\bhid_t\b|<hdf5")

def problems(src: pathlib.Path):
    for path in sorted(src.rglob("*.[ch]pp")):
        relative = path.relative_to(src).as_posix()
        room = relative.split("/")[0]
        if room not in MAY:
            yield f"{relative}: no such room"
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            quoted = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if quoted:
                target = quoted.group(1).split("/")[0]
                if target != room and target not in MAY[room]:
                    yield f"{relative}:{number}: {room} must not include {quoted.group(1)}"
            if path.suffix == ".hpp" and HEAVY.search(line) and relative not in ALLOWED_HEAVY:
                yield f"{relative}:{number}: heavy header in a header"
            if OMP.search(line) and room != "math":
                yield f"{relative}:{number}: OpenMP outside math"
            if HID.search(line) and room != "io":
                yield f"{relative}:{number}: HDF5 outside io"

if __name__ == "__main__":
    found = list(problems(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or "every include stands on its floor")
    sys.exit(1 if found else 0)
