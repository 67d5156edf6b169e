"""Writes GGUF files (ggml-org/ggml docs/gguf.md), version 3. Run with a folder as argument it writes the seeds of tools/fuzz."""
import pathlib
import struct
import sys

import numpy as np

FLOAT, FLAG, TEXT, LIST, U32, I32 = 6, 7, 8, 9, 4, 5
TYPES = {np.dtype("<f4"): 0, np.dtype("<f2"): 1, np.dtype("<f8"): 28, np.dtype("<i4"): 26}


def text(s):
    raw = s if isinstance(s, bytes) else s.encode()
    return struct.pack("<Q", len(raw)) + raw


def value(v):
    """Type and bytes of a value."""
    if isinstance(v, bool):
        return FLAG, struct.pack("<?", v)
    if isinstance(v, int):
        return (U32, struct.pack("<I", v)) if v >= 0 else (I32, struct.pack("<i", v))
    if isinstance(v, float):
        return FLOAT, struct.pack("<f", v)
    if isinstance(v, (str, bytes)):
        return TEXT, text(v)
    items = [value(x) for x in v]
    kind = items[0][0]
    assert all(k == kind for k, _ in items)
    return LIST, struct.pack("<IQ", kind, len(items)) + b"".join(raw for _, raw in items)


def gguf(keys, tensors=(), align=32, version=3):
    """The bytes of a file; tensors are (name, array), arrays in C order."""
    head = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(keys))
    for key, v in keys.items():
        kind, raw = value(v)
        head += text(key) + struct.pack("<I", kind) + raw
    data = b""
    for name, array in tensors:
        data += b"\0" * (-len(data) % align)
        head += text(name) + struct.pack("<I", array.ndim) + b"".join(struct.pack("<Q", n) for n in reversed(array.shape))
        head += struct.pack("<IQ", TYPES[array.dtype], len(data))
        data += np.ascontiguousarray(array).tobytes()
    if tensors:
        head += b"\0" * (-len(head) % align)
    return head + data


def model(architecture, length, width, heads, **more):
    keys = {"general.architecture": architecture, "general.type": "model", f"{architecture}.context_length": length,
            f"{architecture}.embedding_length": width, f"{architecture}.attention.head_count": heads}
    return keys | {f"{architecture}.{key.replace('__', '.')}": v for key, v in more.items()}


SEEDS = {
    "llama.gguf": gguf(model("llama", 4096, 64, 2, rope__freq_base=500000.0, rope__dimension_count=32)
                       | {"tokenizer.ggml.tokens": ["a", "b"], "tokenizer.ggml.scores": [0.5, -1.0]},
                       [("rope_freqs.weight", np.geomspace(1, 8, 16, dtype="<f4"))]),
    "yarn.gguf": gguf(model("qwen2", 32768, 64, 2, rope__freq_base=1e6, rope__scaling__type="yarn", rope__scaling__factor=4.0,
                            rope__scaling__original_context_length=8192, rope__scaling__yarn_log_multiplier=0.1)),
    "layers.gguf": gguf(model("gemma3", 8192, 64, 2, attention__sliding_window=128, block_count=6, rope__freq_base=1e6,
                              attention__sliding_window_pattern=[True, True, False], attention__head_count_kv=[0, 1, 1])),
    "sections.gguf": gguf(model("qwen3vl", 8192, 64, 2, rope__freq_base=1e6, rope__dimension_sections=[6, 5, 5, 0])),
    "lists.gguf": gguf(model("phi3", 8192, 64, 2, rope__freq_base=1e4, rope__scaling__original_context_length=4096),
                       [(f"rope_factors_{which}.weight", np.linspace(1, 2, 16, dtype="<f4")) for which in ("long", "short")]),
    "table.gguf": gguf(model("gpt2", 3, 4, 2) | {"general.alignment": 64},
                       [("position_embd.weight", np.arange(12, dtype="<f2").reshape(3, 4))], align=64, version=2),
    "biases.gguf": gguf(model("t5", 512, 16, 2, attention__relative_buckets_count=4),
                        [("enc.blk.0.attn_rel_b.weight", np.ones((4, 2), "<f4"))]),
    "nested.gguf": gguf({"general.architecture": "mamba", "a.nested": [[1, 2], [3]], "a.words": [["x"], ["y", "z"]]}),
}

if __name__ == "__main__":
    for name, raw in SEEDS.items():
        (pathlib.Path(sys.argv[1]) / name).write_bytes(raw)
