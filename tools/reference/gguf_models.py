#!/usr/bin/env python3
"""Writes tests/data/gguf: small config.json files, and the GGUF files that ggml-org/llama.cpp's converter (convert_hf_to_gguf.py)
makes of them: its keys, its tensors of positions, nothing else. Independent of posenc: the format by ggml-org/ggml docs/gguf.md,
the arithmetic of the converter's classes in float32 where it is float32 there. Conversions that went wrong are written beside
them; cases.json says what a comparison has to find.

    python3 tools/reference/gguf_models.py tests/data/gguf
"""
import json
import math
import pathlib
import struct
import sys

import mpmath
import numpy

U32, F32, BOOL, TEXT, LIST, I32 = 4, 6, 7, 8, 9, 5


def text(s):
    return struct.pack("<Q", len(s.encode())) + s.encode()


def value(v):
    if isinstance(v, bool):
        return struct.pack("<I?", BOOL, v)
    if isinstance(v, int):
        return struct.pack("<II", U32, v)
    if isinstance(v, float):
        return struct.pack("<If", F32, v)
    if isinstance(v, str):
        return struct.pack("<I", TEXT) + text(v)
    kind, form = (BOOL, "?") if isinstance(v[0], bool) else (I32, "i")
    return struct.pack("<IIQ", LIST, kind, len(v)) + struct.pack(f"<{len(v)}{form}", *v)


def gguf(architecture, keys, tensors=()):
    """A file of version 3; keys without a dot at the front belong to the architecture."""
    pairs = {"general.architecture": architecture, "general.type": "model"}
    pairs.update({f"{architecture}.{k}": v for k, v in keys.items()})
    out = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(pairs))
    for k, v in pairs.items():
        out += text(k) + value(v)
    data = b""
    for name, array in tensors:
        array = numpy.asarray(array, dtype="<f4")
        data += b"\0" * (-len(data) % 32)
        out += text(name) + struct.pack("<I", array.ndim) + struct.pack(f"<{array.ndim}Q", *reversed(array.shape))
        out += struct.pack("<IQ", 0, len(data))
        data += array.tobytes()
    if tensors:
        out += b"\0" * (-len(out) % 32)
    return out + data


def sizes(config):
    """What every class of the converter writes."""
    layers = config.get("num_hidden_layers", config.get("n_layer"))
    out = {
        "block_count": layers,
        "context_length": config.get("max_position_embeddings", config.get("n_positions")),
        "embedding_length": config.get("hidden_size", config.get("n_embd")),
        "attention.head_count": config.get("num_attention_heads", config.get("n_head")),
    }
    if "num_key_value_heads" in config:
        out["attention.head_count_kv"] = config["num_key_value_heads"]
    if "rope_theta" in config:
        out["rope.freq_base"] = float(config["rope_theta"])
    if "head_dim" in config:
        out["attention.key_length"] = out["attention.value_length"] = config["head_dim"]
    return out


def llama3_factors(config):
    """LlamaModel.generate_extra_tensors."""
    scaling, dim = config["rope_scaling"], config["head_dim"]
    freqs = 1.0 / (config["rope_theta"] ** (numpy.arange(0, dim, 2, dtype=numpy.float32) / numpy.float32(dim)))
    original = scaling["original_max_position_embeddings"]
    low, high = original / scaling["low_freq_factor"], original / scaling["high_freq_factor"]
    out = []
    for freq in freqs.astype(numpy.float32):
        wavelength = 2 * math.pi / float(freq)
        if wavelength < high:
            out.append(1.0)
        elif wavelength > low:
            out.append(float(scaling["factor"]))
        else:
            smooth = (original / wavelength - scaling["low_freq_factor"]) / (
                scaling["high_freq_factor"] - scaling["low_freq_factor"])
            out.append(1 / ((1 - smooth) / scaling["factor"] + smooth))
    return out


def yarn_keys(scaling):
    return {"rope.scaling.type": "yarn", "rope.scaling.factor": float(scaling["factor"]),
            "rope.scaling.original_context_length": scaling["original_max_position_embeddings"]}


def ggml_yarn(base, dim, original, factor, divisors, fast=32.0, slow=1.0):
    """Frequencies of ggml's rope_yarn: the angle is divided first, then interpolated and blended along the pair index
    (ggml-cpu ops.cpp ggml_rope_cache_init and rope_yarn), in 60 digits with the divisors as they are stored."""
    mpmath.mp.dps = 60

    def edge(turns):
        return dim * mpmath.log(original / (turns * 2 * mpmath.pi)) / (2 * mpmath.log(base))

    low, high = max(mpmath.floor(edge(fast)), 0), min(mpmath.ceil(edge(slow)), dim - 1)
    out = []
    for i, divisor in enumerate(divisors):
        whole = mpmath.mpf(base) ** (-mpmath.mpf(2 * i) / dim) / mpmath.mpf(float(numpy.float32(divisor)))
        ramp = 1 - min(1, max(0, (i - low) / max(mpmath.mpf("0.001"), high - low)))
        out.append(float(whole / factor * (1 - ramp) + whole * ramp))
    return out


