"""Writes tests/data/dialects.json: what vLLM and llama.cpp make of config.json files that transformers reads otherwise.

Each tool's rule is written out from its own code, in 50 digits, apart from the program: vllm-project/vllm
model_executor/layers/rotary_embedding/*.py, transformers_utils/config.py, config/model.py and models/deepseek_v2.py;
ggml-org/llama.cpp conversion/base.py, llama.py, phi.py, minicpm.py, hunyuan.py, deepseek.py, gpt_neox.py, src/llama-context.cpp
and ggml's rope_yarn. Rounding to float32, which all of them do, is left out.
"""
import json
import pathlib

from mpmath import ceil, floor, log, mp, mpf, pi, sqrt

mp.dps = 50
OUT = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "dialects.json"
cases = []


def plain(base, d):
    return [mpf(base) ** (mpf(-2 * i) / d) for i in range(d // 2)]


def m(s, k=1):
    return mpf(1) if s <= 1 else mpf(k) * log(mpf(s)) / 10 + 1


def pair_of(turns, original, base, d):
    """The pair that turns so often within the original length."""
    return d * log(original / (2 * pi * mpf(turns))) / (2 * log(mpf(base)))


def vllm_yarn(base, d, s, original, fast=32, slow=1, truncate=True):
    low, high = pair_of(fast, original, base, d), pair_of(slow, original, base, d)
    if truncate:
        low, high = floor(low), ceil(high)
    low, high = max(low, mpf(0)), min(high, mpf(d - 1))
    if low == high:
        high += mpf("0.001")
    out = []
    for i, w in enumerate(plain(base, d)):
        keep = 1 - min(max((i - low) / (high - low), mpf(0)), mpf(1))
        out.append(w / mpf(s) * (1 - keep) + w * keep)
    return out


def ggml_yarn(base, d, s, original, fast=32, slow=1):
    low = max(mpf(0), floor(pair_of(fast, original, base, d)))
    high = min(mpf(d - 1), ceil(pair_of(slow, original, base, d)))
    out = []
    for i, w in enumerate(plain(base, d)):
        mix = 1 - min(mpf(1), max(mpf(0), (i - low) / max(mpf("0.001"), high - low)))
        out.append(w / mpf(s) * (1 - mix) + w * mix)
    return out


def bands(base, d, s, low, high, original):
    """Llama 3.1 with the order of the questions in vLLM's llama3_rope.py and llama.cpp's llama.py."""
    out = []
    for w in plain(base, d):
        wave = 2 * pi / w
        if wave < original / mpf(high):
            out.append(w)
        elif wave > original / mpf(low):
            out.append(w / s)
        else:
            smooth = (original / wave - low) / (mpf(high) - low)
            out.append((1 - smooth) * w / s + smooth * w)
    return out


def divided(base, d, factors):
    return [w / mpf(f) for w, f in zip(plain(base, d), factors)]


def number(x):
    return [number(i) for i in x] if isinstance(x, list) else float(x) if isinstance(x, type(mpf(1))) else x


def layer(inv_freq, attention_factor=1, **more):
    return {"inv_freq": inv_freq, "attention_factor": mpf(attention_factor), **more}


def add(name, tool, config, error=None, **layers):
    expect = {"error": error} if error else {"layers": {k: {f: number(v) for f, v in e.items()} for k, e in layers.items()}}
    cases.append({"name": name, "as": tool, "config": config, "expect": expect})


def llama(positions=8192, head=64, model_type="llama", theta=500000.0, **keys):
    return {"model_type": model_type, "hidden_size": 8 * head, "num_attention_heads": 8, "head_dim": head,
            "max_position_embeddings": positions, "rope_theta": theta, **keys}


def scaled(scaling, **keys):
    return llama(rope_scaling=scaling, **keys)


def mla(model_type, scaling, **keys):
    return {"model_type": model_type, "hidden_size": 2048, "num_attention_heads": 16, "qk_rope_head_dim": 64,
            "max_position_embeddings": 163840, "rope_theta": 10000.0, "rope_scaling": scaling, **keys}


short = [1 + mpf(i) / 64 for i in range(32)]
long = [1 + mpf(i * i) / 16 for i in range(32)]
lists = {"short_factor": number(short), "long_factor": number(long)}

# vLLM -----------------------------------------------------------------------------------------------------------------------
V = "vllm"
for d, s in ((64, 4), (128, mpf("2.5"))):
    base = mpf(10000) * (mpf(s) ** 2 - s + 1) ** (mpf(d) / (d - 2))
    add(f"dynamic, one table, {d} channels", V,
        scaled({"rope_type": "dynamic", "factor": float(s)}, positions=2048, head=d, theta=10000.0),
        all=layer(plain(base, d), positions=int(2048 * s), beyond=plain(base, d)))
add("dynamic with alpha: the length follows the factor", V,
    scaled({"rope_type": "dynamic", "alpha": 1000.0, "factor": 2.0}, positions=32768, theta=10000.0),
    all=layer(plain(mpf(10000) * mpf(1000) ** (mpf(64) / 62), 64), positions=65536))
add("linear: the length times the factor", V, scaled({"type": "linear", "factor": 4.0}, positions=4096),
    all=layer([w / 4 for w in plain(500000, 64)], positions=16384))

s = mpf(131072) / 4096
A = sqrt(1 + log(s) / log(mpf(4096)))
add("longrope: the long list at every length, s = M/O whatever the factor", V,
    llama(131072, theta=10000.0, model_type="phi3", original_max_position_embeddings=4096,
          rope_scaling={"rope_type": "longrope", "factor": 4.0, "attention_factor": 1.5, **lists}),
    all=layer(divided(10000, 64, long), A, positions=131072))
add("longrope: long_mscale is the attention factor", V,
    llama(131072, theta=10000.0, model_type="phi3", original_max_position_embeddings=4096,
          rope_scaling={"type": "su", "short_mscale": 1.1, "long_mscale": 1.243163, **lists}),
    all=layer(divided(10000, 64, long), mpf("1.243163"), positions=131072))
add("longrope: within the original length the short list and its short_mscale", V,
    llama(4096, theta=10000.0, model_type="phi3",
          rope_scaling={"type": "longrope", "original_max_position_embeddings": 4096, "short_mscale": 1.1, **lists}),
    all=layer(divided(10000, 64, short), mpf("1.1"), positions=4096))

deepseek = {"type": "yarn", "factor": 40, "original_max_position_embeddings": 4096, "beta_fast": 32, "beta_slow": 1}
add("DeepSeek V2: mscale is 1 where it is not given", V, mla("deepseek_v2", {**deepseek, "mscale_all_dim": 0.707}),
    all=layer(vllm_yarn(10000, 64, 40, 4096), m(40) / m(40, mpf("0.707")), softmax=m(40, mpf("0.707")) ** 2, positions=163840))
add("DeepSeek V3: attention_factor is not read, attn_factor multiplies, the ramp is rounded", V,
    mla("deepseek_v3", {**deepseek, "mscale": 1.0, "mscale_all_dim": 1.0, "attention_factor": 3.0, "attn_factor": 1.25,
                        "truncate": False}),
    all=layer(vllm_yarn(10000, 64, 40, 4096), mpf("1.25"), softmax=m(40) ** 2, positions=163840))
add("DeepSeek V3: rope_interleave is not read", V,
    mla("deepseek_v3", {**deepseek, "mscale": 1.0, "mscale_all_dim": 1.0}, rope_interleave=False),
    all=layer(vllm_yarn(10000, 64, 40, 4096), softmax=m(40) ** 2, layout="interleaved"))
add("deepseek_yarn by name: both magnitudes have defaults, and the ramp is rounded", V,
    scaled({"rope_type": "deepseek_yarn", "factor": 8.0, "original_max_position_embeddings": 4096, "mscale": 0.5,
            "truncate": False}, positions=32768),
    all=layer(vllm_yarn(500000, 64, 8, 4096), m(8, mpf("0.5"))))
add("DeepSeek V4: both magnitudes are 0", V,
    {**mla("deepseek_v4", {"type": "yarn", "factor": 16, "original_max_position_embeddings": 65536, "beta_fast": 32, "beta_slow": 1}),
     "max_position_embeddings": 1048576, "compress_rope_theta": 160000.0, "compress_ratios": [0, 4]},
    sliding_attention=layer(plain(10000, 64)), compressor=layer(vllm_yarn(160000, 64, 16, 65536)))
add("TeleChat 3: 0.07 ln s + 1 over a given attention_factor", V,
    scaled({"rope_type": "telechat3-yarn", "factor": 4.0, "original_max_position_embeddings": 8192, "attention_factor": 2.0},
           positions=32768, head=128),
    all=layer(vllm_yarn(500000, 128, 4, 8192), mpf("0.07") * log(mpf(4)) + 1, positions=32768))
add("yarn: the length is O s, not M", V,
    scaled({"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}, positions=32768, head=128, theta=1e6),
    all=layer(vllm_yarn(1000000, 128, 4, 32768), m(4), positions=131072))
add("yarn with sections: the ramp of four times the original length", V,
    scaled({"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768, "mrope_section": [16, 24, 24]},
           positions=131072, head=128, theta=1e6, model_type="qwen2_vl"),
    all=layer(vllm_yarn(1000000, 128, 4, 4 * 32768), m(4), positions=131072))
add("proportional has no factor", V,
    {"model_type": "gemma4_text", "hidden_size": 1536, "num_attention_heads": 8, "global_head_dim": 64, "head_dim": 64,
     "max_position_embeddings": 131072, "layer_types": ["full_attention", "sliding_attention"],
     "rope_parameters": {"full_attention": {"rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1e6,
                                            "factor": 8.0},
                         "sliding_attention": {"rope_type": "default", "rope_theta": 1e4}}},
    full_attention=layer([mpf(10) ** (mpf(-12 * i) / 64) if i < 8 else mpf(0) for i in range(32)]),
    sliding_attention=layer(plain(10000, 64)))
add("Command-R: model_max_length decides", V, llama(8192, model_type="cohere", theta=8e6, model_max_length=131072),
    all=layer(plain(8000000, 64), positions=131072))
add("llama3: high below low is a step at high", V,
    scaled({"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 4.0, "high_freq_factor": 1.0,
            "original_max_position_embeddings": 4096}),
    all=layer(bands(500000, 64, 8, 4, 1, 4096), positions=8192))
qwen = {"model_type": "qwen", "hidden_size": 512, "num_attention_heads": 8, "kv_channels": 64, "max_position_embeddings": 8192,
        "seq_length": 2048, "rotary_emb_base": 10000, "use_dynamic_ntk": True}
add("Qwen 1: its own dynamic scaling is not read, seq_length is the least length", V, qwen,
    all=layer(plain(10000, 64), positions=2048, beyond=plain(10000, 64)))
yarn = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096}
add("no channel may be left still", V, llama(partial_rotary_factor=0),
    error="vLLM: partial_rotary_factor = 0: must be in (0, 1]")
for kind, rest in (("yarn", {}), ("longrope", lists), ("llama3", {"low_freq_factor": 1.0, "high_freq_factor": 4.0})):
    add(f"{kind} without the original length", V, scaled({"rope_type": kind, "factor": 4.0, **rest}),
        error=f"vLLM: rope_scaling.original_max_position_embeddings: missing for rope type {kind}")
add("yarn with factor null", V, scaled({**yarn, "factor": None}), error="vLLM: rope_scaling.factor = null: must be a number")
add("su and longrope the other way round", V,
    scaled({"rope_type": "su", "type": "longrope", "original_max_position_embeddings": 4096, **lists}),
    error="vLLM: conflict: rope_scaling.rope_type = 'su' and rope_scaling.type = 'longrope'")
add("beta_fast 0", V, scaled({**yarn, "beta_fast": 0}), error="vLLM: rope_scaling.beta_fast = 0: must be > 0")
add("beta_slow null", V, scaled({**yarn, "beta_slow": None}), error="vLLM: rope_scaling.beta_slow = null: must be a number")
add("xdrope without its sections", V, scaled({"rope_type": "xdrope", "alpha": 1000.0}),
    error="vLLM: rope_scaling.xdrope_section: missing for rope type xdrope")
add("longrope of interleaved pairs", V,
    llama(131072, model_type="cohere", rope_scaling={"rope_type": "longrope", "original_max_position_embeddings": 4096, **lists}),
    error="vLLM: rope_scaling.rope_type: longrope turns the halves of a head alone, not interleaved pairs")

# llama.cpp ------------------------------------------------------------------------------------------------------------------
L = "llama.cpp"
add("gpt-oss: the ends of the ramp are rounded", L,
    llama(131072, model_type="gpt_oss", theta=150000,
          rope_scaling={"rope_type": "yarn", "factor": 32.0, "beta_fast": 32.0, "beta_slow": 1.0, "truncate": False,
                        "original_max_position_embeddings": 4096}, layer_types=["full_attention"], num_hidden_layers=1),
    all=layer(ggml_yarn(150000, 64, 32, 4096), m(32)))
add("yarn: a given attention_factor is computed anew", L, scaled({**yarn, "attention_factor": 0.5}, positions=16384),
    all=layer(ggml_yarn(500000, 64, 4, 4096), m(4)))
add("yarn: mscale and mscale_all_dim are not written", L,
    scaled({**yarn, "mscale": 0.707, "mscale_all_dim": 1.0}, positions=16384, model_type="qwen2"),
    all=layer(ggml_yarn(500000, 64, 4, 4096), m(4)))
add("DeepSeek V2: mscale is taken for mscale_all_dim", L, mla("deepseek_v2", {**deepseek, "mscale": 0.707, "mscale_all_dim": 1.0}),
    all=layer(ggml_yarn(10000, 64, 40, 4096), 1, softmax=m(40) ** 2))
add("Ministral 3: mscale is taken for 1", L,
    llama(262144, model_type="ministral3", theta=1e6,
          rope_parameters={"rope_type": "yarn", "rope_theta": 1e6, "factor": 16.0, "original_max_position_embeddings": 16384,
                           "mscale": 0.8, "mscale_all_dim": 0.5, "llama_4_scaling_beta": 0.1}),
    all=layer(ggml_yarn(1000000, 64, 16, 16384), m(16) / m(16, mpf("0.5"))))
add("yarn: beta_fast below beta_slow is a step", L, scaled({**yarn, "beta_fast": 1, "beta_slow": 32}, positions=16384),
    all=layer(ggml_yarn(500000, 64, 4, 4096, 1, 32), m(4)))
add("yarn: the original length inside decides", L, scaled(yarn, positions=16384, original_max_position_embeddings=2048),
    all=layer(ggml_yarn(500000, 64, 4, 4096), m(4)))
add("yarn: the original length at the top level alone is not enough", L,
    scaled({"rope_type": "yarn", "factor": 4.0}, positions=16384, original_max_position_embeddings=4096),
    error="llama.cpp: rope_scaling.original_max_position_embeddings: missing for rope type yarn")
add("yarn with factor null is left out", L, scaled({**yarn, "factor": None}, positions=16384), all=layer(plain(500000, 64)))
add("yarn with extrapolation_factor 0 has no ramp", L, scaled({**yarn, "extrapolation_factor": 0}, positions=16384),
    all=layer([w / 4 for w in plain(500000, 64)]))
three = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
add("llama3: the original length inside is not read", L,
    scaled({**three, "original_max_position_embeddings": 4096}, positions=131072),
    all=layer(bands(500000, 64, 8, 1, 4, 8192)))
add("llama3: the original length of the top level is, of a nested file too", L,
    llama(131072, original_max_position_embeddings=2048, layer_types=["full_attention"], num_hidden_layers=1,
          rope_parameters={"full_attention": {**three, "rope_theta": 500000.0, "original_max_position_embeddings": 4096}}),
    full_attention=layer(bands(500000, 64, 8, 1, 4, 2048)))
add("llama3: all four have defaults", L, scaled({"rope_type": "llama3"}, positions=131072),
    all=layer(bands(500000, 64, 8, 1, 4, 8192)))
add("llama3 of a family without divisors is left out", L, scaled(three, positions=131072, model_type="qwen2"),
    all=layer(plain(500000, 64)))
add("longrope: neither the factor nor the attention factor is read", L,
    llama(131072, theta=10000.0, model_type="phi3", original_max_position_embeddings=4096,
          rope_scaling={"rope_type": "longrope", "factor": 4.0, "attention_factor": 1.5, **lists}),
    all=layer(divided(10000, 64, short), A, inv_freq_long=divided(10000, 64, long)))
add("Phi 3 with yarn and lists: yarn's magnitude, the lists' frequencies", L,
    llama(131072, theta=10000.0, model_type="phi3", original_max_position_embeddings=4096,
          rope_scaling={"type": "yarn", "factor": 32.0, **lists}),
    all=layer(divided(10000, 64, short), m(32), inv_freq_long=divided(10000, 64, long)))
add("MiniCPM: no attention factor, and the short list to the end", L,
    llama(32768, theta=10000.0, model_type="minicpm",
          rope_scaling={"rope_type": "longrope", "original_max_position_embeddings": 4096, **lists}),
    all=layer(divided(10000, 64, short), 1, inv_freq_long=divided(10000, 64, long)))
add("longrope of a family without lists is left out", L,
    scaled({"rope_type": "longrope", "original_max_position_embeddings": 4096, **lists}, positions=131072),
    all=layer(plain(500000, 64)))
add("dynamic scaling is left out", L, scaled({"type": "dynamic", "factor": 4.0}),
    all=layer(plain(500000, 64), beyond=plain(500000, 64)))
add("Qwen 1: its own dynamic scaling is not read", L, qwen, all=layer(plain(10000, 64), beyond=plain(10000, 64)))
add("an unknown type is left out", L, scaled({"type": "video_rope", "factor": None}), all=layer(plain(500000, 64)))
add("rope_type decides against type", L, scaled({"rope_type": "linear", "type": "dynamic", "factor": 2.0}),
    all=layer([w / 2 for w in plain(500000, 64)]))
add("rope_parameters decides against rope_scaling", L,
    llama(rope_scaling={"type": "linear", "factor": 2.0}, rope_parameters={"rope_type": "linear", "factor": 4.0}),
    all=layer([w / 4 for w in plain(500000, 64)]))
add("Phi 2: int(share * hidden) // heads", L,
    {"model_type": "phi", "hidden_size": 2000, "num_attention_heads": 20, "max_position_embeddings": 2048,
     "partial_rotary_factor": 0.58, "rope_theta": 10000.0},
    all=layer(plain(10000, 58), rotary_dim=58))
add("Phi 2: the base is not written", L,
    {"model_type": "phi", "hidden_size": 2560, "num_attention_heads": 32, "max_position_embeddings": 2048,
     "partial_rotary_factor": 0.4, "rope_theta": 50000.0, "rope_scaling": {"type": "linear", "factor": 2.0}},
    all=layer(plain(10000, 32), rotary_dim=32, base=10000))
add("the whole head turns where the share is not written", L, llama(partial_rotary_factor=0.5),
    all=layer(plain(500000, 64), rotary_dim=64))
add("sections that are none of the pairs leave text as it is", L,
    scaled({"type": "mrope", "mrope_section": [8, 12, 11]}, model_type="qwen2_vl"), all=layer(plain(500000, 64)))
add("one rotation for sliding and full layers", L,
    llama(131072, model_type="qwen3", layer_types=["sliding_attention", "full_attention"], num_hidden_layers=2,
          rope_parameters={"full_attention": {**yarn, "rope_theta": 1e6},
                           "sliding_attention": {"rope_type": "default", "rope_theta": 1e4}}),
    full_attention=layer(ggml_yarn(1000000, 64, 4, 4096), m(4)), sliding_attention=layer(ggml_yarn(1000000, 64, 4, 4096), m(4)))
add("Gemma 3: sliding layers turn without scaling, with the base of their own dictionary", L,
    llama(131072, model_type="gemma3_text", layer_types=["sliding_attention", "full_attention"], num_hidden_layers=2,
          rope_parameters={"full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1e6},
                           "sliding_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 2e4}}),
    full_attention=layer([w / 8 for w in plain(1000000, 64)]), sliding_attention=layer(plain(20000, 64)))
add("HunYuan: alpha has a default, and the length is 256k", L,
    llama(32768, head=128, theta=10000.0, model_type="hunyuan_v1_moe", rope_scaling={"type": "dynamic"}),
    all=layer(plain(mpf(10000) * mpf(1000) ** (mpf(128) / 126), 128), positions=262144))
add("HunYuan: what its converter does not take for granted is refused", L,
    llama(32768, head=128, theta=10000.0, model_type="hunyuan_v1_moe", rope_scaling={"type": "dynamic", "alpha": 500.0}),
    error="llama.cpp: rope_scaling.alpha = 500.0: its converter takes alpha 1000 and 128 channels a head for granted")
add("Phi 3: longrope without a type", L,
    llama(131072, theta=10000.0, model_type="phi3", original_max_position_embeddings=4096, rope_scaling=lists),
    error="llama.cpp: rope_scaling.rope_type: missing the required key rope_scaling.type")

OUT.write_text(json.dumps(cases, indent=1) + "\n")
print(len(cases), "cases:", sum(c["as"] == V for c in cases), "vLLM,", sum(c["as"] == L for c in cases), "llama.cpp")
