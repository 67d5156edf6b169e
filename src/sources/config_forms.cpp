#include "sources/config_forms.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace posenc::sources {
namespace {

using model::Pos;

/// One encoding while it is put together.
class Form {
 public:
  Form(const Subject& s, std::string name, std::string scheme) : subject(s) {
    layer_.name = std::move(name);
    layer_.encoding.scheme = std::move(scheme);
  }
  Form& set(std::string_view field, std::string text) {
    layer_.encoding.values.emplace_back(field, std::move(text));
    return *this;
  }
  Form& set(std::string_view field, Pos value) { return set(field, std::to_string(value)); }
  /// The value, or an error that the file lacks it.
  Form& need(std::string_view field, const std::optional<Pos>& value, std::string_view key) {
    if (value) return set(field, *value);
    if (!subject.text.ledger().failed()) subject.text.ledger().error(fmt::format("{}: missing", key));
    return *this;
  }
  Form& trained(Pos length) {
    layer_.at = length;
    return set("original", length);
  }
  void into(ModelReport& report) { report.layers.push_back(std::move(layer_)); }

 private:
  const Subject& subject;
  LayerReport layer_;
};

Pos count_or(const Subject& s, std::string_view key, Pos otherwise, const std::string& note) {
  if (const auto given = s.text.count(key)) return *given;
  s.text.defaulted(key, std::to_string(otherwise), note);
  return otherwise;
}

void learned(const Subject& s, ModelReport& report) {
  const Pos listed = positions(s);
  const bool two_more = s.family.rows == TableRows::two_more, after = s.family.rows == TableRows::after_padding;
  const Pos padding = after ? s.text.count("pad_token_id", 0).value_or(1) : 0;
  if (after) s.text.mark("pad_token_id", KeyStatus::used, "position 0 has the row after the padding's");
  if (two_more)
    s.text.ledger().warn(
        fmt::format("{}: the table has two rows more than max_position_embeddings, position 0 in row 2", s.model_type));
  Form form(s, "all", "learned");
  form.need("dim", model_width(s), "hidden_size").set("rows", listed + (two_more ? 2 : 0));
  if (two_more) form.set("offset", Pos{2});
  if (after) form.set("padding-index", padding);
  form.set("init", s.is("gpt2") ? "gpt2" : "bert");
  if (listed <= padding + 1 && after)
    s.text.ledger().error(fmt::format("max_position_embeddings = {}: must be > pad_token_id + 1", listed));
  form.trained(after ? listed - padding - 1 : listed).into(report);
}

/// [sines, cosines]; Whisper's last frequency is exactly 1/10000, Marian's and Pegasus's are the paper's.
void sinusoid(const Subject& s, const std::string& name, std::string_view exponent, Pos length, ModelReport& report) {
  const bool scaled = s.text.flag("scale_embedding").value_or(false);
  Form form(s, name, "sinusoidal");
  form.need("dim", model_width(s), "d_model").set("layout", "concat").set("exponent", std::string(exponent));
  form.set("scale-embedding", scaled ? "true" : "false").trained(length).into(report);
}

void whisper(const Subject& s, ModelReport& report) {
  const std::string origin = "class default of whisper";
  sinusoid(s, "encoder", "t2t", count_or(s, "max_source_positions", 1500, origin), report);
  const Pos rows = count_or(s, "max_target_positions", 448, origin);
  Form(s, "decoder", "learned").need("dim", model_width(s), "d_model").set("rows", rows).trained(rows).into(report);
}

void t5(const Subject& s, ModelReport& report) {
  const std::string origin = fmt::format("class default of {}", s.family.type);
  const Pos buckets = count_or(s, "relative_attention_num_buckets", 32, origin);
  const Pos distance = count_or(s, "relative_attention_max_distance", 128, origin);
  const Pos trained = count_or(s, "n_positions", 512, origin);
  for (const bool encoder : {true, false}) {
    Form form(s, encoder ? "encoder" : "decoder", "t5");
    form.need("dim", head_dim(s), "d_kv").need("heads", heads(s), "num_heads").set("buckets", buckets);
    form.set("max-distance", distance).set("bidirectional", encoder ? "true" : "false").trained(trained).into(report);
  }
}

void alibi(const Subject& s, ModelReport& report) {
  Form form(s, "all", "alibi");
  form.need("dim", head_dim(s), "hidden_size").need("heads", heads(s), "num_attention_heads");
  if (const auto config = s.text.object("attn_config"))
    if (const auto bias_max = config->number("alibi_bias_max")) {
      if (!(*bias_max > 0))
        s.text.ledger().error(fmt::format("attn_config.alibi_bias_max = {}: must be > 0", plain_number(*bias_max)));
      form.set("bias-max", plain_number(*bias_max));
    }
  if (s.is("bert")) form.set("sides", "symmetric");
  if (s.is("falcon"))
    s.text.ledger().warn(
        "falcon: its code divides the biases by sqrt(head_dim) together with the scores; here they are added unscaled");
  form.trained(positions(s)).into(report);
}

/// BERT's relative_key and relative_key_query: a row for every distance, none clipped.
void relative_key(const Subject& s, ModelReport& report) {
  if (s.text.word("position_embedding_type") == "relative_key_query")
    s.text.ledger().warn("position_embedding_type: the encoding is that of relative_key, without the vectors that the keys meet");
  const Pos length = positions(s);
  Form form(s, "all", "shaw");
  form.need("dim", head_dim(s), "hidden_size").set("clip", std::max(length - 1, Pos{1})).set("values", "false");
  form.set("causal", "false").trained(length).into(report);
}

/// A count that -1 or 0 turns off.
std::optional<Pos> switched(const Subject& s, std::string_view key) {
  const auto given = s.text.number(key);
  if (!given || !(*given > 0)) return {};
  return s.text.count(key);
}

void deberta(const Subject& s, ModelReport& report) {
  const Pos length = positions(s);
  const Pos reach = switched(s, "max_relative_positions").value_or(length);
  const auto buckets = switched(s, "position_buckets");
  Form form(s, "all", "deberta");
  form.need("dim", model_width(s), "hidden_size").need("heads", heads(s), "num_attention_heads");
  if (buckets)
    form.set("buckets", *buckets).set("max-distance", reach).set("beyond", "hf");
  else
    form.set("clip", reach);
  if (const auto kinds = s.text.words("pos_att_type"))
    for (const std::string kind : {"c2p", "p2c"})
      if (std::find(kinds->begin(), kinds->end(), kind) == kinds->end()) form.set(kind, "false");
  form.trained(length).into(report);
}

void transformer_xl(const Subject& s, ModelReport& report) {
  Form form(s, "all", "transformer-xl");
  form.need("dim", model_width(s), "d_model").need("heads", heads(s), "n_head");
  if (const auto per_head = s.text.count("d_head")) form.set("head-dim", *per_head);
  if (const auto clamp = switched(s, "clamp_len")) form.set("clamp-len", *clamp);
  form.trained(count_or(s, "tgt_len", 128, "class default of transfo-xl")).into(report);
}

void none(const Subject& s, ModelReport& report) {
  const auto dim = head_dim(s);
  if (dim) Form(s, "all", "nope").set("dim", *dim).trained(positions(s)).into(report);
}

}  // namespace

void read_form(const Subject& s, Kind kind, ModelReport& report) {
  const auto as = [&](std::string_view scheme, auto&& read) {
    report.scheme = scheme;
    read();
  };
  switch (kind) {
    case Kind::rotary:
      return;
    case Kind::learned:
      return as("learned", [&] { learned(s, report); });
    case Kind::sinusoid:
      return as("sinusoid", [&] { sinusoid(s, "all", "paper", positions(s), report); });
    case Kind::sinusoid_learned:
      return as("sinusoid+learned", [&] { whisper(s, report); });
    case Kind::t5:
      return as("t5_bucket", [&] { t5(s, report); });
    case Kind::alibi:
      return as("alibi", [&] { alibi(s, report); });
    case Kind::relative_key:
      return as("relative_key", [&] { relative_key(s, report); });
    case Kind::deberta:
      return as("deberta", [&] { deberta(s, report); });
    case Kind::transformer_xl:
      return as("transformer_xl", [&] { transformer_xl(s, report); });
    case Kind::none:
      return as("none", [&] { none(s, report); });
    case Kind::no_attention:
      return as("none", [] {});
  }
}

}  // namespace posenc::sources
