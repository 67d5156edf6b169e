#pragma once
// analyses: decompose's plan for one subject: what is computed how, and the schema that follows.
#include "analyses/head_content.hpp"
#include "model/analysis.hpp"
#include "model/views/lag_statistics.hpp"
#include "model/views/terms.hpp"
#include "model/views/traits.hpp"

#include <algorithm>

namespace posenc::analyses {

struct DecomposePlan {
  model::Encoding encoding;
  model::Traits traits;
  const GivenContent& given;
  model::Positions positions;                // of the shares' closed forms, and of the drop effects
  std::vector<std::size_t> terms;            // of Terms::names
  std::int64_t sample_seed = 0;
  std::string no_terms;                      // why nothing applies; empty where it does
  std::string no_closed_form;                // why the shares are drawn; empty where they are not
  model::Pos lags = 0, sequences = 0;        // of the shares; sequences and their length where drawn or given
  model::Index sequence_length = 0;
  std::vector<model::Pos> query_rows;        // of the drop effects

  model::Index heads() const { return traits.has_heads ? traits.heads : 1; }
  std::vector<std::string> term_names() const;
};

struct DecomposeOptions {
  std::int64_t samples = 4096;         // pairs of tokens at short lags, where the shares are drawn
  std::optional<std::int64_t> rows;    // query rows of the drop effects
};

DecomposePlan decompose_plan(const model::Subject& subject, const GivenContent& given, const DecomposeOptions& options);
Schema decompose_schema(const DecomposePlan& plan);

void write_shares(const DecomposePlan& plan, Sink& sink);        // share, mean, share_total
void write_drop_effects(const DecomposePlan& plan, Sink& sink);  // drop_effect_mean, drop_effect_max

}  // namespace posenc::analyses
