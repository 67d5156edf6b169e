#!/usr/bin/env python3
"""Writes tests/data/npy: small arrays as NumPy itself stores them, and cases.json with their values (exact in float64)."""
import json
import pathlib

import numpy as np

OUT = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "npy"
FLOATS = [0.0, -0.0, 1.5, -2.25, 0.1, 65504.0, 6.103515625e-05, 5.9604644775390625e-08, 1 / 3, -3.1415926535897931, 1e-3, 1024.0]
INTEGERS = [0, 1, -1, 7, -7, 100, -100, 127, -128, 42, 3, -2]

OUT.mkdir(parents=True, exist_ok=True)
cases = []


def add(name, array, version=(1, 0)):
    with open(OUT / f"{name}.npy", "wb") as file:
        np.lib.format.write_array(file, array, version=version)
    values = array.astype(np.float64).ravel(order="C")
    cases.append({"file": f"{name}.npy", "shape": list(array.shape), "values": values.tolist()})


for order in "<>":
    for code in ("f2", "f4", "f8"):
        add(f"{'little' if order == '<' else 'big'}_{code}", np.array(FLOATS).astype(order + code).reshape(3, 4))
    for code in ("i2", "i4", "i8"):
        scale = {"i2": 250, "i4": 16000000, "i8": 2**45}[code]
        add(f"{'little' if order == '<' else 'big'}_{code}", (np.array(INTEGERS) * scale).astype(order + code).reshape(3, 4))
    for code in ("u2", "u4", "u8"):
        top = {"u2": 2**16 - 1, "u4": 2**32 - 1, "u8": 2**53}[code]
        values = np.array([top // (k + 1) for k in range(12)], dtype=np.uint64)
        add(f"{'little' if order == '<' else 'big'}_{code}", values.astype(order + code).reshape(3, 4))
add("i1", np.array(INTEGERS, dtype=np.int8).reshape(3, 4))
add("u1", np.arange(244, 256, dtype=np.uint8).reshape(3, 4))
add("scalar", np.array(2.5))
add("vector", np.arange(5, dtype=np.float32))
add("cube", np.arange(24, dtype=np.float64).reshape(2, 3, 4))
add("fortran_f4", np.asfortranarray(np.arange(12, dtype=np.float32).reshape(3, 4)))
add("fortran_cube", np.asfortranarray(np.arange(24, dtype=np.float64).reshape(2, 3, 4)))
add("version_2", np.arange(6, dtype=np.float32).reshape(2, 3), (2, 0))
add("version_3", np.arange(6, dtype=np.float32).reshape(2, 3), (3, 0))
for name, array in (("bool", np.array([True, False])), ("complex", np.array([1j])), ("text", np.array(["ab"])),
                    ("structured", np.zeros(2, dtype=[("a", "<f4")])), ("empty", np.zeros((0, 4))), ("nan", np.array([1.0, np.nan])),
                    ("inf", np.array([np.inf], dtype=np.float16)), ("wide_i8", np.array([2**53 + 1])), ("void", np.zeros(2, dtype="V2"))):
    np.save(OUT / f"bad_{name}.npy", array)
(OUT / "cases.json").write_text(json.dumps(cases, indent=1) + "\n")
