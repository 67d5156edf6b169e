"""Writes tests/data/rotary_family.json: scores and angles of schemes of the rotary family from their definitions, in 50 digits.

Matrices are products of 2 x 2 blocks, written out as such; nothing is shared with the program.
"""
import json
import pathlib

from mpmath import cosh, diag, exp, expm, ln, log, matrix, mp, mpf, pi, sinh, sqrt

mp.dps = 50
OUT = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "rotary_family.json"


class Numbers:
    """Decimals of three digits in (-2, 2), from a linear congruential generator."""

    def __init__(self, seed):
        self.state = seed

    def __call__(self):
        self.state = (1103515245 * self.state + 12345) % 2**31
        return (self.state // 2**10 % 3999 - 1999) / 1000

    def rows(self, rows, columns):
        return [[self() for _ in range(columns)] for _ in range(rows)]


def exact(x):
    return mpf(str(x))


def theta(base, width):
    return [mpf(base) ** (mpf(-2 * i) / width) for i in range(width // 2)]


def column(row):
    return matrix([exact(x) for x in row])


def nested(values):
    return [[float(mp.nstr(v, 30)) for v in row] for row in values]


def of_blocks(pairs, width, block):
    m = diag([1] * width)
    for j, (a, b) in enumerate(pairs):
        ((m[a, a], m[a, b]), (m[b, a], m[b, b])) = block(j)
    return m


def interleaved(width):
    return [(2 * i, 2 * i + 1) for i in range(width // 2)]


def half_split(width):
    return [(i, i + width // 2) for i in range(width // 2)]


def hyperbolic():
    """Each vector transformed at its own position, e^(-+) damping included, before the product."""
    draw = Numbers(1)
    q, k, base = draw.rows(6, 8), draw.rows(6, 8), 10000
    damping = ln(1 + exp(mpf("1.5"))) + mpf("1.0001")
    t = theta(base, 8)

    def at(position, sign):
        def block(j):
            x = sign * position * t[j]
            return (cosh(x), sinh(x)), (sinh(x), cosh(x))

        return exp(-sign * position * damping) * of_blocks(interleaved(8), 8, block)

    scores = [[((at(m, 1) * column(q[m])).T * (at(n, -1) * column(k[n])))[0] if n <= m else mpf(0) for n in range(6)] for m in range(6)]
    return {"q": q, "k": k, "base": base, "damping": float(mp.nstr(damping, 30)), "scores": nested(scores)}


def imaginary():
    """The query q sin - rotate_half(q) cos against the rotated key."""
    draw = Numbers(2)
    q, k = draw.rows(5, 8), draw.rows(5, 8)
    t = theta(10000, 8)

    def rotate_half(x):
        return matrix([-v for v in x[4:]] + list(x[:4]))

    def times(x, f):
        return matrix([x[i] * f(i % 4) for i in range(8)])

    def key(n):
        x = [exact(v) for v in k[n]]
        return times(x, lambda j: mp.cos(n * t[j])) + times(rotate_half(x), lambda j: mp.sin(n * t[j]))

    def query(m):
        x = [exact(v) for v in q[m]]
        return times(x, lambda j: mp.sin(m * t[j])) - times(rotate_half(x), lambda j: mp.cos(m * t[j]))

    scores = [[(query(m).T * key(n))[0] for n in range(5)] for m in range(5)]
    return {"q": q, "k": k, "scores": nested(scores)}


def grape():
    """The exponential of the generator itself, by its power series."""
    draw = Numbers(3)
    q, k = draw.rows(5, 6), draw.rows(5, 6)
    logs = [-0.25, -1.5, -4.125]

    def group(p):
        generator = matrix(6, 6)
        for j, (a, b) in enumerate(half_split(6)):  # e_a e_b^T - e_b e_a^T
            generator[a, b], generator[b, a] = exp(exact(logs[j])), -exp(exact(logs[j]))
        return expm(p * generator, method="taylor")

    scores = [[((group(m) * column(q[m])).T * (group(n) * column(k[n])))[0] for n in range(5)] for m in range(5)]
    return {"q": q, "k": k, "log_frequencies": logs, "scores": nested(scores)}


def selective():
    """Angles summed step by step; every vector rotated by the angle of its own token."""
    draw = Numbers(4)
    x, phi, kernel, gate = draw.rows(6, 4), draw.rows(6, 2), draw.rows(3, 2), draw.rows(6, 1)
    q, k = draw.rows(6, 4), draw.rows(6, 4)
    temperature = [mpf(500000) ** (mpf(-2 * j) / 4) for j in range(2)]
    parts = [[exact(r[c]) / sqrt(sum(exact(v) ** 2 for v in r[c // 2 * 2 : c // 2 * 2 + 2]) + mpf("1e-6")) for c in range(4)] for r in x]
    angles, total = [], [mpf(0), mpf(0)]
    for t in range(6):
        for j in range(2):
            step = mpf(1) + sum(exact(kernel[i][j]) * exact(phi[t - i][j]) for i in range(3) if t >= i)
            total[j] += exact(gate[t][0]) * step
        angles.append([total[j] * temperature[j] for j in range(2)])

    def rotated(row, t):
        block = lambda j: ((mp.cos(angles[t][j]), -mp.sin(angles[t][j])), (mp.sin(angles[t][j]), mp.cos(angles[t][j])))
        return of_blocks(half_split(4), 4, block) * column(row)

    scores = [[(rotated(q[m], m).T * rotated(k[n], n))[0] if n <= m else mpf(0) for n in range(6)] for m in range(6)]
    return {"x": x, "parts": nested(parts), "phi": phi, "kernel": kernel, "gate": gate, "temperature": [float(v) for v in temperature],
            "angles": nested(angles), "q": q, "k": k, "scores": nested(scores)}  # fmt: skip


def early():
    """LongRoPE with two unscaled positions: queries and keys rotated by what holds at their own position."""
    draw = Numbers(5)
    q, k, factors = draw.rows(5, 8), draw.rows(5, 8), [1.5, 2.25, 6.0, 8.0]
    t = theta(10000, 8)
    gain = sqrt(1 + log(mpf(4)) / log(mpf(4096)))

    def at(p):
        w = t if p < 2 else [t[j] / exact(factors[j]) for j in range(4)]
        block = lambda j: ((mp.cos(p * w[j]), -mp.sin(p * w[j])), (mp.sin(p * w[j]), mp.cos(p * w[j])))
        return (mpf(1) if p < 2 else gain) * of_blocks(half_split(8), 8, block)

    scores = [[((at(m) * column(q[m])).T * (at(n) * column(k[n])))[0] for n in range(5)] for m in range(5)]
    return {"q": q, "k": k, "factors": factors, "factor": 4, "original": 4096, "start_tokens": 2, "scores": nested(scores)}


def image():
    """EVA-02: rows in the first half of the pairs, columns in the second, coordinates rescaled by 16/32; one class token."""
    draw = Numbers(6)
    q, k, columns, scale = draw.rows(7, 8), draw.rows(7, 8), 3, mpf("0.5")
    axis = {"geometric": [mpf(10000) ** (mpf(-2 * i) / 4) for i in range(2)], "pixel": [pi, 5 * pi]}
    out = {"q": q, "k": k, "columns": columns, "scale": 0.5}
    for name, w in axis.items():

        def at(token):
            p = token - 1
            angle = [mpf(0)] * 4 if token == 0 else [scale * (p // columns) * v for v in w] + [scale * (p % columns) * v for v in w]
            block = lambda j: ((mp.cos(angle[j]), -mp.sin(angle[j])), (mp.sin(angle[j]), mp.cos(angle[j])))
            return of_blocks(interleaved(8), 8, block)

        out[name] = nested([[((at(m) * column(q[m])).T * (at(n) * column(k[n])))[0] for n in range(7)] for m in range(7)])
    return out


if __name__ == "__main__":
    parts = {f.__name__: f() for f in (hyperbolic, imaginary, grape, selective, early, image)}
    OUT.write_text("{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(part)}" for name, part in parts.items()) + "\n}\n")
    print(OUT)
