"""Share of inverted pairs of positions under drawn products (Du 2026, arXiv 2605.15514), by NumPy's own draws.

usage: position_inversion.py        prints width, base, length, share aligned (all pairs), share drawn and its standard error
"""
import numpy as np


def aligned(theta, length):
    score = np.cos(np.outer(np.arange(length), theta)).sum(1)
    near, far = np.sort(score[: length // 2]), score[length // 2:]
    return np.searchsorted(near, far - 1e-14 * len(theta)).sum() / (len(near) * len(far))


def drawn(theta, length, count, rng):
    total = 0
    for _ in range(count // 100000):
        size = np.abs(rng.standard_normal((100000, len(theta))))
        phase = rng.vonmises(0, 1, (100000, len(theta)))
        near = rng.integers(0, length // 2, 100000)[:, None]
        far = rng.integers(length // 2, length, 100000)[:, None]
        score = lambda s: (size * np.cos(s * theta + phase)).sum(1)
        total += (score(far) > score(near)).sum()
    return total / count


if __name__ == "__main__":
    rng = np.random.default_rng(1)
    for width, base, length in ((16, 1e4, 1000), (64, 1e4, 4096), (128, 1e4, 8192)):
        theta = base ** (-np.arange(0, width, 2) / width)
        share = drawn(theta, length, 1000000, rng)
        print(width, base, length, repr(aligned(theta, length)), share, (share * (1 - share) / 1e6) ** 0.5)
