"""Times the kernels of src/math against the limits of the machine, NumPy and, where it can be imported, PyTorch, in one run.

usage: bench.py POSENC_BENCH [--runs N] [--only JOB,...]
POSENC_BENCH is the program that -DPOSENC_BENCH=ON builds. Runs alternate (ours, limit, NumPy, PyTorch, ours, ...) and the medians
of the pairwise ratios are printed, of processor time on one thread, so that a busy machine disturbs all alike; the gain of two
threads is of wall time. A gate is what a change must keep.
"""
import argparse
import os
import statistics
import subprocess
import time

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np  # noqa: E402

try:
    import torch

    torch.set_num_threads(1)
except ImportError:
    torch = None

PAIRS, LAGS = 64, 1 << 20
THETA = 10000.0 ** (-np.arange(PAIRS) / PAIRS)
SHARES = [0.05, 0.25, 0.5, 0.75, 0.95]

# share of the limit, times NumPy, times one thread
GATES = {"phase_table": (0.90, None, None), "phase_table_halves": (0.90, None, None), "cosine_sum": (None, 40, 1.7),
         "partial_sums": (0.85, None, 1.7), "nearest_rows": (0.5, 1.5, 1.7), "products_by_lag": (0.5, None, 1.7),
         "quantiles": (None, 2.5, None), "power_spectrum": (None, None, None)}


def noise(*shape):
    return np.random.default_rng(1).standard_normal(shape)


class Numpy:
    def __init__(self):
        self.table = np.empty((1 << 18, 2 * PAIRS))
        self.rows, self.wide = noise(8192, 128), noise(8192, 256)
        self.samples, self.odd = noise(512, 4096), noise(4099, 128)

    def phase_table(self):
        angle = np.outer(np.arange(len(self.table), dtype=float), THETA)
        np.sin(angle, out=self.table[:, 0::2])
        np.cos(angle, out=self.table[:, 1::2])

    def phase_table_halves(self):
        angle = np.outer(np.arange(len(self.table), dtype=float), THETA)
        np.sin(angle, out=self.table[:, :PAIRS])
        np.cos(angle, out=self.table[:, PAIRS:])

    def cosine_sum(self):
        weight = np.full(PAIRS, 1 / PAIRS)
        return [np.cos(np.outer(np.arange(s, s + 4096, dtype=float), THETA)) @ weight for s in range(0, LAGS, 4096)]

    def partial_sums(self):
        return [np.abs(np.cumsum(np.exp(1j * np.outer(np.arange(s, s + 4096, dtype=float), THETA)), axis=1)).mean(axis=1)
                for s in range(0, LAGS, 4096)]

    def nearest_rows(self):
        square = (self.wide**2).sum(axis=1)
        index = np.empty(len(self.wide), dtype=np.int64)
        for m in range(0, len(self.wide), 1024):
            d = square - 2 * (self.wide[m : m + 1024] @ self.wide.T)
            for i in range(1024):
                d[i, max(0, m + i - 99) : m + i + 100] = np.inf
            index[m : m + 1024] = d.argmin(axis=1)
        return index, np.sqrt(((self.wide - self.wide[index]) ** 2).sum(axis=1))

    def products_by_lag(self):
        gram = self.rows @ self.rows.T
        return [(d.mean(), d.std()) for d in (np.diagonal(gram, s) for s in range(len(gram)))]

    def quantiles(self):
        ranks = np.ceil(np.array(SHARES) * self.samples.shape[1]).astype(int) - 1
        return np.partition(self.samples, ranks, axis=1)[:, ranks]

    def power_spectrum(self):
        return (np.abs(np.fft.rfft(self.odd - self.odd.mean(axis=0), axis=0)) ** 2).mean(axis=1)


class Torch:
    def __init__(self):
        self.theta = torch.from_numpy(THETA)
        self.wide, self.samples = torch.from_numpy(noise(8192, 256)), torch.from_numpy(noise(512, 4096))

    def phase_table(self):
        angle = torch.outer(torch.arange(1 << 18, dtype=torch.float64), self.theta)
        return torch.stack((angle.sin(), angle.cos()), dim=-1).reshape(1 << 18, -1)

    def phase_table_halves(self):
        angle = torch.outer(torch.arange(1 << 18, dtype=torch.float64), self.theta)
        return torch.cat((angle.sin(), angle.cos()), dim=-1)

    def cosine_sum(self):
        return [torch.cos(torch.outer(torch.arange(s, s + 4096, dtype=torch.float64), self.theta)).mean(dim=1)
                for s in range(0, LAGS, 4096)]

    def partial_sums(self):
        result = []
        for s in range(0, LAGS, 4096):
            angle = torch.outer(torch.arange(s, s + 4096, dtype=torch.float64), self.theta)
            result.append(torch.hypot(angle.cos().cumsum(1), angle.sin().cumsum(1)).mean(dim=1))
        return result

    def nearest_rows(self):
        square = (self.wide**2).sum(dim=1)
        return [(square - 2 * self.wide[m : m + 1024] @ self.wide.T).topk(2, dim=1, largest=False) for m in range(0, 8192, 1024)]

    def quantiles(self):
        return torch.quantile(self.samples, torch.tensor(SHARES, dtype=torch.float64), dim=1, interpolation="higher")


def seconds(work):
    start = time.process_time()
    work()
    return time.process_time() - start


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program")
    options.add_argument("--runs", type=int, default=7)
    options.add_argument("--only", default="")
    chosen = options.parse_args()

    print(subprocess.run([chosen.program, "--list"], check=True, text=True, capture_output=True).stdout.splitlines()[0])
    print(f"NumPy {np.__version__}, PyTorch {torch.__version__ if torch else 'not importable'}, {chosen.runs} runs; gates in brackets")
    server = subprocess.Popen([chosen.program, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ours(job, threads):
        server.stdin.write(f"{job} {threads}\n")
        server.stdin.flush()
        return [float(x) for x in server.stdout.readline().split()]

    others = {"NumPy": Numpy()}
    if torch:
        others["PyTorch"] = Torch()
    print(f"{'kernel':<20}{'seconds':>9}  {'share of the limit':<22}{'x NumPy':<16}{'x PyTorch':<12}{'2 threads':<12}")
    for job, (share_gate, ratio_gate, thread_gate) in GATES.items():
        if chosen.only and job not in chosen.only.split(","):
            continue
        own, shares, gains = [], [], []
        ratios = {name: [] for name in others}
        ours(job, 1)  # memory and caches
        for _ in range(chosen.runs):
            wall, cpu, _, limit = ours(job, 1)
            own.append(cpu)
            shares.append(limit / cpu)
            gains.append(wall / ours(job, 2)[0])
            for name, other in others.items():
                if hasattr(other, job):
                    ratios[name].append(seconds(getattr(other, job)) / cpu)

        def median(values, digits, gate=None):
            text = f"{statistics.median(values):.{digits}f}" if values and max(values) > 0 else "-"
            return text + (f" [{gate}]" if gate else "")

        print(f"{job:<20}{statistics.median(own):>9.4f}  {median(shares, 2, share_gate):<22}{median(ratios['NumPy'], 1, ratio_gate):<16}"
              f"{median(ratios.get('PyTorch'), 1):<12}{median(gains, 2, thread_gate):<12}", flush=True)
    server.stdin.close()
    server.wait()


if __name__ == "__main__":
    main()
