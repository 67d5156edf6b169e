#!/usr/bin/env python3
"""Values of the precision analysis from its definitions: every stage by integer arithmetic on exact rationals of 60-digit
numbers, every maximum by a loop over all positions, every change of a score by a sum over all pairs of positions. Writes
  tools/reference/precision.py > tests/data/precision_reference.json"""
import json
import sys

import numpy as np
from mpmath import cos, fabs, floor, log, mp, mpf, pi, sin

mp.dps = 60
FORMATS = {"float32": (24, -126, 127), "bf16": (8, -126, 127), "fp16": (11, -14, 15)}
entries = []


def entry(encoding, options, variable, index, value, abs_tol=0.0, rel_tol=0.0):
    entries.append({"analysis": "precision", "encoding": encoding, "options": options, "variable": variable, "index": index,
                    "value": None if value is None or value != value else float(value), "abs_tol": abs_tol, "rel_tol": rel_tol})


def rounded(name, x):
    """The nearest number of the format, ties to even; None where it is infinite."""
    digits, low, high = FORMATS[name]
    if x is None:
        return None
    if x == 0:
        return mpf(0)
    exponent = int(floor(log(fabs(x), 2)))
    if mpf(2) ** exponent > fabs(x):
        exponent -= 1
    if mpf(2) ** (exponent + 1) <= fabs(x):
        exponent += 1
    unit = mpf(2) ** (max(exponent, low) - digits + 1)
    n = x / unit
    whole = floor(n)
    rest = n - whole
    whole = int(whole) + (1 if rest > 0.5 or (rest == 0.5 and int(whole) % 2) else 0)
    value = whole * unit
    return None if fabs(value) > (2 - mpf(2) ** (1 - digits)) * mpf(2) ** high else value


def stages(recipe):
    """(frequency, position, angle, storage) formats."""
    if recipe == "float32":
        return ("float32",) * 4
    if recipe == "float32-bf16":
        return ("float32", "float32", "float32", "bf16")
    name, stage = recipe.split("-")
    if stage == "all":
        return (name,) * 4
    return tuple(name if stage == s else None for s in ("frequency", "positions", "angle", "storage"))


def angles(recipe, theta, m):
    m = mpf(m)
    if recipe.startswith("recurrence32"):
        ratio = rounded("float32", theta[1] / theta[0])
        if recipe.endswith("angle"):
            out = [rounded("float32", rounded("float32", m) * theta[0])]
            while len(out) < len(theta):
                out.append(rounded("float32", out[-1] * ratio))
            return out
        t = [rounded("float32", theta[0])]
        while len(t) < len(theta):
            t.append(rounded("float32", t[-1] * ratio))
        return [m * x for x in t]
    frequency, position, angle, _ = stages(recipe)
    p = rounded(position, m) if position else m
    out = []
    for t in theta:
        f = rounded(frequency, t) if frequency else t
        a = None if p is None else p * f
        out.append(rounded(angle, a) if angle else a)
    return out


def phase_error(recipe, theta, m):
    worst = mpf(0)
    for a, t in zip(angles(recipe, theta, m), theta):
        if a is None:
            return pi
        turns = (a - m * t) / (2 * pi)
        worst = max(worst, fabs(turns - floor(turns + mpf("0.5"))) * 2 * pi)
    return worst


def row(recipe, theta, m, amplitude):
    storage = None if recipe.startswith("recurrence32") else stages(recipe)[3]
    out = []
    for a in angles(recipe, theta, m):
        if a is None:
            return None
        out.append([rounded(storage, amplitude * f(a)) if storage else amplitude * f(a) for f in (cos, sin)])
    return out


def table_error(recipe, theta, m, amplitude):
    z = row(recipe, theta, m, amplitude)
    if z is None:
        return None
    return max(max(fabs(c - amplitude * cos(m * t)), fabs(s - amplitude * sin(m * t))) for (c, s), t in zip(z, theta))


def shift_error(recipe, theta, shift, amplitude, constant):
    def table(first):
        return np.array([[complex(float(c), float(s)) for c, s in row(recipe, theta, first + m, amplitude)] for m in range(256)])
    z, y = table(0), table(shift)
    change = norm = 0.0
    for j in range(len(theta)):
        here, there = np.outer(z[:, j].conj(), z[:, j]), np.outer(y[:, j].conj(), y[:, j])
        change += np.sum(np.abs(there - here) ** 2)
        norm += np.sum(np.abs(here) ** 2)
    return float(np.sqrt(change / (norm + constant * 256 ** 2)))


RECIPES = ["float32"] + [f"{f}-{s}" for f in FORMATS for s in ("frequency", "positions", "angle", "storage")] + [
    "bf16-all", "fp16-all", "float32-bf16", "recurrence32-frequency", "recurrence32-angle"]
GRID = list(range(256)) + [int(round(2 ** (8 + j / 32))) for j in range(513)]


def main():
    cases = [("rope", {"dim": 16, "base": 10000}, [mpf(10000) ** (-mpf(i) / 8) for i in range(8)], mpf(1), 0),
             ("rope:partial=0.5", {"dim": 24, "base": 500000}, [mpf(500000) ** (-mpf(i) / 6) for i in range(6)], mpf(1), 6)]
    for encoding, options, theta, amplitude, constant in cases:
        options = {**options, "position-horizon": 1 << 24}
        short = {**options, "position-horizon": 3000}
        for recipe in RECIPES:
            one = {**options, "recipes": recipe}
            for i in (3, 200, 255, 257, 300, 411, 470, 511, 640, 700):
                m = int(round(2 ** (8 + (i - 256) / 32))) if i > 255 else i
                entry(encoding, one, "phase_error", {"recipe": recipe, "position": m}, phase_error(recipe, theta, m), 1e-14, 1e-13)
                entry(encoding, one, "table_error", {"recipe": recipe, "position": m}, table_error(recipe, theta, m, amplitude),
                      1e-14, 1e-13)
            all_errors = [phase_error(recipe, theta, m) for m in range(3000)]
            brief = {**short, "recipes": recipe}
            for i in (0, 100, 256, 300, 350, 369):
                last = GRID[i + 1] if i < 369 else 3000
                if GRID[i] >= 3000:
                    sys.exit("the grid of the short horizon is shorter")
                entry(encoding, brief, "phase_error_max", {"recipe": recipe, "position": GRID[i]}, max(all_errors[GRID[i]:last]),
                      1e-14, 1e-13)
            for tolerance in ("1e-3", "1e-2", "1e-1", "1"):
                above = [m for m, e in enumerate(all_errors) if e > mpf(tolerance) * (1 + mpf("1e-12"))]
                entry(encoding, brief, "first_position", {"recipe": recipe, "tolerance": float(tolerance)}, above[0] if above else None)
            if recipe in ("float32", "bf16-positions", "bf16-storage", "bf16-all", "fp16-angle", "recurrence32-angle"):
                for shift in (16, 1024):
                    # the sums of 65536 terms in double precision
                    entry(encoding, brief, "shift_error", {"recipe": recipe, "shift": shift},
                          shift_error(recipe, theta, shift, amplitude, constant), 1e-13, 1e-9)
    print("[\n" + ",\n".join(json.dumps(e) for e in entries) + "\n]")


if __name__ == "__main__":
    main()
