"""The main job: within its memory, read alike by every reader, and the same bytes for any number of threads."""
import os
import pathlib
import subprocess
import sys
import tempfile

import readers

BINARY = sys.argv[1]
JOB = ["run", "@llama-3.1-8b", "sinusoidal", "learned", "alibi:heads=8", "yarn:factor=4,original=8192", "nope", "--length", "8192"]


def posenc(*words):
    process = subprocess.Popen([BINARY, *words, "--quiet"])
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, (words, status)
    return usage.ru_maxrss * 1024


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    peak = posenc(*JOB, "-o", str(folder / "out.h5"))
    print(f"peak memory {peak / 2**20:.0f} MiB, file {(folder / 'out.h5').stat().st_size / 2**20:.0f} MiB")
    assert peak <= 2**30
    readers.check_file(folder / "out.h5")

    for threads in ("1", "2", "3"):
        posenc(*JOB, "--reproducible", "--threads", threads, "-o", str(folder / f"threads-{threads}.h5"))
    first = (folder / "threads-1.h5").read_bytes()
    assert all(first == (folder / f"threads-{t}.h5").read_bytes() for t in ("2", "3"))
    print("equal bytes with 1, 2 and 3 threads")
    for path in folder.iterdir():
        path.unlink()

    # Every form of encoding, at an odd length.
    posenc("run", "standard", "--length", "777", "--reproducible", "--threads", "1", "-o", str(folder / "standard-1.h5"))
    posenc("run", "standard", "--length", "777", "--reproducible", "--threads", "2", "-o", str(folder / "standard-2.h5"))
    assert (folder / "standard-1.h5").read_bytes() == (folder / "standard-2.h5").read_bytes()
    readers.check_file(folder / "standard-1.h5")
