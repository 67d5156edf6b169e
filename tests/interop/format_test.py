"""The program's own files in every reader of the field. `format_test.py POSENC SOURCE_DIR`."""
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from readers import check_file  # noqa: E402

SMALL = ["--length", "48", "--dim", "16", "--lag-horizon", "512", "--position-horizon", "4096", "--reproducible", "-q"]


def run(program, *arguments, code=0):
    done = subprocess.run([program, "run", *arguments], capture_output=True)
    assert done.returncode == code, f"{' '.join(arguments)}: exit {done.returncode}: {done.stderr.decode().strip()}"
    return done


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)

        every = str(folder / "all.h5")
        run(program, "all", *SMALL, "-o", every)
        print(f"all: every reader agrees on {check_file(every)} variables")

        packed = str(folder / "packed.h5")
        run(program, "rope", "alibi", "learned", *SMALL, "--deflate", "4", "--dtype", "f32", "-o", packed)
        print(f"deflated, float32: every reader agrees on {check_file(packed)} variables")

        plain, piped, exists = str(folder / "plain.h5"), folder / "piped.h5", folder / "exists.h5"
        run(program, "rope", *SMALL, "-o", plain)
        piped.write_bytes(run(program, "rope", *SMALL, "-o", "-").stdout)
        assert piped.read_bytes() == pathlib.Path(plain).read_bytes(), "-o - gives other bytes than -o FILE"
        print("through a pipe: the same bytes as a file")

        exists.write_bytes(b"previous")
        refused = run(program, "rope", *SMALL, "-o", str(exists), code=73)
        assert refused.stderr.decode().strip() == f"'{exists}' exists: use --force to overwrite it", refused.stderr
        assert exists.read_bytes() == b"previous", "an existing file was changed"
        left = sorted(p.name for p in folder.glob("*.partial.*"))
        assert not left, f"left behind: {left}"
        print("an existing file is left alone")


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except AssertionError as problem:
        sys.exit(str(problem))
