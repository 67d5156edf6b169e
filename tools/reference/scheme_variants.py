"""Writes tests/data/scheme_variants.json: variants of absolute, relative, bias and content-dependent schemes on small inputs, each
computed from its definition entry by entry in 40 digits (mpmath), apart from the program."""
import json
import pathlib

import numpy as np
from mpmath import cos, erf, exp, expm, fabs, floor, ln, matrix, mp, mpf, sin, sqrt

mp.dps = 40
OUT = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "scheme_variants.json"
rng = np.random.default_rng(20241)
cases = []


def draw(*shape):
    return np.round(rng.normal(size=shape), 3).tolist()


def number(x):
    if isinstance(x, (list, tuple)):
        return [number(i) for i in x]
    return float(x)


def add(name, source, inputs, expect):
    cases.append({"scheme": name, "source": source, "inputs": inputs, "expect": {k: number(v) for k, v in expect.items()}})


def dot(a, b):
    return sum((mpf(x) * mpf(y) for x, y in zip(a, b)), mpf(0))


def rows_times(x, w):
    """[i][c] of x w, w as [input][output]."""
    return [[sum((mpf(r[i]) * mpf(w[i][c]) for i in range(len(r))), mpf(0)) for c in range(len(w[0]))] for r in x]


def transposed(w):
    return [list(c) for c in zip(*w)]


def head(x, h, d):
    return [r[h * d:(h + 1) * d] for r in x]


def sigmoid(x):
    return 1 / (1 + exp(-x))


# Added tables -----------------------------------------------------------------------------------------------------------
w = [1.7, 0.3, 0.02]
p = [0, 1, 9, 100]
add("sinusoidal_given", "Wang 2021, learnable sinusoidal APE", {"frequencies": w, "positions": p},
    {"interleaved": [[f(mpf(t) * i) for t in w for f in (sin, cos)] for i in p],
     "concat": [[sin(mpf(t) * i) for t in w] + [cos(mpf(t) * i) for t in w] for i in p]})

D, H, d, T = 4, 2, 2, 4
table, uq, uk, bq, bk = draw(T, D), draw(D, D), draw(D, D), draw(D), draw(D)
theta1, theta2, rel = draw(H), draw(H), draw(32, H)
Q = [[v + mpf(b) for v, b in zip(r, bq)] for r in rows_times(table, transposed(uq))]
K = [[v + mpf(b) for v, b in zip(r, bk)] for r in rows_times(table, transposed(uk))]


def tupe(h, relative):
    out = [[None] * T for _ in range(T)]
    for m in range(T):
        for n in range(T):
            bucket = m - n if n <= m else 16 + n - m  # distances below 8 are exact
            value = dot(head([Q[m]], h, d)[0], head([K[n]], h, d)[0]) / sqrt(mpf(2 * d))
            out[m][n] = mpf(theta1[h]) if m == 0 else mpf(theta2[h]) if n == 0 else value + (mpf(rel[bucket][h]) if relative else 0)
    return out


add("tupe_paper", "Ke 2021 (arXiv 2006.15595) eq. 7-10", {"table": table, "uq": uq, "uk": uk, "bq": bq, "bk": bk, "theta1": theta1,
                                                          "theta2": theta2, "rel": rel},
    {"a": [tupe(h, False) for h in range(H)], "r": [tupe(h, True) for h in range(H)]})

local, G, S, step = [0.25, -0.4, 0.1], 1.5, 1.02, 0.5
freq = [mpf(10000) ** (mpf(-2 * i) / 4) for i in range(2)]
add("cape_port", "gcambara/cape cape.py: interleaved, no mean; positions times a step", {"local": local, "global": G, "scale": S},
    {"train": [[f(w * (mpf(step) * i + mpf(G) + mpf(local[i])) * mpf(S)) for w in freq for f in (sin, cos)] for i in range(3)],
     "use": [[f(w * mpf(step) * i) for w in freq for f in (sin, cos)] for i in range(3)]})

x, W, W1, b1, W2, b2 = draw(3, 4), draw(2, 2), draw(4, 3), draw(3), draw(3, 2), draw(2)


def fourier(point):
    phase = [dot(r, point) for r in W]
    r = [cos(f) / sqrt(mpf(4)) for f in phase] + [sin(f) / sqrt(mpf(4)) for f in phase]
    hid = [dot(r, [W1[i][j] for i in range(4)]) + mpf(b1[j]) for j in range(3)]
    act = [v / 2 * (1 + erf(v / sqrt(mpf(2)))) for v in hid]
    return [dot(act, [W2[j][c] for j in range(3)]) + mpf(b2[c]) for c in range(2)]


