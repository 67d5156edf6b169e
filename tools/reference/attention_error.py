#!/usr/bin/env python3
"""Reference values of window_error, window_error_in and retrieval_error for tests/data/attention_error.json.

Written from the definition: every training query has its own softmax over its own rows, the Hessian is summed query by query, and
nothing uses that a score depends on the lag alone. NumPy, float64; Newton to a squared decrement of 1e-16.
usage: attention_error.py > tests/data/attention_error.json
"""
import json
import math

import numpy as np

T = 100.0


def windows(length):
    return [2**i for i in range(length.bit_length()) if 2**i <= length]


def wanted(width, query):
    weight = np.exp(-np.arange(query + 1) / width)
    return weight / weight.sum()


def tests(length):
    return [length - 1 - (j * length) // 64 for j in range(16)]


def minimise(value, derivatives, size):
    c = np.zeros(size)
    f = value(c)
    for _ in range(200):
        g, h = derivatives(c)
        step = -np.linalg.solve(h, g)
        decrement = -g @ step
        t = 1.0
        while not value(c + t * step) <= f - 1e-4 * t * decrement + 1e-13 * abs(f) and t > 1e-12:
            t /= 2
        c = c + t * step
        f = value(c)
        if decrement < 1e-16:
            break
    return c, f


def fit_window(rows, width):
    """rows[m]: features of query m at lags 0..m."""
    goals = [wanted(width, m) for m in range(len(rows))]

    def value(c):
        sum_ = c @ c / 2
        for phi, p in zip(rows, goals):
            a = phi @ c
            sum_ += T * (np.logaddexp.reduce(a) - p @ a)
        return sum_

    def derivatives(c):
        g, h = c.copy(), np.eye(len(c))
        for phi, p in zip(rows, goals):
            a = phi @ c
            q = np.exp(a - np.logaddexp.reduce(a))
            mean = phi.T @ q
            g += T * (phi.T @ (q - p))
            h += T * ((phi.T * q) @ phi - np.outer(mean, mean))
        return g, h

    return minimise(value, derivatives, rows[0].shape[1])


def fit_match(rows):
    def value(c):
        sum_ = c @ c / 2
        for m in range(1, len(rows)):
            sum_ += T * np.logaddexp(0, math.log(m) - rows[m] @ c).mean()
        return sum_

    def derivatives(c):
        g, h = c.copy(), np.eye(len(c))
        for m in range(1, len(rows)):
            miss = 1 / (1 + np.exp(rows[m] @ c - math.log(m)))
            g -= T / (m + 1) * (rows[m].T @ miss)
            h += T / (m + 1) * ((rows[m].T * (miss * (1 - miss))) @ rows[m])
        return g, h

    return minimise(value, derivatives, rows[0].shape[1])[0]


def distance(scores, width):
    q = np.exp(scores - np.logaddexp.reduce(scores))
    return np.abs(wanted(width, len(scores) - 1) - q).sum() / 2


def linear(trained, used, length, factors, multiplicative):
    """trained(m), used(N)(m): features of query m at lags 0..m."""
    rows = [trained(m) for m in range(length)]
    pairs = np.concatenate(rows) if BY_QUERY[0] else rows[-1]
    scale = 1 / math.sqrt((pairs**2).sum(1).mean())
    rows = [scale * r for r in rows]
    fits = [fit_window(rows, w)[0] for w in windows(length)]

    def window(features, n):
        return np.mean([distance(scale * features(m) @ c, w) for w, c in zip(windows(length), fits) for m in tests(n)])

    match = fit_match(rows if multiplicative else [np.ones((m + 1, 1)) for m in range(length)])

    def retrieval(features, n):
        errors = []
        for m in tests(n):
            a = scale * features(m) @ match if multiplicative else np.full(m + 1, match[0])
            errors.append(np.mean(m / (m + np.exp(a))))
        return np.mean(errors)

    at = window(trained, length), retrieval(trained, length)
    return at[0], [(window(used(k * length), k * length) - at[0], retrieval(used(k * length), k * length) - at[1]) for k in factors]


def fixed(biases, length, factors):
    """biases: one function of the lags a head."""
    lags = np.arange(length)

    def cost(b, w):
        return sum(np.logaddexp.reduce(b(lags[: m + 1])) - wanted(w, m) @ b(lags[: m + 1]) for m in range(length))

    best = [min(biases, key=lambda b: cost(b, w)) for w in windows(length)]

    def odds(b, m):  # ln O_m(s), by leaving each key out
        a = b(np.arange(m + 1))
        return np.array([np.logaddexp.reduce(np.delete(a, s)) - a[s] for s in range(m + 1)])

    def match(b):
        o = [odds(b, m) for m in range(1, length)]

        def value(c):
            return c[0] ** 2 / 2 + T * sum(np.logaddexp(0, x - c[0]).mean() for x in o)

        def derivatives(c):
            g, h = c[0], 1.0
            for x in o:
                miss = 1 / (1 + np.exp(c[0] - x))
                g -= T * miss.mean()
                h += T * (miss * (1 - miss)).mean()
            return np.array([g]), np.array([[h]])

        c, f = minimise(value, derivatives, 1)
        return f, c[0]

    fits = [(*match(b), b) for b in biases]
    _, score, chosen = min(fits, key=lambda f: f[0])

    def window(n):
        return np.mean([distance(b(np.arange(m + 1)), w) for w, b in zip(windows(length), best) for m in tests(n)])

    def retrieval(n):
        return np.mean([np.mean(1 / (1 + np.exp(score - odds(chosen, m)))) for m in tests(n)])

    return window(length), [(window(k * length) - window(length), retrieval(k * length) - retrieval(length)) for k in factors]


BY_QUERY = [False]


def by_lag(phi):
    return lambda m: phi(np.arange(m + 1))


def waves(theta, heat=1.0, zeta=None):
    def phi(s):
        angle = np.asarray(s, float)[:, None] * theta
        gain = heat if zeta is None else zeta ** (np.asarray(s, float)[:, None] / 512)
        return np.concatenate([np.cos(angle) * gain, np.sin(angle) * gain], 1)

    return phi


def one_hot(index, size):
    return lambda s: np.eye(size)[index(np.asarray(s))]


def frequencies(dim, kind, factor, length, base=10000.0):
    i = np.arange(dim // 2)
    theta, heat = base ** (-2 * i / dim), 1.0
    if kind == "pi":
        theta = theta / factor
    if kind == "ntk":
        theta = (base * factor ** (dim / (dim - 2))) ** (-2 * i / dim)
    if kind == "yarn" and factor > 1:
        index = lambda turns: dim * math.log(length / (2 * math.pi * turns)) / (2 * math.log(base))
        low, high = max(math.floor(index(32)), 0), min(math.ceil(index(1)), dim - 1)
        ramp = np.clip((i - low) / max(high - low, 1e-3), 0, 1)
        theta, heat = theta / factor * ramp + theta * (1 - ramp), 0.1 * math.log(factor) + 1
    if kind == "p-rope":
        theta = theta * (i < math.floor(0.75 * (dim // 2)))
    return theta, heat**2


def t5_bucket(s):
    large = 16 + (np.log(np.maximum(s, 1) / 16) / math.log(8) * 16).astype(int)
    return np.where(s < 16, s, np.minimum(large, 31))


def main():
    out = []

    def record(encoding, options, length, factors, result):
        inside, beyond = result
        options = {**options, "length": length, "extend": list(factors), "attention-error": "yes"}

        def entry(variable, index, value):
            out.append({"analysis": "extrapolation", "encoding": encoding, "options": options, "variable": variable, "index": index,
                        "value": float(value), "abs_tol": 1e-8, "rel_tol": 0})

        entry("window_error_in", None, inside)
        for k, (w, r) in zip(factors, beyond):
            entry("window_error", {"factor": k}, w)
            entry("retrieval_error", {"factor": k}, r)

    small, factors = 128, (2, 4, 8)
    for kind, name in (("none", "rope"), ("pi", "pi"), ("ntk", "ntk"), ("yarn", "yarn"), ("p-rope", "p-rope:keep=0.75")):
        trained = by_lag(waves(*frequencies(16, kind if kind == "p-rope" else "none", 1, small)))
        used = lambda n: by_lag(waves(*frequencies(16, kind, n / small, small)))
        record(name, {"dim": 16}, small, factors, linear(trained, used, small, factors, True))
    zeta = (2 * np.arange(8) + 0.4 * 16) / (1.4 * 16)
    theta = frequencies(16, "none", 1, small)[0]
    damped = by_lag(waves(theta, 1.0, zeta))
    record("xpos", {"dim": 16}, small, factors, linear(damped, lambda n: damped, small, factors, True))
    for name, options, phi in (
        ("nope", {}, lambda s: np.ones((len(s), 1))),
        ("shaw:clip=16", {}, one_hot(lambda s: np.minimum(s, 16), 17)),
        ("deberta:clip=64,key-row=paper", {}, one_hot(lambda s: np.minimum(s, 64), 65)),
        ("t5", {}, one_hot(t5_bucket, 32)),
        ("transformer-xl", {"dim": 64}, waves(frequencies(64, "none", 1, small)[0])),
        ("kerple:r1=1,r2=0.5", {"heads": 1}, lambda s: -np.log1p(0.5 * np.asarray(s, float))[:, None]),
    ):
        trained = by_lag(phi)
        record(name, options, small, factors, linear(trained, lambda n: trained, small, factors, False))
    record("alibi", {"heads": 4}, small, factors, fixed([lambda s, h=h: -(2.0 ** (-2 * h)) * s for h in range(1, 5)], small, factors))
    theta = 10000.0 ** (-2 * np.arange(1, 9) / 16)
    cosines = lambda s: np.cos(np.asarray(s)[:, None] * theta).sum(1) - 8
    record("sandwich", {"heads": 4, "dim": 16}, small, factors,
           fixed([lambda s, h=h: cosines(s) / (2 * h) for h in range(1, 5)], small, factors))

    # A position map and a query scale in use, plain rotations in training.
    theta = frequencies(16, "none", 1, 64)[0]

    def mapped(m):
        s, n = np.arange(m + 1), m - np.arange(m + 1)
        lag = np.where(s < 16, s, m // 4 + 16 - 4 - n // 4)
        return max(1.0, math.log(m + 1) / math.log(64)) * waves(theta)(lag)

    record("self-extend:group=4,window=16,log-scale=true", {"dim": 16}, 64, (2, 4),
           linear(by_lag(waves(theta)), lambda n: mapped, 64, (2, 4), True))

    # An absolute table: p_m (x) p_n with |p| = 1.
    code = lambda s: waves(frequencies(8, "none", 1, 24, 50.0)[0])(s) / 2
    pairs = lambda m: np.einsum("i,sj->sij", code([m])[0], code(m - np.arange(m + 1))).reshape(m + 1, -1)
    BY_QUERY[0] = True
    record("sinusoidal", {"dim": 8, "base": 50}, 24, (2, 4), linear(pairs, lambda n: pairs, 24, (2, 4), False))

    # A learned table: one-hot rows, beyond the last one that row, or rows stretched over the length in use.
    rows = 24

    def one_hot_rows(at):
        low = np.minimum(np.floor(at).astype(int), rows - 1)
        high, share = np.minimum(low + 1, rows - 1), (at - low)[:, None]
        return (1 - share) * np.eye(rows)[low] + share * np.eye(rows)[high]

    def learned(place):
        def pairs(m):
            keys = one_hot_rows(place(m - np.arange(m + 1)))
            return np.einsum("i,sj->sij", one_hot_rows(place(np.array([m])))[0], keys).reshape(m + 1, -1)

        return pairs

    trained = learned(lambda p: p.astype(float))
    record("learned:dim=8,beyond=clamp", {}, rows, (2, 4),
           linear(trained, lambda n: learned(lambda p: np.minimum(p, rows - 1).astype(float)), rows, (2, 4), False))
    record("learned:dim=8,beyond=linear", {}, rows, (2, 4),
           linear(trained, lambda n: learned(lambda p: p * (rows - 1) / (n - 1)), rows, (2, 4), False))
    BY_QUERY[0] = False
    print("[\n" + ",\n".join(json.dumps(e) for e in out) + "\n]")


if __name__ == "__main__":
    main()
