#!/usr/bin/env python3
"""Values of the periodicity and ambiguity analyses from their definitions alone: loops over every lag or pair of positions with
phases in 128-bit integers, 80-digit arithmetic for the numbers kept. Writes the list that the tests of both analyses read:
  tools/reference/periodicity_ambiguity.py data/trained > tests/data/periodicity_ambiguity_reference.json"""
import json
import math
import pathlib
import random
import sys

import numpy as np
from mpmath import cos, exp, log, mp, mpf, pi, sin, sqrt

mp.dps = 80
trained = pathlib.Path(sys.argv[1])
entries = []


def entry(analysis, encoding, options, variable, index, value, abs_tol=0.0, rel_tol=0.0):
    entries.append({"analysis": analysis, "encoding": encoding, "options": options, "variable": variable, "index": index,
                    "value": None if value is None else float(value), "abs_tol": abs_tol, "rel_tol": rel_tol})


def geometric(dim, base, width=None):
    width = dim if width is None else width
    return [mpf(base) ** (-mpf(2 * i) / width) for i in range(width // 2)] + [mpf(0)] * ((dim - width) // 2)


def deficit(theta, s, damping=None):
    """1 - kappa(s)."""
    w = [exp(s * z) for z in damping] if damping else [mpf(1)] * len(theta)
    return sum(1 - a * cos(s * t) for a, t in zip(w, theta)) / len(theta)


def curve(theta, end, damping=None):
    """1 - kappa at 0 .. end - 1 in float64, each phase reduced exactly; error about 1e-15."""
    s = np.arange(end)
    out = np.zeros(end)
    for j, t in enumerate(theta):
        turn = int(mp.floor(t / (2 * pi) * mpf(2) ** 128 + mpf(1) / 2))
        high, low = (turn >> 64) & (2 ** 64 - 1), turn & (2 ** 64 - 1)
        # top 64 bits of s * turn mod 2^128, s < 2^31
        low_high, low_low = np.uint64(low >> 32), np.uint64(low & 0xFFFFFFFF)
        n = s.astype(np.uint64)
        carry = (n * low_high + ((n * low_low) >> np.uint64(32))) >> np.uint64(32)
        phase = (n * np.uint64(high) + carry).astype(np.int64).astype(np.float64) * 2.0 ** -64
        w = np.exp(s * float(damping[j])) if damping else 1.0
        out += (1 - w) + 2 * w * np.sin(np.pi * phase) ** 2
    return out / len(theta)


def first(condition):
    at = np.flatnonzero(condition)
    return int(at[0]) if len(at) else None


def guard_of(d, constant):
    at = first(1 - d[1:] <= constant + 1e-14)
    return None if at is None else at + 1


def nearest_by_lag(distance, m, guard):
    """Smallest position of least distance, within 1e-14."""
    length = len(distance)
    candidates = [n for n in range(length) if abs(m - n) >= guard]
    if not candidates:
        return None, None
    least = min(distance[abs(m - n)] for n in candidates)
    n = min(n for n in candidates if distance[abs(m - n)] <= least + 1e-14)
    return n, distance[abs(m - n)]


def round_bf16(x):
    """To nearest even in 8 significant bits, from the double."""
    mantissa, exponent = np.frexp(x)
    return np.ldexp(np.rint(mantissa * 256), exponent - 8)


def code_errors(rows):
    norm = math.sqrt(2 * np.mean(np.sum(rows ** 2, axis=1)))
    stored = {"fp32": rows.astype(np.float32).astype(float), "fp16": rows.astype(np.float16).astype(float), "bf16": round_bf16(rows)}
    return {name: math.sqrt(np.mean(np.sum((s - rows) ** 2, axis=1))) / norm for name, s in stored.items()}


def ranges(encoding, options, distance, noises):
    for noise in noises:
        blurred = distance[1:] < noise + 1e-14
        at = first(blurred)
        entry("ambiguity", encoding, options, "unambiguous_range", {"noise": noise}, len(distance) - 1 if at is None else at)
        entry("ambiguity", encoding, options, "confusable", {"noise": noise}, int(blurred.sum()))


def by_lag(encoding, options, theta, constant, damping=None, errors=True):
    """Everything that follows from kappa(s)."""
    length, horizon = options["length"], options.get("lag-horizon", 16 * options["length"])
    draw = random.Random(encoding + str(options))
    d = curve(theta, max(horizon, length) + 1, damping)
    distance = np.sqrt(d[:length])
    add = lambda variable, index, value, **tol: entry("ambiguity", encoding, options, variable, index, value, **tol)
    for s in [1] + sorted(draw.sample(range(length), 6)):
        add("distance", {"lag": s}, sqrt(deficit(theta, s, damping)), rel_tol=1e-12)
    guard = guard_of(d[:horizon], constant)
    add("guard", None, guard)
    add("mainlobe_half_width", None, guard_of(d[:horizon], (1 + constant) / 2))
    ranges(encoding, options, distance, (0.3, 0.1, 0.03, 0.01))
    positions = sorted(draw.sample(range(length), 12)) + [0, length // 2 - 1, length // 2, length - 1]
    if guard is None:
        for variable in ("contrast", "peak_sidelobe", "peak_sidelobe_lag"):
            add(variable, None, None)
        for m in positions:
            add("nearest_position", {"position": m}, None)
    else:
        alias = d[guard:horizon]
        lag = guard + first(alias <= alias.min() + 1e-14)
        add("peak_sidelobe_lag", None, lag)
        add("peak_sidelobe", None, 1 - deficit(theta, lag, damping), abs_tol=1e-13)
        add("contrast", None, sqrt(deficit(theta, lag, damping) / deficit(theta, 1, damping)), rel_tol=1e-12)
        for m in positions:
            n, _ = nearest_by_lag(distance, m, guard)
            add("nearest_position", {"position": m}, n)
            add("nearest_distance", {"position": m}, None if n is None else sqrt(deficit(theta, abs(m - n), damping)), rel_tol=1e-12)
    if errors:
        # cos and sin from 80 digits for the first 64 positions only would not be the rms: float64 is close enough for 1e-6
        angle = np.outer(np.arange(length), [float(t) for t in theta])
        rows = np.concatenate([np.cos(angle), np.sin(angle)], axis=1)
        for dtype, value in code_errors(rows).items():
            add("code_error", {"dtype": dtype}, value, rel_tol=1e-6 if dtype != "fp32" else 1e-4)
    if guard is None:
        return
    big = np.sqrt(d)
    least, record = math.inf, 0
    for s in range(guard, horizon):
        if big[s - 1] - big[s] >= 1e-14 and big[s] - big[s + 1] < 1e-14 and least - big[s] >= 1e-14:
            entry("periodicity", encoding, options, "record_lag", {"record": record}, s)
            entry("periodicity", encoding, options, "record_distance", {"record": record}, sqrt(deficit(theta, s, damping)),
                  abs_tol=1e-13)
            record += 1
        least = min(least, big[s])


def rotary():
    by_lag("rope", {"dim": 128, "base": 10000, "length": 2048}, geometric(128, 10000), 0)
    by_lag("rope", {"dim": 64, "base": 100, "length": 1500, "lag-horizon": 200000}, geometric(64, 100), 0)
    by_lag("rope", {"dim": 4, "base": 10000, "length": 700, "lag-horizon": 50000}, geometric(4, 10000), 0)
    by_lag("rope:partial=0.25", {"dim": 64, "base": 10000, "length": 900}, geometric(64, 10000, 16), 0.75)
    by_lag("rope:frequencies=single,frequency=0.01", {"dim": 8, "length": 1000}, [mpf(0.01)] * 4, 0)
    by_lag("rope:frequencies=single,frequency=1e-5", {"dim": 8, "length": 1000}, [mpf(1e-5)] * 4, 0)
    # 2 pi / 7 as a double: near returns every 7 lags, ties all along
    by_lag("rope:frequencies=single,frequency=0.8975979010256552", {"dim": 2, "length": 200}, [mpf(0.8975979010256552)], 0)
    by_lag("sinusoidal", {"dim": 64, "base": 500, "length": 640}, geometric(64, 500), 0)
    by_lag("sinusoidal:start-index=123456789", {"dim": 32, "base": 10000, "length": 300}, geometric(32, 10000), 0, errors=False)
    zeta = [log((2 * i + mpf(4) / 10 * 64) / (mpf(14) / 10 * 64)) / 512 for i in range(32)]
    by_lag("xpos", {"dim": 64, "length": 2048}, geometric(64, 10000), 0, damping=zeta)


def wavelengths():
    for dim, base, length in ((128, 10000, 4096), (64, 500000, 777)):
        options = {"dim": dim, "base": base, "length": length}
        theta = geometric(dim, base)
        for j in range(0, dim // 2, 7):
            for encoding in ("rope", "sinusoidal"):
                entry("periodicity", encoding, options, "wavelength", {"pair": j}, 2 * pi / theta[j], rel_tol=1e-15)
                entry("periodicity", encoding, options, "turns", {"pair": j}, length * theta[j] / (2 * pi), rel_tol=1e-15)
        for encoding in ("rope", "sinusoidal"):
            entry("periodicity", encoding, options, "pairs_below_one_turn", None, sum(length * t < 2 * pi for t in theta))
            entry("periodicity", encoding, options, "common_period_pairs", None, 0)
    for dim, base in ((8, 10000), (32, 500), (128, 10000)):
        integers = [int(mp.nint(2 * pi / t)) for t in geometric(dim, base)]
        options = {"dim": dim, "base": base, "length": 64}
        entry("periodicity", "resonance", options, "common_period_log10", None, log(math.lcm(*integers), 10), rel_tol=1e-14)
        entry("periodicity", "resonance", options, "common_period_pairs", None, dim // 2)


def spectrum(encoding, options, rows, power_tol):
    """Power by the sum itself, effective rank by singular values."""
    length = len(rows)
    angle = np.outer(np.arange(1, length // 2 + 1), np.arange(length)) % length * (2 * np.pi / length)
    x = rows - rows.mean(axis=0)
    power = np.mean((np.cos(angle) @ x) ** 2 + (np.sin(angle) @ x) ** 2, axis=1) / length
    add = lambda variable, index, value, **tol: entry("periodicity", encoding, options, variable, index, value, **tol)
    for k in sorted({1, 2, 3, length // 4, length // 2 - 1, length // 2}):
        add("power", {"cycles_per_position": k / length}, power[k - 1], rel_tol=power_tol)
    add("dominant_wavelength", None, length / (1 + int(np.argmax(power))), rel_tol=1e-14)
    add("spectral_flatness", None, math.exp(np.mean(np.log(power))) / np.mean(power), rel_tol=power_tol)
    p = np.linalg.svd(x, compute_uv=False) ** 2
    p /= p.sum()
    add("effective_rank", None, math.exp(-sum(v * math.log(v) for v in p if v > 0)), rel_tol=1e-9)


def table(encoding, options, rows):
    """Distances of a general table, from the differences of every pair of rows."""
    length = len(rows)
    horizon = min(options.get("lag-horizon", 16 * length), length)
    add = lambda variable, index, value, **tol: entry("ambiguity", encoding, options, variable, index, value, **tol)
    squares = np.sum(rows ** 2, axis=1)
    d = np.zeros(length)
    for s in range(1, length):
        d[s] = np.mean(np.sum((rows[s:] - rows[:-s]) ** 2, axis=1)) / 2 / np.mean((squares[s:] + squares[:-s]) / 2)
    for s in range(0, length, max(1, length // 11)):
        add("distance", {"lag": s}, math.sqrt(d[s]), rel_tol=1e-12)
    ranges(encoding, options, np.sqrt(d), (0.3, 0.1, 0.03, 0.01))
    guard = guard_of(d[:horizon], 0)
    add("guard", None, guard)
    add("mainlobe_half_width", None, guard_of(d[:horizon], 0.5))
    for dtype, value in code_errors(rows).items():
        add("code_error", {"dtype": dtype}, value, rel_tol=1e-12)
    if guard is None:
        return
    lag = guard + first(d[guard:horizon] <= d[guard:horizon].min() + 1e-14)
    add("peak_sidelobe_lag", None, lag)
    add("peak_sidelobe", None, 1 - d[lag], abs_tol=1e-13)
    add("contrast", None, math.sqrt(d[lag] / d[1]), rel_tol=1e-12)
    norm = math.sqrt(2 * np.mean(squares))
    for m in range(length):
        away = [(np.linalg.norm(rows[m] - rows[n]) / norm, n) for n in range(length) if abs(m - n) >= guard]
        if not away:
            add("nearest_position", {"position": m}, None)
            continue
        add("nearest_position", {"position": m}, min(n for value, n in away if value <= min(away)[0] + 1e-14))
        add("nearest_distance", {"position": m}, min(away)[0], rel_tol=1e-12)


def tables():
    for name in ("learned.wpe", "tupe.wpe"):
        rows = np.load(trained / f"{name}.npy").astype(float)
        for length in (64, 41):
            options = {"length": length, "lag-horizon": length}
            table(f"learned:table={name}.npy", options, rows[:length])
            spectrum(f"learned:table={name}.npy", options, rows[:length], 1e-9)
    for dim, base, length in ((64, 10000, 512), (32, 500, 243)):
        angle = [[n * t for t in geometric(dim, base)] for n in range(length)]
        rows = np.array([[float(f(a)) for a in line for f in (sin, cos)] for line in angle])
        spectrum("sinusoidal", {"dim": dim, "base": base, "length": length}, rows, 1e-9)


def t5_bucket(s, buckets, distance):
    exact = buckets // 2
    if s < exact:
        return s
    return min(buckets - 1, exact + int(mp.floor(log(mpf(s) / exact) / log(mpf(distance) / exact) * (buckets - exact) + mpf(10) ** -30)))


def classes():
    def add(encoding, options, code):
        size = {}
        for s, c in enumerate(code):
            size.setdefault(c, []).append(s)
        put = lambda variable, index, value, **tol: entry("ambiguity", encoding, options, variable, index, value, **tol)
        for c in sorted(size)[:: max(1, len(size) // 12)]:
            put("class_start", {"code": c}, size[c][0])
            put("class_size", {"code": c}, len(size[c]))
        put("distinct_codes", None, len(size))
        pairs = sum(1 for a in range(len(code)) for b in range(a) if code[a] == code[b])
        put("ambiguous_fraction", None, mpf(2 * pairs) / (len(code) * (len(code) - 1)), rel_tol=1e-15)

    add("t5", {"length": 300}, [t5_bucket(s, 32, 128) for s in range(300)])
    add("t5:bidirectional=true", {"length": 300}, [t5_bucket(s, 16, 128) for s in range(300)])
    add("shaw:clip=20", {"length": 100}, [20 - min(s, 20) for s in range(100)])
    add("alibi", {"length": 90}, list(range(90)))
    add("transformer-xl", {"length": 90}, list(range(90)))
    add("nope", {"length": 90}, [0] * 90)


rotary()
wavelengths()
tables()
classes()
print("[\n" + ",\n".join(json.dumps(e) for e in entries) + "\n]")
