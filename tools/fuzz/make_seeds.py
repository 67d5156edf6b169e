#!/usr/bin/env python3
"""Small valid files of every kind into tools/fuzz/corpus, from which libFuzzer starts. Usage: make_seeds.py FOLDER"""
import io
import json
import pathlib
import struct
import sys
import zipfile

import numpy as np

root = pathlib.Path(sys.argv[1])


def put(folder, name, content):
    path = root / folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def safetensors(arrays):
    header, data = {}, b""
    for name, (dtype, shape, raw) in arrays.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


widths = {"F16": 2, "BF16": 2, "F32": 4, "F64": 8, "I8": 1, "I16": 2, "I32": 4, "I64": 8, "U8": 1, "U16": 2, "U32": 4, "U64": 8}
for dtype, width in widths.items():
    put("safetensors", f"{dtype.lower()}.safetensors", safetensors({"a": (dtype, [2, 3], bytes(range(6 * width)))}))
put("safetensors", "several.safetensors",
    safetensors({"b": ("BOOL", [2], b"\0\1"), "a": ("F32", [], bytes(4)), "c": ("F8_E4M3", [1], b"\1")}))


def npy(array):
    out = io.BytesIO()
    np.lib.format.write_array(out, array)
    return out.getvalue()


def npz(arrays, method):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, array in arrays.items():
            archive.writestr(zipfile.ZipInfo(name + ".npy"), npy(array), compress_type=method)
    return out.getvalue()


table = np.arange(6, dtype="<f4").reshape(2, 3)
put("npz", "stored.npz", npz({"a": table, "b": table[0]}, zipfile.ZIP_STORED))
put("npz", "deflated.npz", npz({"a": table}, zipfile.ZIP_DEFLATED))
put("npz", "repeated.npz", npz({"a": np.zeros((64, 64), "<f8")}, zipfile.ZIP_DEFLATED))


def counted(text):
    return struct.pack("<Q", len(text)) + text.encode()


def gguf(keys, tensors):
    """Keys (name, type, bytes), tensors (name, dimensions, type, bytes)."""
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(keys))
    for name, kind, raw in keys:
        head += counted(name) + struct.pack("<I", kind) + raw
    data = b""
    for name, dims, kind, raw in tensors:
        data += bytes(-len(data) % 32)
        head += counted(name) + struct.pack("<I", len(dims)) + b"".join(struct.pack("<Q", d) for d in dims)
        head += struct.pack("<IQ", kind, len(data))
        data += raw
    return head + bytes(-len(head) % 32) + data


def model(name):
    text, u32 = (lambda k, v: (k, 8, counted(v))), (lambda k, v: (k, 4, struct.pack("<I", v)))
    return [text("general.architecture", name), u32(name + ".context_length", 64), u32(name + ".embedding_length", 16),
            u32(name + ".attention.head_count", 2)]


element = {0: 4, 1: 2, 24: 1, 25: 2, 26: 4, 27: 8, 28: 8, 30: 2}  # ggml types that are not quantised
put("gguf", "types.gguf",
    gguf(model("llama"), [(f"t{kind}", [3, 2], kind, bytes(range(6 * width))) for kind, width in element.items()]))
values = [struct.pack(code, v) for code, v in
          (("<B", 1), ("<b", -1), ("<H", 2), ("<h", -2), ("<I", 3), ("<i", -3), ("<f", 0.5), ("<?", True))]
more = [(10, struct.pack("<Q", 4)), (11, struct.pack("<q", -4)), (12, struct.pack("<d", 0.25))]
keys = [(f"v{kind}", kind, raw) for kind, raw in [*enumerate(values), *more]]
lists = [(f"l{kind}", 9, struct.pack("<IQ", kind, 2) + raw * 2) for kind, raw in enumerate(values)]
put("gguf", "values.gguf", gguf(model("gemma3") + keys + lists, []))

put("npy", "table.npy", npy(table))
put("npy", "fortran.npy", npy(np.asfortranarray(table.astype(">f8"))))

put("csv", "mark.csv", "\ufeff1,2\n3,4\n")
put("csv", "comment.csv", "# one\r\n 1 , 2.5\r\n\r\n-3e2,4\r\n")

put("json", "kinds.json", '{"a": [1, -2, 3.5e1, 1e-3, null, true, false, "x\\u00e9\\n", {}], "b": {"c": {"d": []}}, "a": 1}')
put("json", "edges.json", '[9007199254740993, 18446744073709551615, 1.7976931348623157e308, 5e-324, -0, -0.0, "\\ud83d\\ude00"]')

put("listed", "two.json", json.dumps({"encodings": [
    {"label": "a", "scheme": "shaw", "values": {"clip": 8, "causal": True, "std": 0.5}, "files": {"table": "t.npy"}},
    {"label": "b", "scheme": "m-rope", "values": {"sections": [16, 24, 24], "x": "y"}, "files": {"x": "/abs.npy"}}]}))

put("index", "two.json", json.dumps({"metadata": {"total_size": 96}, "weight_map": {"a": "a.safetensors", "b": "b.safetensors"}}))

rope = '"hidden_size": 64, "num_attention_heads": 2, "max_position_embeddings": 64, "rope_theta": 10000.0'
for name, rest in {
        "nested": '"model_type": "gemma3_text", "rope_parameters": {"full_attention": {"rope_type": "linear", "factor": 8.0},'
                  ' "sliding_attention": {"rope_type": "default"}}, "layer_types": ["full_attention", "sliding_attention"]',
        "still": '"model_type": "smollm3", "num_hidden_layers": 4, "no_rope_layers": [1, 1, 1, 0]',
        "pattern": '"model_type": "exaone4", "sliding_window": 4, "sliding_window_pattern": "LLLG"',
        "alpha": '"model_type": "llama", "rope_scaling": {"type": "dynamic", "alpha": 1000.0, "factor": 1.0}'}.items():
    put("config", name + ".json", "{" + rope + ", " + rest + "}")
