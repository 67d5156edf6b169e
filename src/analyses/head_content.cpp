#include "analyses/head_content.hpp"

#include "core/error.hpp"
#include "math/random.hpp"
#include "model/views/traits.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace posenc::analyses {

using namespace model;

namespace {

/// Model width that the encoding itself fixes; 0 where any will do.
Index fixed_width(const Encoding& e) {
  for (const Term& term : e.terms) {
    if (const auto* a = std::get_if<AbsoluteTable>(&term); a && std::holds_alternative<Added>(a->entry)) return a->rows->channels();
    if (const auto* r = std::get_if<RelativeVectors>(&term))
      for (const auto* side : {&r->at_query, &r->at_key})
        if (*side && (*side)->through == RelativeVectors::Through::content) return (*side)->rows->channels();
    if (std::holds_alternative<Contextual>(term)) return e.width ? e.width : e.head_dim;
  }
  return 0;
}

[[noreturn]] void refuse(std::string_view field, const std::string& file, const std::string& rule) {
  throw BadData(fmt::format("decompose: {} = {}: {}", field, file, rule));
}

}  // namespace

HeadContent::HeadContent(const Encoding& e, const GivenContent& given, std::int64_t seed, std::int64_t draw)
    : given_{&given.inputs, &given.query, &given.key},
      head_dim_(e.head_dim),
      heads_(std::max(e.heads, traits(e).heads)),
      seed_(static_cast<std::uint64_t>(seed)),
      stream_(draw == 0 ? "head" : fmt::format("head {}", draw)) {
  const Index fixed = fixed_width(e);
  width_ = fixed ? fixed : e.width ? e.width : e.head_dim;
  if (!fixed && given.any())
    width_ = given.inputs.size() ? given.inputs.cols() : given.query.size() ? given.query.rows() : given.key.rows();
  const auto fits = [&](std::string_view field, const std::string& file, Index width) {
    if (width != width_) refuse(field, file, fmt::format("has model width {}, the encoding or the other files have {}", width, width_));
  };
  if (given.inputs.size()) fits("inputs", given.inputs_file, given.inputs.cols());
  const auto heads = [&](std::string_view field, const std::string& file, const Matrix& w) {
    if (!w.size()) return;
    fits(field, file, w.rows());
    if (w.cols() % head_dim_ != 0)
      refuse(field, file, fmt::format("has {} outputs, not a multiple of the head width {}", w.cols(), head_dim_));
    const Index count = w.cols() / head_dim_;
    if (count != 1 && heads_ % count != 0)
      refuse(field, file, fmt::format("has {} heads, which do not divide the encoding's {}", count, heads_));
  };
  heads("w-query", given.query_file, given.query);
  heads("w-key", given.key_file, given.key);
  for (const Term& term : e.terms) {
    if (const auto* c = std::get_if<Contextual>(&term)) every_head_ = c->every_head;
    if (const auto* a = std::get_if<AbsoluteTable>(&term))
      if (const auto* added = std::get_if<Added>(&a->entry); added && added->embedding_scale != 0)
        embedding_scale_ = added->embedding_scale;
  }
}

std::optional<Pos> HeadContent::positions() const {
  return given_.inputs->size() ? std::optional<Pos>(given_.inputs->rows()) : std::nullopt;
}

Matrix HeadContent::inputs(Pos first, Index count) const {
  if (given_.inputs->size()) return given_.inputs->middleRows(first, count) / embedding_scale_;
  Matrix x(count, width_);
  math::normal(math::Stream(seed_, (stream_ + " inputs").c_str()), static_cast<std::uint64_t>(first * width_),
               {x.data(), static_cast<std::size_t>(x.size())});
  return x / embedding_scale_;
}

Matrix HeadContent::weights(Index head, const Matrix& given, const char* side) const {
  if (given.size()) {
    const Index count = given.cols() / head_dim_;
    return given.middleCols(head * count / heads_ * head_dim_, head_dim_);
  }
  Matrix w(width_, head_dim_);
  math::normal(math::Stream(seed_, fmt::format("{} {} weights", stream_, side).c_str()),
               static_cast<std::uint64_t>(head * w.size()), {w.data(), static_cast<std::size_t>(w.size())});
  return w / std::sqrt(static_cast<double>(width_));
}

Content HeadContent::sequence(Index head, Pos first, Index count) const {
  Content c{inputs(first, count), query(head), key(head), {}};
  for (Index h = 0; every_head_ && h < heads_; ++h) c.every_head.push_back({query(h), key(h)});
  return c;
}

}  // namespace posenc::analyses
