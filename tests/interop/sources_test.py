"""Tables and models in the files that Python tools write: the same numbers from every kind of file; the presets of trained tables
from an installed and an uninstalled program; a GGUF file much larger than memory would like."""
import json
import os
import pathlib
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from gguf_writer import gguf, model  # noqa: E402

BINARY, SOURCE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
TRAINED = SOURCE / "data" / "trained"


def run(folder, *words, binary=BINARY, code=0, env=None):
    done = subprocess.run([binary, *map(str, words)], cwd=folder, capture_output=True, text=True, env=env)
    assert done.returncode == code, (words, done.returncode, done.stderr)
    return done


def encoded(folder, *words, **more):
    """Arrays of /encodings by label and name."""
    run(folder, "encode", *words, "--quiet", "--force", "-o", "out.h5", **more)
    with h5py.File(pathlib.Path(folder) / "out.h5") as f:
        return {label: {name: v[()] for name, v in group.items()} for label, group in f["encodings"].items()}


def safetensors(path, arrays):
    head, data = {}, b""
    for name, a in arrays.items():
        head[name] = {"dtype": "F32", "shape": a.shape, "data_offsets": [len(data), len(data) + a.nbytes]}
        data += a.tobytes()
    raw = json.dumps(head).encode()
    path.write_bytes(struct.pack("<Q", len(raw)) + raw + data)


def same_table_from_every_file(folder):
    table = np.random.default_rng(1).normal(size=(16, 8)).astype("<f4")
    np.save(folder / "t.npy", table)
    np.savez(folder / "stored.npz", wpe=table, other=table + 1)
    np.savez_compressed(folder / "deflated.npz", wpe=table, other=table + 1)
    np.savez(folder / "single.npz", table)
    (folder / "t.csv").write_text("\n".join(",".join(repr(float(x)) for x in row) for row in table))
    safetensors(folder / "m.safetensors", {"wpe": table, "other": table + 1})
    safetensors(folder / "m-00002-of-00002.safetensors", {"wpe": table})
    (folder / "m.safetensors.index.json").write_text(json.dumps({"weight_map": {"wpe": "m-00002-of-00002.safetensors"}}))
    with h5py.File(folder / "t.h5", "w") as f:
        f["deep/wpe"] = table
        f["other"] = table + 1
    (folder / "m.gguf").write_bytes(gguf(model("gpt2", 16, 8, 2), [("position_embd.weight", table)]))
    files = ["t.npy", "stored.npz#wpe", "deflated.npz#wpe", "single.npz", "t.csv", "m.safetensors#wpe",
             "m.safetensors.index.json#wpe", "t.h5#/deep/wpe", "m.gguf#position_embd.weight", "m.gguf"]
    for file in files:
        for word in (file, f"learned:table={file},label=x"):
            if file == "m.gguf" and word != file:
                continue
            (arrays,) = encoded(folder, word, "--length", 16).values()
            assert np.array_equal(arrays["table"], table.astype("f8")), word
    factors = np.linspace(1, 4, 32)
    np.savez(folder / "f.npz", factors)
    with h5py.File(folder / "f.h5", "w") as f:
        f["factors"] = factors
    for file in ("f.npz", "f.h5#factors"):
        (arrays,) = encoded(folder, f"longrope:dim=64,factors={file}", "--length", 16).values()
        expected = 10000.0 ** (-np.arange(32) / 32) / factors
        assert np.abs(arrays["frequency"] / expected - 1).max() < 1e-15 * 8, file  # a power, a division and a rounding in numpy
    print(f"{len(files)} files, one table")


