"""Writes tests/data/math_reference.json: values of the functions of src/math at 60 digits (mpmath), independent of the program.

Real numbers whose last bits matter are pairs [high, low] of doubles with high + low the value. Frequencies are exact reals
theta_i = base^(-2 i / dim), never their rounding. Usage: python3 tools/reference/make_math_reference.py [OUTPUT]
"""
import json
import pathlib
import random
import struct
import sys
from fractions import Fraction

import mpmath as mp

mp.mp.dps = 60
draw = random.Random(20240607)


def pair(x):
    high = float(x)
    return [high, float(x - mp.mpf(high))]


def thetas(base, dim):
    return [mp.mpf(base) ** (mp.mpf(-2 * i) / dim) for i in range(dim // 2)]


def positions(limit, count):
    return [draw.randrange(limit) for _ in range(count)]


def phase_table():
    cases = []
    for base, dim in ((10000, 128), (500000, 66), (2, 34)):
        near = [0, 1, 63, 64, 65, 127, 4095]
        for p in near + positions(10**9, 12) + positions(2**53, 12) + [2**53 - 1, -1, -65, -(10**9)]:
            t = thetas(base, dim)
            cases.append({"base": base, "dim": dim, "position": p, "cos": [pair(mp.cos(p * x)) for x in t[::3]],
                          "sin": [pair(mp.sin(p * x)) for x in t[::3]], "step": 3})
    return cases


def cosine_sums():
    cases = []
    for base, dim, damped in ((10000, 128, False), (10000, 128, True), (500000, 66, False), (10, 2, False)):
        t = thetas(base, dim)
        weight = [draw.uniform(0, 1) for _ in t]
        total = mp.fsum(weight)
        z = [mp.log((mp.mpf(2) * i / dim + mp.mpf("0.4")) / mp.mpf("1.4")) / 512 for i in range(dim // 2)] if damped else []
        z = [float(x) for x in z]
        lags = [0, 1, 2, 3, 255, 256, 257, 511, 512, 12287, 12288] + positions(5000, 10)
        lags += [-1, -3, -700] if damped else positions(10**9, 10) + positions(2**53, 10) + [-1, -512, -513, -(10**9) - 7]
        if dim == 2:
            lags += [44, 710, 103993, 312689, 5419351 * 2, 2**53 - 1]  # theta 1: near multiples of 2 pi and of pi
        for s in lags:
            w = [mp.exp(mp.mpf(x) * s) for x in z] or [mp.mpf(1)] * len(t)
            value = mp.fsum(a * b * mp.cos(s * x) for a, b, x in zip(weight, w, t))
            deficit = mp.fsum(a * ((1 - b) + 2 * b * mp.sin(s * x / 2) ** 2) for a, b, x in zip(weight, w, t))
            growth = max([mp.mpf(1)] + w)
            cases.append({"base": base, "dim": dim, "weight": weight, "log_damping": z, "lag": s, "sum": float(value),
                          "deficit": float(deficit), "scale": float(growth * total)})
    return cases


def partial_sums():
    cases = []
    for base, dim in ((10000, 128), (500000, 66), (10000, 2)):
        t = thetas(base, dim)
        for s in [0, 1, 2, 63, 64, 1000] + positions(10**9, 8) + positions(2**53, 4) + [-5, -12345]:
            x = y = total = mp.mpf(0)
            for angle in t:
                x, y = x + mp.cos(s * angle), y + mp.sin(s * angle)
                total += mp.sqrt(x * x + y * y)
            cases.append({"base": base, "dim": dim, "lag": s, "mean": pair(total / len(t))})
    return cases


def turns():
    cases = []
    for value in (mp.mpf(0), mp.mpf(1) / 3, -mp.mpf(1) / 3, mp.mpf("0.999999999999999999999999999999999999999999999"), mp.pi, -mp.e,
                  1 / (2 * mp.pi), mp.mpf(2) ** -100, -(mp.mpf(2) ** -100)):
        whole = int(mp.floor((value - mp.floor(value)) * mp.mpf(2) ** 128 + mp.mpf(1) / 2)) % 2**128
        cases.append({"digits": mp.nstr(value, 50), "high": str(whole >> 64), "low": str(whole % 2**64)})
    return cases


def philox(counter, key):
    """Salmon 2011, ten rounds, written from the paper."""
    c, k, mask = list(counter), list(key), 2**32 - 1
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(b >> 32) ^ c[1] ^ k[0], b & mask, (a >> 32) ^ c[3] ^ k[1], a & mask]
        k = [(k[0] + 0x9E3779B9) & mask, (k[1] + 0xBB67AE85) & mask]
    return c


def draws():
    def hash_of(name):
        h = 0xCBF29CE484222325
        for byte in name.encode():
            h = (h ^ byte) * 0x100000001B3 % 2**64
        return h

    def unit(high, low):
        k = (high << 32 | low) >> 11
        return mp.mpf(2) ** -54 if k == 0 else mp.mpf(k) / 2**53

    cases = []
    for seed, name in ((0, "table"), (12345678901234567890, "content"), (7, "")):
        stream = hash_of(name)
        for i in (0, 1, 2, 63, 4095, 4096, 2**32 + 5):
            w = philox([i % 2**32, i >> 32, stream % 2**32, stream >> 32], [seed % 2**32, seed >> 32])
            u, v = unit(w[0], w[1]), unit(w[2], w[3])
            cases.append({"seed": str(seed), "name": name, "index": i, "uniform": float(u),
                          "normal": float(mp.sqrt(-2 * mp.log(u)) * mp.cos(2 * mp.pi * v)),
                          "truncated": float(mp.sqrt(2) * mp.erfinv((2 * u - 1) * mp.erf(mp.sqrt(2))))})
    return cases


def rounded(x, digits, min_exponent, max_exponent):
    """To nearest even in exact arithmetic; infinity from max + half a unit on."""
    value = Fraction(x)
    exponent = min_exponent
    while abs(value) >= Fraction(2) ** (exponent + 1):
        exponent += 1
    unit = Fraction(2) ** (exponent - digits + 1)
    result = round(value / unit) * unit  # Python rounds halves of a Fraction to even
    limit = (2 - Fraction(2) ** (1 - digits)) * Fraction(2) ** max_exponent
    if abs(result) > limit:
        return "inf" if value > 0 else "-inf"
    return float(result)


def formats():
    values = [0.0, 1.0, 1 + 2**-8, 1 + 2**-8 + 2**-40, 1 + 3 * 2**-8, 1 + 2**-11, 1 + 2**-11 + 2**-45, 1 + 2**-24, 1 + 2**-24 + 2**-52,
              65504.0, 65519.99999999999, 65520.0, 65536.0, 2.0**-24, 2.0**-25, 2.0**-25 * (1 + 2**-52), 2.0**-14 - 2.0**-26,
              2.0**-133, 2.0**-134, 2.0**-134 * (1 + 2**-52), 2.0**-149, 2.0**-150, 2.0**-150 * (1 + 2**-52), 2.0**-126 * (1 - 2**-9), 5e-324, 1e308,
              float.fromhex("0x1.fep127"), float.fromhex("0x1.fefffffffffffp127"), float.fromhex("0x1.ffp127"),
              float.fromhex("0x1.fffffefffffffp127"), float.fromhex("0x1.ffffffp127"), 256.0, 257.0, 258.0, 259.0, 2049.0, 2051.0, 16777217.0]
    for _ in range(300):
        values.append(struct.unpack("<d", struct.pack("<Q", draw.getrandbits(63) % 0x7FF0000000000000))[0])
    for low, high in ((-160, 130), (-30, 18), (-2, 2)):
        values += [draw.uniform(1, 2) * 2.0 ** draw.randrange(low, high) for _ in range(150)]
    cases = []
    for x in values + [-v for v in values[:60]]:
        cases.append([x, rounded(x, 24, -126, 127), rounded(x, 8, -126, 127), rounded(x, 11, -14, 15)])
    return cases


def spectra():
    cases = []
    for rows, columns in ((1, 2), (2, 1), (7, 3), (16, 5), (31, 17), (60, 2), (97, 1)):
        table = [[draw.gauss(0, 1) for _ in range(columns)] for _ in range(rows)]
        power = []
        for k in range(rows // 2 + 1):
            total = mp.mpf(0)
            for c in range(columns):
                mean = mp.fsum(row[c] for row in table) / rows
                total += abs(mp.fsum((row[c] - mean) * mp.expjpi(mp.mpf(-2 * (k * m % rows)) / rows) for m, row in enumerate(table))) ** 2
            power.append(float(total / columns))
        cases.append({"rows": rows, "columns": columns, "table": [x for row in table for x in row], "power": power})
    return cases


def main():
    here = pathlib.Path(__file__).resolve().parents[2]
    output = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here / "tests/data/math_reference.json"
    parts = {"turns": turns, "phase_table": phase_table, "cosine_sums": cosine_sums, "partial_sums": partial_sums, "draws": draws,
             "formats": formats, "spectra": spectra}
    output.write_text("{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(make())}" for name, make in parts.items()) + "\n}\n")


if __name__ == "__main__":
    main()
