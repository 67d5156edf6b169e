"""One figure of an output of `posenc run`: position score, attention by distance, undetermined variance.

usage: plot.py FILE.h5 STEM        writes STEM.png and STEM.svg
"""
import sys

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np


def last_head(variable):
    """The curve over the last axis; the last head (the mildest slope of ALiBi) where there are heads."""
    return variable[-1] if variable.ndim == 2 else variable[:]


def envelope(lag, value, bins=240):
    """Mean over logarithmic bins of lag, so that millions of points stay readable."""
    edges = np.unique(np.geomspace(1, lag[-1] + 1, bins).astype(np.int64))
    where = np.searchsorted(lag, edges)
    where = np.unique(where[where < len(lag)])
    total = np.add.reduceat(value, where)
    return lag[where], total / np.diff(np.append(where, len(value)))


def main(path, stem):
    figure, (score, attention, variance) = plt.subplots(1, 3, figsize=(15, 4.4), constrained_layout=True)
    with h5py.File(path) as file:
        color = {label: f"C{i}" for i, label in enumerate(file["decay"])}
        for label, group in file["decay"].items():
            lag = group["lag"][:]
            if "score" in group and "head" not in group:
                score.plot(*envelope(lag, group["score"][:]), color=color[label], label=label)
            if "attention" in group:
                attention.plot(*envelope(lag, last_head(group["attention"])), color=color[label], label=label)
        for label, group in file["extrapolation"].items():
            if "undetermined_variance" not in group:
                continue
            curve = group["undetermined_variance"]
            curve = curve[-1, -1] if curve.ndim == 3 else curve[-1]
            good = np.isfinite(curve)
            x, y = envelope(group["lag"][:][good], curve[good])
            variance.plot(x / group.attrs["train_length"], y, color=color.get(label), label=label)
    score.set(xscale="log", xlabel="lag (positions)", ylabel="position score", title="Long-range decay")
    attention.set(xscale="log", yscale="log", xlabel="lag (positions)", ylabel="attention", title="Attention by distance, aligned content")
    attention.set_ylim(bottom=1e-8)
    variance.set(xscale="log", xlabel="lag / training length", ylabel="undetermined variance", title="What training leaves undetermined")
    variance.axvline(1, color="0.6", lw=0.8, ls=":")
    for axes in (score, attention, variance):
        axes.legend(frameon=False, fontsize=8)
        axes.spines[["top", "right"]].set_visible(False)
    matplotlib.rcParams["svg.hashsalt"] = "posenc"
    for suffix, metadata in (("png", {"Software": None}), ("svg", {"Date": None})):
        figure.savefig(f"{stem}.{suffix}", dpi=150, metadata=metadata)
        print(f"{stem}.{suffix}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
