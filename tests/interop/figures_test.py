"""Every figure of tools/figures.py is made from an output of `posenc reproduce`, and the file says what the program prints."""
import json
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np

BINARY, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
PAPERS = ["roformer", "pi", "men2024", "yarn", "alibi", "sandwich"]

with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    out = str(folder / "papers.h5")
    done = subprocess.run([BINARY, "reproduce", *PAPERS, "--json", "-o", out], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    printed = json.loads(done.stdout)
    with h5py.File(out) as file:
        for paper in printed["papers"]:
            group = file["published"][paper["name"]]
            assert [n.decode() for n in group["name"][:]] == [r["name"] for r in paper["results"]]
            ours = np.array([np.nan if r["ours"] is None else float(r["ours"]) for r in paper["results"]])
            assert np.array_equal(group["ours"][:], ours, equal_nan=True), paper["name"]
            for path in group["group"][:]:
                assert not path or path.decode() in file, path
            assert group["result"].is_scale
        curve = file["decay"]
        roformer = [g for g in curve.values() if g.attrs.get("dim") == 128 and g.attrs["length"] == 256]
        assert abs(roformer[0]["upper_bound"][100] - 10.227329948505133) < 1e-11
    subprocess.run([sys.executable, str(SOURCE / "tools/figures.py"), out, str(folder / "figures")], check=True, stdout=subprocess.DEVNULL)
    made = {f.name for f in (folder / "figures").iterdir()}
    wanted = {f"{n}.{s}" for n in ("roformer-2", "men2024-1", "pi-2", "pi-5", "yarn-ramp", "alibi-slopes", "sandwich-biases") for s in ("png", "svg")}
    assert made == wanted, made ^ wanted
    assert all((folder / "figures" / f).stat().st_size > 5000 for f in made)
print(f"{len(wanted)} files of figures")