def presets(folder, binary=BINARY, env=None):
    learned = encoded(folder, "@trained-learned", "--length", 64, binary=binary, env=env)["trained-learned"]
    assert np.array_equal(learned["table"], np.load(TRAINED / "learned.wpe.npy").astype("f8"))
    kerple = encoded(folder, "@trained-kerple", "--length", 64, binary=binary, env=env)["trained-kerple"]
    r1, r2 = (np.load(TRAINED / f"kerple.r{k}.npy").astype("f8")[:, None] for k in (1, 2))
    expected = -r1 * np.log1p(r2 * kerple["lag"])
    assert np.abs(kerple["bias"] - expected).max() < 1e-14 * np.abs(expected).max()
    t5 = encoded(folder, "@trained-t5", "--length", 64, binary=binary, env=env)["trained-t5"]
    table = np.load(TRAINED / "t5.rab.npy").astype("f8")
    assert np.array_equal(t5["bias"][:, :16], table[:16].T)  # half of the 32 buckets hold one distance each
    both = encoded(folder, "@trained-shaw", "@trained-transformer-xl", "--length", 64, binary=binary, env=env)
    assert sorted(both) == ["trained-shaw.layer0", "trained-shaw.layer1", "trained-transformer-xl.layer0",
                            "trained-transformer-xl.layer1"], sorted(both)
    for name in ("deberta", "tupe"):
        run(folder, "decay", f"@trained-{name}", "--length", 64, "--quiet", "--force", "-o", "out.h5", binary=binary, env=env)
    report = json.loads(run(folder, "inspect", "@trained-shaw", "--json", binary=binary, env=env).stdout)
    assert report["scheme"] == "shaw" and "table=@trained/shaw.rk.npy" in report["encodings"]["layer1"], report


def installed(folder):
    (folder / "usr" / "bin").mkdir(parents=True)
    shutil.copy(BINARY, folder / "usr" / "bin" / "posenc")
    shutil.copytree(SOURCE / "data", folder / "usr" / "share" / "posenc")
    env = {k: v for k, v in os.environ.items() if k != "POSENC_DATA"}
    presets(folder, folder / "usr" / "bin" / "posenc", env)
    print("presets: from the source tree and installed")


def from_standard_input(folder):
    config = json.dumps({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2, "max_position_embeddings": 64})
    done = subprocess.run([BINARY, "inspect", "-", "--json"], input=config, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["scheme"] == "rotary"


def vast_gguf(folder):
    """Weights of 5 GB that are holes in the file; 128k tokens. inspect reads the header alone."""
    keys = model("llama", 131072, 4096, 32, rope__freq_base=500000.0) | {
        "tokenizer.ggml.tokens": [f"token{k}" for k in range(128256)], "tokenizer.ggml.scores": [0.0] * 128256}
    raw = gguf(keys, [("rope_freqs.weight", np.ones(64, "<f4")), ("output.weight", np.zeros((1, 1), "<f4"))])
    path = folder / "vast.gguf"
    path.write_bytes(raw)
    os.truncate(path, 5 << 30)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    report = json.loads(run(folder, "inspect", "vast.gguf", "--json").stdout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert report["layers"]["all"]["layout"] == "interleaved" and len(report["layers"]["all"]["inv_freq"]) == 64
    print(f"inspect of a 5 GB file: {after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime:.2f} s of processor time")
    run(folder, "decay", "vast.gguf", "--length", 256, "--quiet", "-o", "vast.h5")


def refused(folder):
    """One clear line and code 65, whatever is wrong with the table."""
    np.savez(folder / "bad.npz", nan=np.array([[1, np.nan]]), cube=np.zeros((2, 2, 2)), words=np.array(["a"]), odd=np.ones((3, 5)))
    (folder / "cut.npz").write_bytes((folder / "bad.npz").read_bytes()[:-30])
    for word, rule in (("learned:table=bad.npz#nan", "stored element 1"), ("learned:table=bad.npz#cube", "must be [rows, channels]"),
                       ("learned:table=bad.npz#words", "descr"), ("learned:table=bad.npz#nam", "did you mean nan?"),
                       ("learned:table=cut.npz#nan", "must end as a zip archive"), ("learned:dim=4,table=bad.npz#odd", "dim"),
                       ("t5:heads=4,table=bad.npz#odd", "heads"), ("learned:table=t.h5#gone", "gone")):
        done = run(folder, "encode", word, "-o", "x.h5", code=65)
        assert done.stderr.count("\n") == 1 and rule in done.stderr, (word, done.stderr)


with tempfile.TemporaryDirectory() as name:
    here = pathlib.Path(name)
    same_table_from_every_file(here)
    presets(here)
    installed(here)
    from_standard_input(here)
    vast_gguf(here)
    refused(here)
