"""Writes tests/data/scheme_frequencies.json: angular frequencies of rotary schemes from their definitions, in 60 digits.

Each entry: encoding as typed, `sequence` tokens in use, for every pair the frequency's fraction of a turn times 2^128 (hex) and
the nearest double in rad per position (hex).
"""
import json
import pathlib

from mpmath import ceil, exp, floor, ln, mp, mpf, nint, pi

mp.dps = 60
OUT = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "scheme_frequencies.json"


def geometric(base, width):
    return [mpf(base) ** (mpf(-2 * i) / width) for i in range(width // 2)]


def clamp(x):
    return max(mpf(0), min(mpf(1), x))


def yarn(base, width, original, factor, fast=32, slow=1, truncate=True):
    def pair(turns):
        return width * ln(mpf(original) / (2 * pi * turns)) / (2 * ln(mpf(base)))

    low, high = pair(fast), pair(slow)
    if truncate:
        low, high = floor(low), ceil(high)
    low, high = max(low, mpf(0)), min(high, mpf(width - 1))
    if low == high:
        high += mpf(0.001)
    out = []
    for i, w in enumerate(geometric(base, width)):
        g = clamp((i - low) / (high - low))
        out.append(w / factor * g + w * (1 - g))
    return out


def yarn_paper(base, width, original, factor, fast=32, slow=1):
    out = []
    for w in geometric(base, width):
        gamma = clamp((original * w / (2 * pi) - slow) / mpf(fast - slow))
        out.append((1 - gamma) * w / factor + gamma * w)
    return out


def llama3(base, width, original, factor, low=1, high=4):
    out = []
    for w in geometric(base, width):
        wavelength = 2 * pi / w
        if wavelength < mpf(original) / high:
            out.append(w)
        elif wavelength > mpf(original) / low:
            out.append(w / factor)
        else:
            t = (original / wavelength - low) / (high - low)
            out.append((1 - t) * w / factor + t * w)
    return out


def ntk(base, width, alpha):
    return geometric(mpf(base) * mpf(alpha) ** (mpf(width) / (width - 2)), width)


def whole(frequencies, kept, factor=1):
    return [w / factor if i < kept else mpf(0) for i, w in enumerate(frequencies)]


def ntk_fixed(base, width, factor):
    return [w / mpf(factor) ** (mpf(2) / width) for w in geometric(mpf(base) * factor, width)]


def ntk_mixed(base, width, factor, b):
    a = ln(mpf(factor)) / (mpf(width) / 2) ** mpf(b)
    return [w / exp(a * mpf(i + 1) ** mpf(b)) for i, w in enumerate(geometric(base, width))]


def whole_wavelengths(frequencies, divisor=1):
    return [2 * pi / nint(2 * pi / w) / divisor for w in frequencies]


CASES = [
    ("rope", 0, geometric(10000, 128)),
    ("rope:base=500000,dim=64", 0, geometric(500000, 64)),
    ("rope:base=1e9,dim=512", 0, geometric(10**9, 512)),
    ("rope:dim=256,partial=0.25", 0, geometric(10000, 64)),
    ("rope:dim=4,frequencies=single,frequency=0.01", 0, [mpf(0.01)] * 2),
    ("pi:factor=4", 0, geometric(10000, 128)),
    ("pi:factor=4", 4096, [w / 4 for w in geometric(10000, 128)]),
    ("pi:original=2048", 6144, [w / 3 for w in geometric(10000, 128)]),
    ("pi:original=2048", 1024, geometric(10000, 128)),
    ("ntk:factor=4", 4096, ntk(10000, 128, 4)),
    ("ntk:factor=8,partial=0.5", 4096, ntk(10000, 64, 8)),
    ("dynamic-ntk:factor=2,original=2048", 2048, geometric(10000, 128)),
    ("dynamic-ntk:factor=2,original=2048", 16384, ntk(10000, 128, 2 * 8 - 1)),
    ("dynamic-ntk:original=2048,rule=stepwise", 4097, ntk(10000, 128, 7)),
    ("dynamic-ntk:factor=4,original=2048,rule=fixed", 0, geometric(10000, 128)),
    ("dynamic-ntk:factor=4,original=2048,rule=fixed", 2048, ntk(10000, 128, 13)),
    ("dynamic-ntk:factor=1000,rule=alpha", 0, ntk(10000, 128, 1000)),
    ("dynamic-ntk:factor=1000,rule=alpha", 32768, ntk(10000, 128, 1000)),
    ("ntk:form=fixed,factor=8", 4096, ntk_fixed(10000, 128, 8)),
    ("ntk:form=fixed,factor=8", 0, geometric(10000, 128)),
    ("ntk:form=mixed,factor=8,dim=64", 4096, ntk_mixed(10000, 64, 8, 0.625)),
    ("ntk:form=mixed,factor=8,exponent=1", 4096, ntk_mixed(10000, 128, 8, 1)),
    ("ntk-by-parts:factor=16,original=4096", 1, yarn_paper(10000, 128, 4096, 16)),
    ("ntk-by-parts:original=4096,beta-fast=8,beta-slow=2", 8192, yarn_paper(10000, 128, 4096, 2, 8, 2)),
    ("ntk-by-parts:factor=16,original=4096", 0, geometric(10000, 128)),
    ("abf", 0, geometric(500000, 128)),
    ("abf:dim=64", 65536, geometric(500000, 64)),
    ("linear-rope:dim=64", 0, geometric(10000, 64)),
    ("irope:layer=2", 0, geometric(500000, 128)),
    ("drope:dim=64", 0, geometric(10000, 64)),
    ("grape-m:dim=64", 0, [-w for w in geometric(10000, 64)]),
    ("hope-hyperbolic:dim=64", 0, geometric(10000, 64)),
    ("rope-pp:dim=16,heads=2", 0, geometric(10000, 16) * 2),
    ("self-extend:group=4,window=6,rounding=true,dim=32", 24, [w / 2 for w in geometric(10000, 32)]),
    ("resonance:scaling=ntk,factor=4,original=2048", 8192, whole_wavelengths(ntk(10000, 128, 4))),
    ("resonance:scaling=linear,factor=4,original=2048", 8192, whole_wavelengths(geometric(10000, 128), 4)),
    ("yarn:factor=4,original=2048", 0, geometric(10000, 128)),
    ("yarn:factor=4,original=2048", 2048, yarn(10000, 128, 2048, 4)),
    ("yarn:factor=4,original=2048,partial=0.75", 2048, yarn(10000, 96, 2048, 4)),
    ("yarn:original=2048", 6144, yarn(10000, 128, 2048, 3)),
    ("yarn:dim=64,base=150000,original=4096,factor=32,truncate=false", 1, yarn(150000, 64, 4096, 32, truncate=False)),
    ("yarn:dim=64,base=50000,original=4096,factor=32,beta-fast=1,beta-slow=1", 1, yarn(50000, 64, 4096, 32, 1, 1)),
    ("yarn:factor=16,original=4096,ramp=paper", 1, yarn_paper(10000, 128, 4096, 16)),
    ("llama3:base=500000,factor=8,original=8192", 8192, llama3(500000, 128, 8192, 8)),
    ("llama3:dim=64,base=500000,factor=32,original=8192", 8192, llama3(500000, 64, 8192, 32)),
    ("proportional:dim=512,base=1000000,factor=8", 1, whole(geometric(1000000, 512), 64, 8)),
    ("proportional:dim=512,base=1000000,factor=8", 0, whole(geometric(1000000, 512), 64)),
    ("p-rope:keep=0.75", 0, whole(geometric(10000, 128), 48)),
    ("xpos:dim=64", 0, geometric(10000, 64)),
    ("resonance:dim=32", 0, [2 * pi / nint(2 * pi / w) for w in geometric(10000, 32)]),
    ("resonance:scaling=yarn,factor=4,original=2048", 8192, [2 * pi / nint(2 * pi / w) for w in yarn(10000, 128, 2048, 4)]),
    (
        "resonance:rounding=paper-pre-critical,original=2048",
        2048,
        [2 * pi / nint(2 * pi / w) if 2 * pi / w < 2048 else w for w in geometric(10000, 128)],
    ),
]


def entry(encoding, sequence, thetas):
    turns = [int(nint((w / (2 * pi) - floor(w / (2 * pi))) * mpf(2) ** 128)) for w in thetas]
    return {
        "encoding": encoding,
        "sequence": sequence,
        "turn": [f"{t:032x}" for t in turns],
        "theta": [float(mp.nstr(w, 50)).hex() for w in thetas],
    }


if __name__ == "__main__":
    lines = ",\n".join(json.dumps(entry(*c)) for c in CASES)
    OUT.write_text("[\n" + lines + "\n]\n")
    print(OUT)