add("learnable_fourier_groups", "Li 2021 (arXiv 2106.02795) Algorithm 1, two groups",
    {"x": x, "W": W, "W1": W1, "b1": b1, "W2": W2, "b2": b2}, {"pe": [fourier(t[:2]) + fourier(t[2:]) for t in x]})

r, om, ph = draw(2, 3), draw(2, 3), draw(2, 3)


def word(j, phases, positions):
    c = [[mpf(r[j][k]) * cos(mpf(om[j][k]) * p + (mpf(ph[j][k]) if phases else 0)) for k in range(3)] for p in positions]
    s = [[mpf(r[j][k]) * sin(mpf(om[j][k]) * p + (mpf(ph[j][k]) if phases else 0)) for k in range(3)] for p in positions]
    return [a + b for a, b in zip(c, s)]


add("complex_order", "Wang 2020 (arXiv 1912.12333) sec. 3", {"amplitudes": r, "frequencies": om, "phases": ph},
    {"code": word(1, False, range(1, 5)), "paper": word(1, True, range(0, 4))})

# Both units of h keep their sign, so that h is linear and p(t) a matrix exponential of the state [p, t, 1].
fw1, fb1 = [[0.3, -0.2, 0.1], [-0.1, 0.4, -0.2], [0.2, 0.1, 0.1]], [3.0, 4.0, -9.0]
fw2, fb2, fs = [[0.5, -0.4, 0.3, 0.2], [0.6, 0.1, -0.5, -0.1]], [0.05, -0.02], [0.3, -0.7]
A = matrix(4, 4)
for i in range(2):
    for u in range(2):  # the third unit is never active
        for j in range(2):
            A[i, j] += mpf(fw2[i][u]) * mpf(fw1[u][j])
        A[i, 2] += mpf(fw2[i][u]) * mpf(fw1[u][2])
        A[i, 3] += mpf(fw2[i][u]) * mpf(fb1[u])
    A[i, 2] += mpf(fw2[i][3])
    A[i, 3] += mpf(fb2[i])
A[2, 3] = 1
states = [expm(A * (mpf(k) / 4)) * matrix([mpf(fs[0]), mpf(fs[1]), mpf(0), mpf(1)]) for k in range(9)]
for s in states:
    hid = [dot(fw1[u], [s[0], s[1], s[2]]) + mpf(fb1[u]) for u in range(3)]
    assert hid[0] > 0 and hid[1] > 0 and hid[2] < 0
add("floater", "Liu 2020 (arXiv 2003.09229) eq. 4, linear regime by the matrix exponential",
    {"w1": fw1, "b1": fb1, "w2": fw2, "b2": fb2, "start": fs, "dt": 0.25}, {"rows": [[s[0], s[1]] for s in states]})

# Relative vectors -------------------------------------------------------------------------------------------------------
add("shaw_sinusoid", "Wang 2021, sinusoidal RPE in Shaw's place", {"frequencies": [0.9, 0.11]},
    {"given": [[f(mpf(t) * s) for t in (0.9, 0.11) for f in (sin, cos)] for s in range(-2, 3)],
     "base": [[f(mpf(100) ** (-mpf(i) / 2) * s) for i in range(2) for f in (sin, cos)] for s in range(-2, 3)]})

N, D, d = 4, 4, 4
q, k, u, v, wkr = draw(N, d), draw(N, d), draw(1, d), draw(1, d), draw(d, D)


def xl(m, n, clamp):
    s = max(-clamp, min(m - n, clamp))
    R = [f(mpf(10000) ** (mpf(-2 * i) / D) * s) for f in (sin, cos) for i in range(2)]
    a = [dot(row, R) for row in wkr]
    return (dot([mpf(x) + mpf(y) for x, y in zip(q[m], u[0])], k[n]) + dot([mpf(x) + mpf(y) for x, y in zip(q[m], v[0])], a)) / 2


add("transformer_xl_bidirectional", "google-deepmind/randomized_positional_encodings: R at negative distances",
    {"q": q, "k": k, "u": u, "v": v, "wkr": wkr},
    {"free": [[xl(m, n, 99) for n in range(N)] for m in range(N)], "clamped": [[xl(m, n, 2) for n in range(N)] for m in range(N)]})

N, D, H, d, K4 = 4, 4, 2, 2, 4
table, wkr, wqr, bqr = draw(2 * K4, D), draw(H * d, D), draw(H * d, D), draw(H * d)
q, k = draw(N, H, d), draw(N, H, d)
kr = rows_times(table, transposed(wkr))
qr = [[a + mpf(b) for a, b in zip(row, bqr)] for row in rows_times(table, transposed(wqr))]


