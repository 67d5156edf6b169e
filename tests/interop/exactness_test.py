"""The exactness of the arrays and curves in the files, against mpmath with the exact real theta = base^(-2i/d)."""
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import h5py
import mpmath

BINARY = sys.argv[1]
mpmath.mp.dps = 50
DIM, BASE = 128, 10000
THETA = [mpmath.mpf(BASE) ** (mpmath.mpf(-2 * i) / DIM) for i in range(DIM // 2)]


def posenc(folder, *words):
    """Runs the program, returns its peak memory in bytes."""
    out = folder / "out.h5"
    process = subprocess.Popen([BINARY, *words, "--quiet", "--force", "-o", str(out)])
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, (words, status)
    return out, usage.ru_maxrss * 1024


def far_rotations(folder):
    start = 1_000_000_000
    out, _ = posenc(folder, "encode", "rope", "--dim", "128", "--start", str(start), "--length", "4096")
    with h5py.File(out) as f:
        group = f["encodings/rope"]
        cos, sin, position = group["cos"][:], group["sin"][:], group["position"][:]
    assert position[0] == start and len(position) == 4096 and cos.shape == (4096, 64)
    worst = 0.0
    for row in sorted({0, 1, 63, 64, 65, 4095, *random.Random(1).sample(range(4096), 200)}):
        for pair, theta in enumerate(THETA):
            angle = (start + row) * theta
            worst = max(worst, abs(float(mpmath.cos(angle) - mpmath.mpf(cos[row, pair]))),
                        abs(float(mpmath.sin(angle) - mpmath.mpf(sin[row, pair]))))
    print(f"cos and sin from position 1e9 on: worst error {worst:.2e}")
    assert worst <= 4e-16


def decay_of_a_million_lags(folder):
    out, _ = posenc(folder, "decay", "rope", "--dim", "128", "--length", "1M")
    with h5py.File(out) as f:
        group = f["decay/rope"]
        score, bound = group["score"][:], group["upper_bound"][:]
    published = {0: 32.5, 1: 31.5381661426580844, 10: 17.9541371370848337, 100: 10.2273299485051434, 250: 6.5481790319415992}
    for lag, value in published.items():
        assert abs(bound[lag] - value) <= 1e-12, (lag, bound[lag])
    worst = 0.0
    for lag in random.Random(2).sample(range(len(score)), 200):
        exact = sum(mpmath.cos(lag * theta) for theta in THETA) / len(THETA)
        worst = max(worst, abs(float(exact - mpmath.mpf(score[lag]))))
    print(f"score at 200 lags below 1M: worst error {worst:.2e}")
    assert worst <= 1e-14


def memory_does_not_grow(folder):
    _, small = posenc(folder, "encode", "rope", "--dim", "128", "--length", "256k")
    _, large = posenc(folder, "encode", "rope", "--dim", "128", "--length", "2M")
    print(f"peak memory of encode at 256k and 2M positions: {small / 2**20:.1f} and {large / 2**20:.1f} MiB")
    assert abs(large - small) < 8 * 2**20


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        far_rotations(folder)
        decay_of_a_million_lags(folder)
        memory_does_not_grow(folder)
