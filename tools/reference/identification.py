#!/usr/bin/env python3
"""Arrays for the test of identify, and what made them: tests/data/identification.npz and .json.

Written from the definitions in huggingface/transformers (modeling_rope_utils.py and the rotary modules of the models), Vaswani 2017
sec. 3.5, tensorflow/tensor2tensor (get_timing_signal_1d), facebookresearch/fairseq (sinusoidal_positional_embedding.py),
vllm-project/vllm (rotary_embedding.py) and ggml (ggml_rope), in NumPy's float32 or in mpmath's 40 digits; nothing of posenc enters.

  tools/reference/identification.py tests/data
"""
import json
import sys
from pathlib import Path

import mpmath
import numpy as np

mpmath.mp.dps = 40
F = np.float32
ARRAYS, CASES = {}, []


def bf16(x):
    """float32 rounded to bfloat16, to nearest even, kept as float32."""
    bits = np.ascontiguousarray(x, dtype=F).view(np.uint32)
    bits = bits + 0x7FFF + ((bits >> 16) & 1)
    return (bits & 0xFFFF0000).view(F)


def fp16(x):
    return np.asarray(x, dtype=np.float16).astype(F)


def case(name, arrays, **due):
    for key, value in arrays.items():
        ARRAYS[key] = value
    CASES.append({"name": name, "files": list(arrays), **due})


# ---- frequencies as transformers computes them, in float32
def default(base, d):
    return F(1) / np.power(F(base), np.arange(0, d, 2, dtype=np.int64).astype(F) / F(d))


def linear(base, d, factor):
    return default(base, d) / F(factor)


def llama3(base, d, factor, low, high, original):
    inv = default(base, d)
    wavelength = F(2 * np.pi) / inv
    scaled = np.where(wavelength > F(original / low), inv / F(factor), inv)
    smooth = (F(original) / wavelength - F(low)) / F(high - low)
    smoothed = (1 - smooth) * scaled / F(factor) + smooth * scaled
    medium = ~(wavelength < F(original / high)) & ~(wavelength > F(original / low))
    return np.where(medium, smoothed, scaled).astype(F)