def deberta(h, m, n, p2p):
    delta = max(0, min(m - n + K4, 2 * K4 - 1))
    t = 4 if p2p else 3
    at = lambda rows, i: rows[i][h * d:(h + 1) * d]
    score = dot(q[m][h], k[n][h]) + dot(q[m][h], at(kr, delta)) + dot(k[n][h], at(qr, delta))
    extra = dot(at(qr, K4 + m), at(kr, delta)) if p2p else mpf(0)
    scale = 1 / sqrt(mpf(t * d))
    return score * scale + extra * (scale if p2p == "scaled" else 1)


add("deberta_own", "microsoft/DeBERTa disentangled_attention.py (v1 projections, offset of qr; p2p unscaled in the code)",
    {"table": table, "wkr": wkr, "wqr": wqr, "bqr": bqr, "q": q, "k": k},
    {name: [[[deberta(h, m, n, p) for n in range(N)] for m in range(N)] for h in range(H)]
     for name, p in (("none", None), ("code", "code"), ("scaled", "scaled"))})

# Biases -----------------------------------------------------------------------------------------------------------------
B, H, d, N = 8, 2, 2, 6
vec, q, k = draw(B, H * d), draw(N, H, d), draw(N, H, d)
bucket = [0, 1, 2, 3, 4, 4, 5]  # 4 exact, then 4 + floor(4 ln(s/4)/ln(16/4)): 4, 5 -> 4, 6 -> 5
for s in (4, 5, 6):
    assert bucket[s] == 4 + int(floor(ln(mpf(s) / 4) / ln(mpf(4)) * 4))
add("t5_contextual", "tensorflow/mesh transformer_layers.py, relative_attention_type contextual", {"vectors": vec, "q": q, "k": k},
    {"logits": [[[dot(q[m][h], k[n][h]) + dot(q[m][h], vec[bucket[m - n]][h * d:(h + 1) * d]) if n <= m else 0 for n in range(N)]
                 for m in range(N)] for h in range(H)]})

add("sandwich_dbar", "Chi 2023 (arXiv 2212.10356) sec. 5", {"dbar": 6, "base": 100, "heads": 2, "s": [-3, 0, 2, 40]},
    {"bias": [[(sum(cos(s * mpf(100) ** (mpf(-2 * i) / 6)) for i in (1, 2, 3)) - 3) / (mpf(8 * h) / 2) for s in (-3, 0, 2, 40)]
              for h in (1, 2)]})

M, P, H, d, U = 3, 2, 2, 2, 4
w1, b1, w2 = draw(U, 2), draw(U), draw(H, U)
q, k = draw(M * M, d), draw(M * M, d)


def coordinate(offset):
    r = mpf(offset) / (P - 1)
    return (1 if r >= 0 else -1) * ln(1 + 8 * fabs(r)) / ln(mpf(2)) / 3


