#!/usr/bin/env python3
"""Values of the decay analysis in 40-digit arithmetic, from the definitions alone. Writes the list that
tests/analyses/decay_reference_test.cpp reads:  tools/reference/decay.py > tests/data/decay_reference.json"""
import json
import random
import sys

from mpmath import cos, exp, floor, log, mp, mpc, mpf, sin, sqrt, zeta

mp.dps = 40
entries = []


def entry(encoding, options, variable, index, value, abs_tol=0.0, rel_tol=0.0):
    entries.append({"analysis": "decay", "encoding": encoding, "options": {**options, "samples": 1}, "variable": variable, "index": index,
                    "value": float(value), "abs_tol": abs_tol, "rel_tol": rel_tol})


def geometric(dim, base, width=None):
    """Frequencies of dim/2 pairs, of which the first width/2 turn."""
    width = width or dim
    return [mpf(base) ** (-mpf(2 * i) / width) for i in range(width // 2)] + [mpf(0)] * ((dim - width) // 2)


def kappa(theta, s):
    return sum(cos(s * t) for t in theta) / len(theta)


def bound(theta, s):
    order = sorted(theta, reverse=True)
    total, partial = mpf(0), mpc(0)
    for t in order:
        partial += mpc(cos(s * t), sin(s * t))
        total += abs(partial)
    return total / len(order)


def variance(theta, s, rho):
    return 2 * rho ** 2 * sum(cos(s * t) ** 2 for t in theta) / len(theta) + (1 - rho ** 2)


def rotary():
    draw = random.Random(1)
    for dim, base, width, length in ((128, 10000, 128, 1048576), (64, 500, 64, 4096), (96, 1000000, 48, 65536), (2, 10000, 2, 5000)):
        theta = geometric(dim, base, width)
        encoding = "rope" if width == dim else f"rope:partial={width / dim}"
        options = {"dim": dim, "base": base, "length": length}
        for s in sorted(draw.sample(range(length), 24)) + [length - 1]:
            entry(encoding, options, "score", {"lag": s}, kappa(theta, s), abs_tol=1e-14)
            entry(encoding, options, "logit_mean", {"rho": 0.5, "lag": s}, sqrt(dim) * kappa(theta, s) / 2, abs_tol=1e-13)
            entry(encoding, options, "logit_std", {"rho": 1.0, "lag": s}, sqrt(variance(theta, s, 1)), abs_tol=1e-13)
            entry(encoding, options, "logit_std", {"rho": 0.5, "lag": s}, sqrt(variance(theta, s, mpf(0.5))), abs_tol=1e-13)
            entry(encoding, options, "upper_bound", {"lag": s}, bound(theta, s), rel_tol=1e-12)


def damped():
    dim, draw = 64, random.Random(2)
    theta = geometric(dim, 10000)
    zeta_ = [log((2 * i + mpf(4) / 10 * dim) / (mpf(14) / 10 * dim)) / 512 for i in range(dim // 2)]
    for s in sorted(draw.sample(range(4096), 16)):
        w = [exp(s * z) for z in zeta_]
        options = {"dim": dim, "length": 4096}
        entry("xpos", options, "score", {"lag": s}, sum(a * cos(s * t) for a, t in zip(w, theta)) / len(theta), abs_tol=1e-14)
        for rho in (0, 1):
            v = sum(2 * rho * a * a * cos(s * t) ** 2 + (1 - rho) * a * a for a, t in zip(w, theta)) / len(theta)
            entry("xpos", options, "logit_std", {"rho": float(rho), "lag": s}, sqrt(v), abs_tol=1e-13)


def sinusoidal():
    dim, draw = 96, random.Random(3)
    theta = geometric(dim, 10000)
    for s in [0, 1] + sorted(draw.sample(range(8192), 16)):
        options = {"dim": dim, "length": 8192}
        entry("sinusoidal", options, "score", {"lag": s}, kappa(theta, s), abs_tol=1e-14)
        entry("sinusoidal", options, "logit_mean", {"rho": 0.5, "lag": s}, sqrt(mpf(dim)) / 2 * (1 + kappa(theta, s)), abs_tol=1e-12)
        entry("sinusoidal", options, "logit_std", {"rho": 0.5, "lag": s}, sqrt(2 + mpf(1) / 4 + kappa(theta, s) / 2), abs_tol=1e-13)


def softmax(encoding, options, index, logits):
    top = max(logits)
    weight = [exp(x - top) for x in logits]
    total = sum(weight)
    p = [w / total for w in weight]
    entry(encoding, options, "entropy", index or None, -sum(x * log(x) for x in p if x > 0), rel_tol=1e-13, abs_tol=1e-13)
    for s in (0, 1, len(p) // 2, len(p) - 1):
        entry(encoding, options, "attention", {**index, "lag": s}, p[s], rel_tol=1e-12)
    for mass in (0.5, 0.9, 0.99):
        held, n = mpf(0), 0
        while held < mpf(mass) - mpf(10) ** -14:
            held, n = held + p[n], n + 1
        entry(encoding, options, "window", {**index, "mass": mass}, n)


def shape(encoding, options, index, score):
    L = len(score)
    x = [log(s) for s in range(1, L)]
    mean = sum(x) / (L - 1)
    slope = sum((a - mean) * y for a, y in zip(x, score[1:])) / sum((a - mean) ** 2 for a in x)
    steps = [b - a for a, b in zip(score, score[1:])]
    entry(encoding, options, "log_slope", index or None, slope, rel_tol=1e-12, abs_tol=1e-14)
    entry(encoding, options, "total_variation", index or None, sum(map(abs, steps)), rel_tol=1e-12)
    entry(encoding, options, "upward_variation", index or None, sum(d for d in steps if d > 0), rel_tol=1e-12)
    first = [s + 1 for s, d in enumerate(steps) if d > mpf(10) ** -14]
    if first:
        entry(encoding, options, "first_increase", index or None, first[0])
    negative = [s for s, y in enumerate(score) if y < -mpf(10) ** -14]
    if negative:
        entry(encoding, options, "first_negative", index or None, negative[0])


def curves():
    for dim, L in ((128, 600), (16, 333)):
        theta = geometric(dim, 10000)
        score, options = [kappa(theta, s) for s in range(L)], {"dim": dim, "length": L}
        shape("rope", options, {}, score)
        softmax("rope", options, {}, [sqrt(mpf(dim)) * y for y in score])
        shape("sinusoidal", options, {}, score)
        softmax("sinusoidal", options, {}, [sqrt(mpf(dim)) * y for y in score])
    theta = [mpf(10000) ** (-mpf(2 * i) / 128) for i in range(1, 65)]  # Sandwich counts frequencies from 1
    score = [(sum(cos(s * t) for t in theta) - 64) / 8 for s in range(500)]
    shape("sandwich", {"length": 500}, {"head": 7}, score)
    softmax("sandwich", {"length": 500}, {"head": 7}, score)
    for head in (0, 7):
        score = [-s * mpf(2) ** -(head + 1) for s in range(777)]
        shape("alibi", {"length": 777}, {"head": head}, score)
        softmax("alibi", {"length": 777}, {"head": head}, score)


def receptive_fields():
    """Sums of e^bias without end: ALiBi a geometric series, KERPLE-log the Hurwitz zeta function."""
    for head in (0, 3, 7):
        m = mpf(2) ** -(head + 1)
        options = {"heads": 8, "length": 64}
        entry("alibi", options, "bias_sum", {"head": head}, 1 / (1 - exp(-m)), rel_tol=1e-13)
        entry("alibi", options, "converges", {"head": head}, 1)
        for eps in (0.5, 0.1, 0.01):  # the mass beyond lag j is e^(-m j); a hair of slack, as everywhere
            entry("alibi", options, "trf", {"head": head, "eps": eps}, -floor(log(mpf(eps)) / m + mpf(10) ** -9))
    for r1, r2 in ((1.5, 1), (2, 1), (3, 1), (1.2, 0.25)):
        a = 1 / mpf(r2)  # sum (1 + r2 s)^-r1 = r2^-r1 zeta(r1, 1/r2)
        total, options = mpf(r2) ** -mpf(r1) * zeta(mpf(r1), a), {"heads": 1, "length": 64}
        encoding = f"kerple:r1={r1},r2={r2}"
        entry(encoding, options, "bias_sum", {"head": 0}, total, rel_tol=1e-9)
        entry(encoding, options, "converges", {"head": 0}, 1)
        for eps in (0.5, 0.1, 0.01):
            beyond = lambda j: mpf(r2) ** -mpf(r1) * zeta(mpf(r1), a + j)
            low, high = 0, 1
            while beyond(high) > eps * total:
                high *= 2
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if beyond(middle) > eps * total else (low, middle)
            entry(encoding, options, "trf", {"head": 0, "eps": eps}, high, rel_tol=0 if high < 4194304 else 1e-7)
    for r1 in (1, 0.5):
        entry(f"kerple:r1={r1},r2=1", {"heads": 1, "length": 64}, "converges", {"head": 0}, 0)
    for encoding in ("t5", "sandwich"):  # bounded biases
        for head in (0, 7):
            entry(encoding, {"length": 64}, "converges", {"head": head}, 0)


for part in (rotary, damped, sinusoidal, curves, receptive_fields):
    part()
sys.stdout.write("[\n" + ",\n".join(json.dumps(e) for e in entries) + "\n]\n")