def main(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    cases = []

    def case(name, config, architecture, right, tensors=(), wrong=None, finds=0, why=""):
        """One architecture: the file as converted, and wrong ones {name: (keys changed, tensors, words of the report)}."""
        (folder / f"{name}.json").write_text(json.dumps(config, indent=1) + "\n")
        (folder / f"{name}.gguf").write_bytes(gguf(architecture, right, tensors))
        cases.append({"config": f"{name}.json", "gguf": f"{name}.gguf", "exit": finds, "why": why})
        for flaw, (changed, kept, words) in (wrong or {}).items():
            keys = {k: v for k, v in {**right, **changed}.items() if v is not None}
            (folder / f"{name}.{flaw}.gguf").write_bytes(gguf(architecture, keys, kept))
            cases.append({"config": f"{name}.json", "gguf": f"{name}.{flaw}.gguf", "exit": 1, "why": words})

    llama = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 2,
             "num_hidden_layers": 3, "max_position_embeddings": 512, "rope_theta": 10000.0}
    keys = {**sizes(llama), "rope.dimension_count": 16}
    case("llama", llama, "llama", keys, why="permuted: pairs of halves become neighbours",
         wrong={"base": ({"rope.freq_base": 500000.0}, (), "frequency"), "layers": ({"block_count": 2}, (), "layers: 3 against 2")})

    llama3 = {"model_type": "llama", "hidden_size": 128, "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 64,
              "num_hidden_layers": 2, "max_position_embeddings": 2048, "rope_theta": 500000.0,
              "rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                               "original_max_position_embeddings": 8192}}
    keys = {**sizes(llama3), "rope.dimension_count": 64}
    freqs = ("rope_freqs.weight", llama3_factors(llama3))
    case("llama3", llama3, "llama", keys, (freqs,), why="the rule lives in a tensor of divisors",
         wrong={"tensor": ({}, (), "frequency")})

    qwen2 = {"model_type": "qwen2", "hidden_size": 128, "num_attention_heads": 2, "num_key_value_heads": 1,
             "num_hidden_layers": 2, "max_position_embeddings": 1024, "rope_theta": 1000000.0,
             "rope_scaling": {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 1024}}
    keys = {**sizes(qwen2), **yarn_keys(qwen2["rope_scaling"])}
    case("yarn", qwen2, "qwen2", keys, why="yarn",
         wrong={"factor": ({"rope.scaling.factor": 2.0}, (), "frequency"), "type": ({"rope.scaling.type": None}, (), "cos")})

    # Lists with digits that float32 does not hold.
    steps = [round(1 + 0.118320672 * i, 9) for i in range(16)]
    longer = [round(1.118320672 ** (i + 1), 9) for i in range(16)]
    phi3 = {"model_type": "phi3", "hidden_size": 64, "num_attention_heads": 2, "num_key_value_heads": 2, "num_hidden_layers": 2,
            "max_position_embeddings": 2048, "original_max_position_embeddings": 256, "rope_theta": 10000.0,
            "rope_scaling": {"type": "longrope", "short_factor": steps, "long_factor": longer}}
    keys = {**sizes(phi3), "rope.dimension_count": 32, "rope.scaling.original_context_length": 256,
            "rope.scaling.attn_factor": math.sqrt(1 + math.log(2048 / 256) / math.log(256))}
    lists = (("rope_factors_long.weight", longer), ("rope_factors_short.weight", steps))
    case("longrope", phi3, "phi3", keys, lists, why="two lists in float32: equal to their rounding",
         wrong={"short": ({}, (lists[0], ("rope_factors_short.weight", [1.0] * 16)), "at 256 tokens"),
                "long": ({}, (("rope_factors_long.weight", steps), lists[1]), "at 2048 tokens"),
                "magnitude": ({"rope.scaling.attn_factor": None}, lists, "cos")})

    gemma3 = {"model_type": "gemma3_text", "hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 1, "head_dim": 32,
              "num_hidden_layers": 13, "max_position_embeddings": 1024, "rope_theta": 1000000.0, "rope_local_base_freq": 10000.0,
              "sliding_window": 128, "sliding_window_pattern": 6, "rope_scaling": {"rope_type": "linear", "factor": 8.0}}
    keys = {**sizes(gemma3), "attention.sliding_window": 128, "rope.scaling.type": "linear", "rope.scaling.factor": 8.0}
    case("gemma3", gemma3, "gemma3", keys, why="local and global layers",
         wrong={"pattern": ({"attention.sliding_window_pattern": 5}, (), "layer 4 is sliding_attention"),
                "window": ({"attention.sliding_window": None}, (), "frequency"),
                "linear": ({"rope.scaling.factor": 4.0}, (), "frequency")})

    neox = {"model_type": "gpt_neox", "hidden_size": 128, "num_attention_heads": 2, "num_hidden_layers": 2, "rotary_pct": 0.25,
            "rotary_emb_base": 10000, "max_position_embeddings": 256}
    keys = {**sizes(neox), "rope.dimension_count": 16, "rope.freq_base": 10000.0}
    case("partial", neox, "gptneox", keys, why="a quarter of the head",
         wrong={"whole": ({"rope.dimension_count": None}, (), "pair: 8 against 32")})

    gpt2 = {"model_type": "gpt2", "n_embd": 8, "n_head": 2, "n_layer": 2, "n_positions": 24}
    table = numpy.random.default_rng(1).normal(0, 0.02, (24, 8))
    case("learned", gpt2, "gpt2", sizes(gpt2), (("position_embd.weight", table),), why="the config has no values",
         wrong={"rows": ({}, (("position_embd.weight", table[:16]),), "position: 24 against 16")})

    bloom = {"model_type": "bloom", "hidden_size": 64, "n_head": 12, "n_layer": 2, "seq_length": 128}
    keys = {**sizes(bloom), "context_length": 128, "attention.head_count_kv": 12}
    case("alibi", bloom, "bloom", keys, why="slopes of a number of heads that is no power of two",
         wrong={"heads": ({"attention.head_count": 8, "embedding_length": 40}, (), "head: 12 against 8")})

    smollm3 = {"model_type": "smollm3", "hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 2,
               "num_hidden_layers": 8, "max_position_embeddings": 256, "rope_theta": 2000000.0,
               "no_rope_layers": [1, 1, 1, 0, 1, 1, 1, 0]}
    case("nope", smollm3, "smollm3", {**sizes(smollm3), "rope.dimension_count": 16}, why="every fourth layer does not turn")
    shifted = {**smollm3, "no_rope_layers": [1, 1, 0, 1, 1, 1, 0, 1]}
    (folder / "nope.shifted.json").write_text(json.dumps(shifted, indent=1) + "\n")
    cases.append({"config": "nope.shifted.json", "gguf": "nope.gguf", "exit": 1, "why": "layer 2 is nope in the first and rope"})

    latent = {"model_type": "deepseek_v3", "hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 4,
              "num_hidden_layers": 2, "kv_lora_rank": 32, "q_lora_rank": 48, "qk_nope_head_dim": 32, "qk_rope_head_dim": 16,
              "v_head_dim": 32, "max_position_embeddings": 2048, "rope_theta": 10000,
              "rope_scaling": {"type": "yarn", "factor": 40, "mscale": 1.0, "mscale_all_dim": 1.0, "beta_fast": 32,
                               "beta_slow": 1, "original_max_position_embeddings": 512}}
    keys = {**sizes(latent), **yarn_keys(latent["rope_scaling"]), "attention.head_count_kv": 1, "attention.kv_lora_rank": 32,
            "attention.key_length": 48, "attention.key_length_mla": 48, "rope.dimension_count": 16,
            "rope.scaling.yarn_log_multiplier": 0.1}
    case("latent", latent, "deepseek2", keys, why="latent attention with yarn",
         wrong={"scale": ({"rope.scaling.yarn_log_multiplier": None}, (), "logit scale")})

    oss = {"model_type": "gpt_oss", "hidden_size": 64, "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 64,
           "num_hidden_layers": 2, "max_position_embeddings": 8192, "rope_theta": 150000, "sliding_window": 128,
           "rope_scaling": {"rope_type": "yarn", "factor": 32.0, "beta_fast": 32.0, "beta_slow": 1.0, "truncate": False,
                            "original_max_position_embeddings": 4096}}
    keys = {**sizes(oss), **yarn_keys(oss["rope_scaling"]), "attention.sliding_window": 128}
    case("untruncated", oss, "gpt-oss", keys, finds=1, why="frequency")  # llama.cpp rounds the ends of the ramp

    # Divisors and yarn in one file: ggml divides first.
    divisors = llama3_factors(llama3)
    keys = {**sizes(llama3), "rope.dimension_count": 64, "rope.scaling.type": "yarn", "rope.scaling.factor": 4.0,
            "rope.scaling.original_context_length": 2048}
    (folder / "yarn_divisors.gguf").write_bytes(gguf("llama", keys, (("rope_freqs.weight", divisors),)))
    expected = {"source": "tools/reference/gguf_models.py", "inv_freq": ggml_yarn(500000, 64, 2048, 4, divisors)}
    (folder / "yarn_divisors.expected.json").write_text(json.dumps(expected, indent=1) + "\n")
    (folder / "cases.json").write_text(json.dumps({"source": "tools/reference/gguf_models.py", "cases": cases}, indent=1) + "\n")


main(sys.argv[1])