def swin(h, m, n):
    c = [coordinate(m // M - n // M), coordinate(m % M - n % M)]
    hid = [max(mpf(0), dot(w1[j], c) + mpf(b1[j])) for j in range(U)]
    return 16 * sigmoid(dot(w2[h], hid))


tau = 0.25
add("swin_2", "Liu 2022 (arXiv 2111.09883) eq. 2-4; microsoft/Swin-Transformer swin_transformer_v2.py",
    {"w1": w1, "b1": b1, "w2": w2, "q": q, "k": k},
    {"bias": [[[swin(h, m, n) for n in range(9)] for m in range(9)] for h in range(H)],
     "logits": [[[dot(q[m], k[n]) / sqrt(dot(q[m], q[m]) * dot(k[n], k[n])) / mpf(tau) + swin(h, m, n) for n in range(9)]
                 for m in range(9)] for h in range(H)]})

# Scores that depend on content ------------------------------------------------------------------------------------------
N, H, d, U = 5, 2, 3, 3
x, wq, wk = draw(N, 6), [draw(6, d) for _ in range(H)], [draw(6, d) for _ in range(H)]
w1, b1, w2, b2 = draw(U, 2 * H), draw(U), draw(H, U), draw(H)
r1, r2 = [1.3, 0.4], [0.7, 0.2]
fire = {"w1": draw(2), "b1": draw(2), "w2": draw(H, 2), "b2": draw(H)}
leaky = lambda v: v if v > 0 else v / 100
products = [[[dot(a, b) / sqrt(mpf(d)) for b in rows_times(x, wk[h])] for a in rows_times(x, wq[h])] for h in range(H)]
psi = lambda s: ln(1 + fabs(mpf("0.1") * s))


def base_bias(name, h, m, n):
    if name == "alibi":
        return -mpf(2) ** (-4 * (h + 1)) * (m - n)
    if name == "kerple":
        return -mpf(r1[h]) * ln(1 + mpf(r2[h]) * (m - n))
    arg = psi(m - n) / (psi(max(m, 2)) + mpf(10) ** -6)
    return sum(mpf(fire["w2"][h][i]) * leaky(mpf(fire["w1"][i]) * arg + mpf(fire["b1"][i])) for i in range(2)) + mpf(fire["b2"][h])


def dape(name, h, m, n):
    z = [products[j][m][n] for j in range(H)] + [base_bias(name, j, m, n) for j in range(H)]
    hid = [leaky(dot(w1[i], z) + mpf(b1[i])) for i in range(U)]
    return z[h] + z[H + h] + dot(w2[h], hid) + mpf(b2[h])


# mpf arithmetic makes 1e-2 exact only as 1/100; the program's double 0.01 differs by 2e-19, far below the tolerance.
add("dape", "chuanyang-Zheng/DAPE DAPE.py",
    {"x": x, "wq": wq, "wk": wk, "w1": w1, "b1": b1, "w2": w2, "b2": b2, "r1": r1, "r2": r2, "fire": fire},
    {name: [[[dape(name, h, m, n) if n <= m else 0 for n in range(N)] for m in range(N)] for h in range(H)]
     for name in ("alibi", "kerple", "fire")})

N, d = 4, 2
x, wq, wk, wg, table = draw(N, 4), draw(4, d), draw(4, d), draw(2 * d, 4), draw(3, d)
q, k = rows_times(x, wq), rows_times(x, wk)
g = rows_times(x, transposed(wg[d:]))  # head 1


def cope(m, n):
    position = min(sum(sigmoid(dot(q[m], g[t]) / sqrt(mpf(d))) for t in range(n, m + 1)), mpf(2))
    below = int(floor(position))
    share = position - below
    at = dot(q[m], table[below]) * (1 - share) + (dot(q[m], table[below + 1]) * share if share else 0)
    return (dot(q[m], k[n]) + at) / sqrt(mpf(d))


add("cope_gate_key", "facebookresearch/RAM context_position.py, cope-sep-key and cope-val-gates",
    {"x": x, "wq": wq, "wk": wk, "gate_weights": wg, "table": table},
    {"logits": [[cope(m, n) if n <= m else 0 for n in range(N)] for m in range(N)]})

wf, cf = draw(2, 4), draw(2)
logf = [[ln(sigmoid(dot(wf[h], x[t]) + mpf(cf[h]))) for t in range(N)] for h in range(2)]
add("fox", "Lin 2025 (arXiv 2503.02130) sec. 3", {"x": x, "w": wf, "c": cf},
    {"bias": [[[sum(logf[h][n + 1:m + 1], mpf(0)) if n <= m else 0 for n in range(N)] for m in range(N)] for h in range(2)]})

uu, factor = draw(2, d), [1.0, 0.6]
add("grape_a", "GRAPE (arXiv 2512.07805), key-gated", {"k": number(k), "u": uu, "factor": factor},
    {"bias": [[[-(m - n) * mpf(factor[h]) * mpf(2) ** (-4 * (h + 1)) * ln(1 + exp(dot(uu[h], number(k)[n]) / sqrt(mpf(d))))
                if n <= m else 0 for n in range(N)] for m in range(N)] for h in range(2)]})

wp = draw(2 * 2, 4)  # heads x d_p outputs
paths = [head(rows_times(x, transposed(wp)), h, 2) for h in range(2)]


def path_bias(h, m, n):
    total = mpf(0)
    for t in range(n + 1, m + 1):
        p = paths[h][t]
        rms = sqrt(dot(p, p) / 2)
        a, b = p[0] / rms, p[1] / rms  # one pair of frequency 1, turned by -t
        turned = [a * cos(t) + b * sin(t), b * cos(t) - a * sin(t)]
        total += mpf(2) ** (-4 * (h + 1)) * ln(sigmoid(dot(paths[h][m], turned) / 2))
    return total


add("grape_ap_projected", "model-architectures/GRAPE llama-mha-grape-ap-v1.py, d_p = 2", {"x": x, "weights": wp},
    {"bias": [[[path_bias(h, m, n) if n <= m else 0 for n in range(N)] for m in range(N)] for h in range(2)]})

if __name__ == "__main__":
    OUT.write_text("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")
    print(OUT, len(cases), "cases")
