#include "sources/config_scaling.hpp"
#include "sources/dialect_llama_cpp.hpp"

#include <fmt/format.h>
#include <cmath>

namespace posenc::sources {
namespace {

using model::Pos;

struct Lists {
  std::vector<double> within, beyond;
};

std::optional<Lists> both(const Rotation& r) {
  Lists out{divisors(r, "short_factor"), divisors(r, "long_factor")};
  return r.ledger().failed() ? std::nullopt : std::optional(std::move(out));
}

void finish(const Rotation& r, const Lists& lists, double s, double attention, Pos before) {
  for (const std::string_view key : {"factor", "attention_factor", "short_mscale", "long_mscale"})
    if (r.dict().has(key)) {
      r.dict().mark(key, KeyStatus::ignored, "llama.cpp's converter leaves it out");
      const auto given = unread_number(r, key);
      const double taken = key == "factor" ? s : attention;
      if (given && std::abs(*given - taken) > 1e-6)
        leave_out(r, key, fmt::format("llama.cpp's converter leaves it out, and {} is taken", plain_number(taken)));
    }
  r.dict().mark(
      "long_factor", KeyStatus::used,
      fmt::format("llama.cpp: in use where the context is made for more than {} positions, from the first one on", before));
  if (r.ledger().failed()) return;
  r.set("short", slash_list(lists.within));
  r.set("long", slash_list(lists.beyond));
  r.set("factor", s);
  r.set("attention-factor", attention);
  set_scheme(r, "longrope", before);
  r.layer.long_above = before;
  r.layer.rope_type = "longrope";
}

/// phi.py: by the original length, with an attention factor of longrope or of yarn.
void phi(const Rotation& r) {
  const bool yarn = r.layer.rope_type == "yarn";
  if (!r.dict().has("long_factor"))
    return leave_unscaled(r, fmt::format("its converter writes no scaling for {} without long_factor", r.subject.model_type));
  if (r.layer.rope_type != "longrope" && !yarn)
    return refuse(r, "rope_type", "must be longrope, su or yarn where there are lists");
  const auto outer = r.source.nested ? std::nullopt : r.subject.text.count(original_key);
  const auto before = outer ? outer : r.dict().count(original_key);
  if (!before) return refuse(r, original_key, "missing");
  if (outer) r.dict().lost(original_key, r.subject.text.path(original_key), static_cast<double>(*outer));
  if (*before < 2) return refuse(r, original_key, "must be >= 2");
  const auto lists = both(r);
  if (!lists) return;
  const double s = static_cast<double>(*r.layer.positions) / static_cast<double>(*before);
  const double attention = s <= 1 ? 1
                           : yarn ? 0.1 * std::log(s) + 1
                                  : std::sqrt(1 + std::log(s) / std::log(static_cast<double>(*before)));
  finish(r, *lists, s, attention, *before);
}

/// minicpm.py: neither the attention factor nor the original length, so that the short list lasts for all positions.
void minicpm(const Rotation& r) {
  const auto lists = both(r);
  if (!lists) return;
  if (r.dict().has(original_key)) leave_out(r, original_key, "its converter leaves it out: the short list lasts to the end");
  finish(r, *lists, 1, 1, *r.layer.positions);
}

}  // namespace

void read_llama_cpp_lists(const Rotation& r, const Conversion& conversion) {
  conversion.lists == WrittenLists::phi ? phi(r) : minicpm(r);
}

}  // namespace posenc::sources
