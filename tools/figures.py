"""Figures of papers from an output of `posenc reproduce`.

usage: figures.py PAPERS.h5 FOLDER [NAME ...]      writes FOLDER/NAME.png and .svg; without names all of them
names: roformer-2 men2024-1 pi-2 pi-5 yarn-ramp alibi-slopes sandwich-biases
"""
import pathlib
import sys

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

matplotlib.rcParams["svg.hashsalt"] = "posenc"


def plain(value):
    return value.decode() if isinstance(value, bytes) else value


def groups(file, analysis, variable, **attributes):
    """Groups of an analysis that have the variable and these attributes, in the order of their labels."""
    out = []
    for group in file.get(analysis, {}).values():
        same = all(plain(group.attrs.get(name)) == value for name, value in attributes.items())
        if variable in group and same:
            out.append(group)
    if not out:
        sys.exit(f"{file.filename}: no {analysis} with {variable} of {attributes}: reproduce the paper into this file first")
    return out


def first(file, analysis, variable, **attributes):
    return groups(file, analysis, variable, **attributes)[0]


def roformer_2(file, axes):
    for group in groups(file, "decay", "upper_bound", scheme="rope", length=256):
        dim = group.attrs["dim"]
        axes.plot(group["lag"][:251], group["upper_bound"][:251], label=f"d = {dim}")
    axes.set(yscale="log", xlabel="relative distance", ylabel="mean |S_j|", title="Relative upper bound (RoFormer, fig. 2)")
    axes.legend(frameon=False)


def men2024_1(file, axes):
    law = first(file, "context", "power_law_exponent", scheme="rope")
    kilo = list(law["kilo"][:]).index(1024)
    a, c = law["power_law_coefficient"][kilo], law["power_law_exponent"][kilo]
    length = np.geomspace(1e3, 1.1e6, 200)
    axes.plot(length, a * length**c, color="0.6", label=f"{a:.4f} x^{c:.3f}, through the published bases")
    for name, mark, label in (("solve_base_two_digits", "o", "least base of two digits that holds"),
                              ("solve_base_nested", "x", "nested grids (Su 2024)")):
        points = {}
        for group in groups(file, "context", name, scheme="rope"):
            points.update(zip(group["solve_length"][:], group[name][:]))
        x = sorted(points)
        axes.plot(x, [points[k] for k in x], mark, label=label, mfc="none")
    axes.set(xscale="log", yscale="log", xlabel="context length", ylabel="base", title="Lower bound of the base (Men 2024, fig. 1)")
    axes.legend(frameon=False)


def pi_2(file, axes):
    for group in groups(file, "extrapolation", "fit_curve", scheme="rope"):
        solver = plain(group.attrs["fit"])
        if solver == "ridge":
            solver += f" {group.attrs['ridge']:g}"
        axes.plot(group["fit_position"][:], np.abs(group["fit_curve"][:]), lw=0.6, label=solver)
    length = group.attrs["train_length"]
    axes.axvline(length, color="0.6", ls=":")
    axes.set(yscale="log", ylim=(1e-3, None), xlabel="position", ylabel="|a(s)|",
             title="A fit to noise on the trained range, and beyond (PI, fig. 2)")
    axes.legend(frameon=False)


def pi_5(file, axes):
    group = first(file, "decay", "upper_bound_pi", scheme="rope", dim=128, length=4096)
    axes.plot(group["lag"][:], group["upper_bound_pi"][:])
    axes.axhline(1, color="0.6", ls=":")
    axes.set(yscale="log", xlabel="s", ylabel="B(s)/d", title="The bound of extrapolated scores (PI, fig. 5)")


def yarn_ramp(file, axes):
    factor, base, seen = 16.0, 1e4, set()
    for group in groups(file, "encodings", "frequency", scheme="yarn", factor=factor, original=4096, base=base, dim=128):
        rope = first(file, "encodings", "frequency", scheme="rope", base=base, dim=128)
        kept = (group["frequency"][:] / rope["frequency"][:] - 1 / factor) / (1 - 1 / factor)
        ramp = plain(group.attrs["ramp"])
        if ramp not in seen:
            axes.plot(group["pair"][:], kept, label=f"linear in the {'pair index (code)' if ramp == 'code' else 'turns (paper)'}")
        seen.add(ramp)
    axes.set(xlabel="pair", ylabel="share of the frequency that is kept", title="YaRN's ramp, factor 16, 4096 positions")
    axes.legend(frameon=False)


def alibi_slopes(file, axes):
    for group in groups(file, "ambiguity", "step", scheme="alibi"):
        slopes = group["step"][:, 0]
        axes.plot(np.arange(1, len(slopes) + 1), slopes, "o-", ms=3, label=f"{len(slopes)} heads")
    axes.set(yscale="log", xlabel="head", ylabel="slope", title="ALiBi's slopes")
    axes.legend(frameon=False)


def sandwich_biases(file, axes):
    group = first(file, "decay", "score", scheme="sandwich")
    for head, curve in enumerate(group["score"][:]):
        axes.plot(group["lag"][1:], curve[1:], label=f"head {head + 1}")
    axes.set(xscale="log", xlabel="lag", ylabel="bias (logits)", title="Sandwich's biases")
    axes.legend(frameon=False, fontsize=7)


FIGURES = {"roformer-2": roformer_2, "men2024-1": men2024_1, "pi-2": pi_2, "pi-5": pi_5, "yarn-ramp": yarn_ramp,
           "alibi-slopes": alibi_slopes, "sandwich-biases": sandwich_biases}


def main(path, folder, names):
    unknown = set(names) - set(FIGURES)
    if unknown:
        sys.exit(f"no such figure: {', '.join(sorted(unknown))}; there are {', '.join(FIGURES)}")
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with h5py.File(path) as file:
        for name in names or FIGURES:
            figure, axes = plt.subplots(figsize=(7, 4.5), constrained_layout=True)
            FIGURES[name](file, axes)
            axes.spines[["top", "right"]].set_visible(False)
            for suffix, metadata in (("png", {"Software": None}), ("svg", {"Date": None})):
                figure.savefig(folder / f"{name}.{suffix}", dpi=150, metadata=metadata)
                print(folder / f"{name}.{suffix}")
            plt.close(figure)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