def yarn(base, d, factor, original, fast=32, slow=1, truncate=True):
    def dim_of(turns):
        return d * np.log(original / (turns * 2 * np.pi)) / (2 * np.log(base))

    low, high = dim_of(fast), dim_of(slow)
    if truncate:
        low, high = np.floor(low), np.ceil(high)
    low, high = max(low, 0), min(high, d - 1)
    if low == high:
        high += 0.001
    ramp = np.clip((np.arange(d // 2, dtype=F) - F(low)) / F(high - low), 0, 1)
    pos = np.power(F(base), np.arange(0, d, 2).astype(F) / F(d))
    return ((F(1) / (F(factor) * pos)) * ramp + (F(1) / pos) * (1 - ramp)).astype(F)


def ntk(base, d, factor):
    return default(base * factor ** (d / (d - 2)), d)


def dynamic(base, d, factor, original, length):
    return default(base * (factor * length / original - (factor - 1)) ** (d / (d - 2)), d)


def proportional(base, d, partial, factor=1):
    n = int(partial * d // 2)
    inv = F(1) / np.power(F(base), np.arange(0, 2 * n, 2).astype(F) / F(d))
    return np.concatenate([inv / F(factor), np.zeros(d // 2 - n, F)])


def longrope(base, d, factors):
    return F(1) / (np.asarray(factors, F) * np.power(F(base), np.arange(0, d, 2).astype(F) / F(d)))


# ---- caches as the models keep them
def cache(inv, rows, scale=1.0, store=lambda x: x, position=lambda x: x, angle=lambda x: x, repeat=True, start=0):
    t = position(np.arange(start, start + rows).astype(F))
    freqs = angle(np.outer(t, inv).astype(F))
    if repeat:
        freqs = np.concatenate([freqs, freqs], axis=-1)
    return store((np.cos(freqs) * F(scale)).astype(F)), store((np.sin(freqs) * F(scale)).astype(F))


def pair(name, made, **due):
    case(name, {name + "_cos": made[0], name + "_sin": made[1]}, **due)


# ---- tables with mpmath
def table(rows, d, base, layout, exponent="paper", start=0, amplitude=1, cosine_first=False, theta=None):
    out = np.zeros((rows, d))
    half = d // 2
    amplitude = mpmath.mpf(amplitude)
    for j in range(half + d % 2):
        power = {"paper": mpmath.mpf(2 * j) / d, "t2t": mpmath.mpf(j) / max(half - 1, 1), "i/d": mpmath.mpf(j) / d,
                 "2i/(d-2)": mpmath.mpf(2 * j) / (d - 2)}[exponent]
        w = mpmath.power(base, -power) if theta is None else mpmath.mpf(float(theta[j]))
        for p in range(rows):
            s, c = mpmath.sin((start + p) * w) * amplitude, mpmath.cos((start + p) * w) * amplitude
            first, second = (c, s) if cosine_first else (s, c)
            if layout == "interleaved":
                out[p, 2 * j] = float(first)
                if 2 * j + 1 < d:
                    out[p, 2 * j + 1] = float(second)
            elif j < half:
                out[p, j], out[p, half + j] = float(first), float(second)
    return out


def exact(base, d, change=lambda w, j: w):
    return np.array([float(change(mpmath.power(base, -mpmath.mpf(2 * j) / d), j)) for j in range(d // 2)])


def vectors():
    def v(name, x, scheme, note=None, **values):
        case(name, {name: np.asarray(x)}, scheme=scheme, values=values, **({"note": note} if note else {}))

    v("v_default", default(500000, 128), "rope", base=500000)
    v("v_gemma", default(10000, 256), "rope", base=10000)
    v("v_exact", exact(10000, 64), "rope", base=10000)
    v("v_linear", linear(10000, 128, 8), "pi", base=10000, factor=8)
    v("v_linear_half", linear(1000000, 64, 2.5), "pi", base=1000000, factor=2.5)
    v("v_llama31", llama3(500000, 128, 8, 1, 4, 8192), "llama3", base=500000, factor=8, original=8192)
    v("v_llama32", llama3(500000, 64, 32, 1, 4, 8192), "llama3", base=500000, factor=32, original=8192)
    # Equal bands are a step, as yarn with equal betas makes it.
    case("v_llama4_step", {"v_llama4_step": llama3(500000, 128, 16, 1, 1.0000001, 8192)}, values={"factor": 16, "original": 8192})
    v("v_yarn", yarn(10000, 128, 16, 4096), "yarn", base=10000, factor=16, original=4096)
    v("v_deepseek", yarn(10000, 64, 40, 4096), "yarn", base=10000, factor=40, original=4096)
    v("v_qwen_yarn", yarn(1000000, 128, 4, 32768), "yarn", base=1000000, factor=4, original=32768)
    v("v_gpt_oss", yarn(150000, 64, 32, 4096, truncate=False), "yarn", base=150000, factor=32, original=4096, truncate="false")
    v("v_kimi", yarn(50000, 64, 32, 4096, 1, 1), "yarn", base=50000, factor=32, original=4096)
    v("v_yarn_unusual", yarn(10000, 128, 8, 6144), "yarn", base=10000, factor=8)
    v("v_ntk", ntk(10000, 128, 4), "ntk", base=10000, factor=4)
    v("v_ntk_exact", exact(mpmath.mpf(10000) * mpmath.power(8, mpmath.mpf(64) / 62), 64), "ntk", base=10000, factor=8)
    v("v_dynamic", dynamic(10000, 128, 2, 4096, 8192), "ntk", base=10000, factor=3)
    v("v_proportional", proportional(1000000, 512, 0.25), "proportional", base=1000000)
    v("v_proportional_factor", proportional(1000000, 512, 0.25, 8), "proportional", base=1000000, factor=8)
    v("v_partial", np.concatenate([default(10000, 32), np.zeros(16, F)]), "rope", base=10000)
    v("v_longrope", longrope(10000, 96, np.round(1 + 0.05 * np.arange(48) ** 1.5, 2)), "longrope", base=10000)
    v("v_half_exponent", exact(100, 64), "rope", base=100, note="as base 10000 with the exponent i/d for 2i/d")
    v("v_d_minus_2", exact(mpmath.power(10000, mpmath.mpf(64) / 62), 64), "sinusoidal", base=10000, exponent="t2t")
    v("v_from_one", exact(10000, 64, lambda w, j: w * mpmath.power(10000, -mpmath.mpf(2) / 64)), "pi", base=10000,
      note="as pairs counted from 1: exponent 2(i + 1)/d for 2i/d")
    v("v_resonance", exact(10000, 64, lambda w, j: 2 * mpmath.pi / mpmath.nint(2 * mpmath.pi / w)), "resonance", base=10000)
    v("v_wavelengths", 2 * np.pi / exact(10000, 64), "rope", base=10000)
    v("v_inverses", 1 / exact(500000, 64), "rope", base=500000)
    v("v_rope_freqs", default(500000, 128) / llama3(500000, 128, 8, 1, 4, 8192), "llama3", factor=8, original=8192)
    v("v_bf16", bf16(default(10000, 128)), "rope", base=10000)
    v("v_fp16", fp16(default(10000, 64)), "rope", base=10000)
    v("v_decimals", np.round(exact(10000, 32), 6), "rope", base=10000)
    v("v_single", np.full(32, 0.01), "rope", frequency=0.01)
    wrong = default(10000, 64).copy()
    wrong[5] *= F(1.01)
    case("v_one_wrong", {"v_one_wrong": wrong}, scheme="rope", values={"base": 10000}, known=False, departs={"pair": 5})
    rng = np.random.default_rng(1)
    case("v_learned", {"v_learned": np.sort(rng.uniform(0.001, 1, 32))[::-1].copy()}, known=False)


def caches():
    p = pair
    p("c_llama", cache(default(10000, 64), 150), scheme="rope", values={"base": 10000}, precision="computed in float32")
    p("c_yarn", cache(yarn(10000, 64, 16, 4096), 200, 0.1 * np.log(16) + 1), scheme="yarn",
      values={"base": 10000, "factor": 16, "original": 4096}, amplitude=1, precision="computed in float32")
    p("c_yarn_bf16", cache(yarn(10000, 64, 16, 4096), 200, 0.1 * np.log(16) + 1, store=bf16, repeat=False), scheme="yarn",
      values={"base": 10000, "factor": 16, "original": 4096}, amplitude=1)
    p("c_yarn_plain", cache(yarn(10000, 64, 40, 4096), 200, repeat=False), scheme="yarn",
      values={"base": 10000, "factor": 40, "original": 4096, "attention-factor": 1}, amplitude=1)
    p("c_yarn_half", cache(yarn(10000, 64, 10, 4096), 200, 0.5, repeat=False), scheme="yarn", values={"factor": 10, "attention-factor": 0.5}, amplitude=1)
    p("c_llama3", cache(llama3(500000, 64, 8, 1, 4, 8192), 400, store=fp16), scheme="llama3",
      values={"base": 500000, "factor": 8, "original": 8192})
    factors = np.round(1 + 0.05 * np.arange(24) ** 1.5, 2)
    p("c_longrope", cache(longrope(10000, 48, factors), 1200, np.sqrt(1 + np.log(32) / np.log(4096)), repeat=False), scheme="longrope",
      values={"base": 10000}, amplitude=1)
    p("c_scaled", cache(default(10000, 32), 128, 1.25), scheme="rope", values={"base": 10000}, amplitude=1.25)
    p("c_bf16_positions", cache(default(10000, 32), 1200, position=bf16, store=bf16, repeat=False), scheme="rope", values={"base": 10000},
      precision="positions rounded to bfloat16, the rest in float32, stored as bfloat16, to the last bit")
    p("c_bf16_positions_f32", cache(default(10000, 16), 800, position=bf16, repeat=False), scheme="rope", values={"base": 10000},
      precision="positions rounded to bfloat16, the rest in float32")
    p("c_fp16_positions", cache(default(10000, 8), 2600, position=fp16, repeat=False), scheme="rope", values={"base": 10000},
      precision="positions rounded to float16, the rest in float32")
    p("c_bf16_frequencies", cache(bf16(default(10000, 32)), 800, repeat=False), scheme="rope", values={"base": 10000},
      precision="frequencies rounded to bfloat16, the rest in float32")
    p("c_bf16_frequencies_bf16", cache(bf16(default(10000, 32)), 800, store=bf16, repeat=False), scheme="rope", values={"base": 10000},
      precision="frequencies rounded to bfloat16, the rest in float32, stored as bfloat16")
    p("c_fp16_frequencies", cache(fp16(default(10000, 32)), 800, repeat=False), scheme="rope", values={"base": 10000},
      precision="frequencies rounded to float16, the rest in float32")
    p("c_all_bf16", cache(bf16(default(10000, 32)), 700, position=bf16, angle=bf16, store=bf16, repeat=False), scheme="rope", values={"base": 10000},
      precision="frequencies, positions and angles rounded to bfloat16, stored as bfloat16")
    angle64 = np.outer(np.arange(6000, dtype=np.float64), exact(10000, 16))
    p("c_float64", (np.cos(angle64[-500:]), np.sin(angle64[-500:])), scheme="rope", values={"base": 10000}, start=5500,
      precision="computed in float64")
    inv = default(10000, 32)
    t = np.arange(500, dtype=F)
    ratio, angles, now = F(mpmath.power(10000, -mpmath.mpf(2) / 32)), [], t.copy()
    for _ in inv:
        angles.append(now.copy())
        now = (now * ratio).astype(F)
    freqs = np.stack(angles, axis=1)
    p("c_ggml", (np.cos(freqs), np.sin(freqs)), scheme="rope", values={"base": 10000},
      precision="angles by float32 products from the position")
    # vLLM keeps cosines, then sines, in one array; GPT-J sines, then cosines; Meta's freqs_cis is complex.
    cos, sin = cache(default(10000, 32), 200, repeat=False)
    case("c_vllm", {"c_vllm": np.concatenate([cos, sin], axis=-1)}, scheme="rope", values={"base": 10000}, layout="cosines before sines")
    case("c_gptj", {"c_gptj": np.concatenate([sin, cos], axis=-1)}, layout="sines before cosines", values={"base": 10000})
    case("c_complex", {"c_complex": np.stack([cos, sin], axis=-1)}, scheme="rope", values={"base": 10000})
    case("c_stacked", {"c_stacked": np.stack([cos, sin])}, scheme="rope", values={"base": 10000})
    p("c_interleaved", (np.repeat(cos, 2, axis=1), np.repeat(sin, 2, axis=1)), scheme="rope", values={"base": 10000},
      layout="interleaved, every column twice")
    # TGI's long-context switch in one cache: plain below 100, divided after.
    a, b = cache(default(10000, 32), 200), cache(linear(10000, 32, 4), 200)
    mixed = [np.concatenate([x[:150], y[150:]]) for x, y in zip(a, b)]
    p("c_switched", mixed, scheme="rope", values={"base": 10000}, known=False, departs={"row": 150})


def tables():
    def t(name, x, **due):
        case(name, {name: x}, **due)

    sin = dict(scheme="sinusoidal")
    t("t_vaswani", table(100, 32, 10000, "interleaved"), **sin, values={"base": 10000, "layout": "interleaved"}, precision="exact values")
    t("t_concat", table(100, 32, 10000, "concat"), **sin, values={"base": 10000, "layout": "concat"})
    t("t_t2t", table(100, 32, 10000, "concat", "t2t").astype(F), **sin, values={"base": 10000, "exponent": "t2t"})
    t("t_half_exponent", table(100, 32, 10000, "interleaved", "i/d"), **sin, values={"base": 100},
      note="as base 10000 with the exponent i/d for 2i/d")
    t("t_d_minus_2", table(100, 32, 10000, "interleaved", "2i/(d-2)"), **sin, values={"base": 10000, "exponent": "t2t"})
    t("t_scaled", table(60, 64, 10000, "interleaved", amplitude=mpmath.sqrt(64)), **sin, values={"base": 10000}, amplitude=8,
      amplitude_words="sqrt(64)")
    t("t_scaled_down", table(100, 32, 10000, "concat", amplitude=1 / mpmath.sqrt(32)).astype(F), **sin, values={"base": 10000},
      amplitude_words="1/sqrt(32)")
    t("t_learned_scale", (F(0.3172) * table(100, 32, 10000, "interleaved").astype(F)).astype(F), **sin, amplitude=0.3172)
    t("t_offset", table(100, 32, 10000, "interleaved", start=2), **sin, start=2)
    t("t_far", table(60, 32, 10000, "interleaved", start=5000).astype(F), **sin, start=5000)
    fairseq = table(80, 32, 10000, "concat", "t2t").astype(F)
    fairseq[1] = 0
    t("t_fairseq", fairseq, **sin, values={"exponent": "t2t", "padding-index": 1}, start=0)
    corrupted = table(128, 32, 10000, "interleaved")
    corrupted[57] = np.random.default_rng(2).normal(size=32)
    t("t_corrupted", corrupted, **sin, values={"base": 10000}, known=False, departs={"row": 57, "column": 0}, agreeing=127)
    slightly = table(128, 32, 10000, "interleaved").astype(F)
    slightly[90, 11] += F(1e-3)
    t("t_slightly", slightly, **sin, known=False, departs={"row": 90, "column": 11}, agreeing=127)
    t("t_transposed", np.ascontiguousarray(table(100, 32, 10000, "interleaved").T), **sin, values={"base": 10000})
    t("t_fortran", np.asfortranarray(table(100, 32, 10000, "concat")), **sin, values={"layout": "concat"})
    t("t_cosine_first", table(100, 32, 10000, "interleaved", cosine_first=True), values={"base": 10000}, layout="cosines and sines alternating")
    t("t_descending", np.ascontiguousarray(table(90, 32, 10000, "concat")[::-1]), **sin, start=89, step=-1)
    t("t_negative", table(90, 32, 10000, "concat", start=-45), **sin, start=-45)
    t("t_odd", table(90, 33, 10000, "interleaved"), **sin, values={"dim": 33, "base": 10000})
    t("t_bf16", bf16(table(200, 64, 10000, "interleaved").astype(F)), **sin, values={"base": 10000},
      precision="exact values, stored as bfloat16, to the last bit")
    t("t_fp16", table(200, 64, 10000, "interleaved").astype(np.float16), **sin, values={"base": 10000})
    t("t_other_base", table(100, 32, 777, "interleaved"), **sin, values={"base": 777})
    rng = np.random.default_rng(3)
    t("t_learned", rng.normal(size=(64, 32)).astype(F), known=False, sinusoids=False)
    t("t_unknown_law", table(100, 32, 1, "interleaved", theta=np.sort(rng.uniform(0.01, 1, 16))[::-1]), known=False, sinusoids=True)
    bad = table(20, 8, 100, "concat")
    bad[3, 4] = np.nan
    t("t_nan", bad, code=65)
    bad = table(20, 8, 100, "concat")
    bad[3, 4] = np.inf
    t("t_inf", bad, code=65)


def main(folder):
    vectors(), caches(), tables()
    np.savez_compressed(Path(folder) / "identification.npz", **ARRAYS)
    text = json.dumps({"made_by": "tools/reference/identification.py", "cases": CASES}, indent=1)
    (Path(folder) / "identification.json").write_text(text + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
