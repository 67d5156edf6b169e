#!/usr/bin/env python3
"""Writes data/models/NAME.json, one config.json a model of data/models/facts.json, spelt as the model's own family spells it.

A fact is {name, model, model_type, scheme, source, note?} and, where rotary, {hidden_size, heads, kv_heads?, layers?, head_dim,
rotary_dim, base, scaling?, positions, layout}; `keys` are further keys of the file, taken over as they are; `class_default` names
facts that the model's file leaves to its class. What the reader makes of a preset is tested against the facts."""
import json
import pathlib

MODELS = pathlib.Path(__file__).resolve().parent.parent / "data" / "models"
LATENT = ("deepseek_v2", "deepseek_v3", "deepseek_v4", "kimi_k2")
ALWAYS_HEAD_DIM = ("gemma", "gemma2", "gemma3_text", "gemma4_text", "qwen3", "gpt_oss")
GPT_SPELLING = ("gptj", "phi-msft")


def sizes(fact):
    names = ("n_embd", "n_head", "n_positions") if fact["model_type"] in GPT_SPELLING else (
        "hidden_size", "num_attention_heads", "max_position_embeddings")
    if fact["model_type"] == "chatglm":
        names = names[:2] + ("seq_length",)
    out = dict(zip(names, (fact["hidden_size"], fact["heads"], fact["positions"])))
    if "positions" in fact.get("class_default", ()):
        del out[names[2]]
    if "kv_heads" in fact and fact["model_type"] not in GPT_SPELLING + ("chatglm", "gpt_neox"):
        out["num_key_value_heads"] = fact["kv_heads"]
    if "layers" in fact:
        out["num_hidden_layers"] = fact["layers"]
    return out


def head(fact):
    kind, width, turning = fact["model_type"], fact["head_dim"], fact["rotary_dim"]
    out = {}
    if kind in LATENT:
        return {"qk_rope_head_dim": width}
    if kind == "chatglm":
        return {"kv_channels": width}
    if kind in ALWAYS_HEAD_DIM or fact["hidden_size"] // fact["heads"] != width:
        out["head_dim"] = width
    inside = "partial_rotary_factor" in (fact.get("scaling") or {})
    if kind in GPT_SPELLING:
        out["rotary_dim"] = turning
    elif kind == "gpt_neox":
        out["rotary_pct"] = turning / width
    elif turning != width and not inside:
        out["partial_rotary_factor"] = turning / width
    return out


def rotation(fact):
    scaling, out = fact.get("scaling"), {}
    if scaling and ("rope_theta" in scaling or any(isinstance(v, dict) for v in scaling.values())):
        return {"rope_parameters": scaling}
    if "base" not in fact.get("class_default", ()):
        out[{"gpt_neox": "rotary_emb_base", "modernbert": "global_rope_theta"}.get(fact["model_type"], "rope_theta")] = fact["base"]
    if scaling:
        out["rope_scaling"] = scaling
    return out


def config(fact):
    out = {"_model": fact["model"], "_source": fact["source"]}
    if "note" in fact:
        out["_note"] = fact["note"]
    out["model_type"] = fact["model_type"]
    if fact["scheme"] == "rotary":
        out |= sizes(fact) | head(fact) | rotation(fact)
    return out | fact.get("keys", {})


for fact in json.loads((MODELS / "facts.json").read_text()):
    (MODELS / f"{fact['name']}.json").write_text(json.dumps(config(fact), indent=2) + "\n")
