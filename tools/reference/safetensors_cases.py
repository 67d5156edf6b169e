#!/usr/bin/env python3
"""Writes tests/data/safetensors: small files in the published layout (8 bytes of header length, JSON header, data), by NumPy alone."""
import json
import pathlib
import struct

import numpy as np

OUT = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "safetensors"
OUT.mkdir(parents=True, exist_ok=True)


def write(name, arrays, metadata=None):
    header, data = {}, b""
    if metadata:
        header["__metadata__"] = metadata
    for key, (dtype, raw, shape) in arrays.items():
        header[key] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    (OUT / name).write_bytes(struct.pack("<Q", len(text)) + text + data)


table = np.arange(12, dtype="<f4").reshape(3, 4) / 8
bf16 = (table.view("<u4") >> 16).astype("<u2")  # exact: eighths below 16
write("model.safetensors", {
    "wte.weight": ("F32", (table + 100).tobytes(), [3, 4]),
    "wpe.weight": ("F16", table.astype("<f2").tobytes(), [3, 4]),
    "wpe.bf16": ("BF16", bf16.tobytes(), [3, 4]),
    "ids": ("I64", np.array([1, -2, 3], dtype="<i8").tobytes(), [3]),
    "mask": ("BOOL", b"\x01\x00", [2]),
}, {"format": "pt"})
write("single.safetensors", {"rows": ("F64", table.astype("<f8").tobytes(), [3, 4])})
