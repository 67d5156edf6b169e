#include "schemes/registry.hpp"

#include "core/error.hpp"
#include "support/scheme_cases.hpp"

using namespace posenc;

namespace {

std::string message(std::string_view owner, Field& f, const std::string& text) {
  try {
    set(owner, f, text);
  } catch (const UsageError& e) {
    return e.what();
  }
  return "accepted";
}

bool is_number(const Field& f) {
  return !std::holds_alternative<bool*>(f.slot) && !std::holds_alternative<std::string*>(f.slot) &&
         !std::holds_alternative<Choice>(f.slot);
}

}  // namespace

TEST_CASE("every scheme says what it is and where that is written") {
  for (const auto name : schemes::registry().names()) {
    INFO(name);
    const auto s = schemes::registry().make(name);
    const model::SchemeInfo info = s->info();
    CHECK(info.name == name);
    CHECK(name.find('_') == std::string_view::npos);
    CHECK(!info.title.empty());
    CHECK(!info.formula.empty());
    CHECK((info.source.find("arXiv") != std::string_view::npos || info.source.find('/') != std::string_view::npos));
  }
}

TEST_CASE("every field is described, and its text sets the same value back") {
  for (const auto name : schemes::registry().names()) {
    const std::shared_ptr<model::Scheme> from = test::scheme(std::string(name), 64);
    const auto to = schemes::registry().make(name);
    Fields source = from->fields(), target = to->fields();
    REQUIRE(source.size() == target.size());
    for (std::size_t i = 0; i < source.size(); ++i) {
      INFO(name << ": " << source[i].name);
      CHECK(!source[i].unit.empty());
      CHECK(!source[i].about.empty());
      CHECK(find(source, source[i].name) == &source[i]);  // named once
      const std::string text = posenc::text(source[i]);
      if (text.empty()) continue;
      set(name, target[i], text);
      CHECK(posenc::text(target[i]) == text);
    }
    const test::NpyLoader loader;
    CHECK_NOTHROW(to->resolve({64, 0, &loader}));
  }
}

TEST_CASE("bounds are enforced in words that name scheme, field, value and rule") {
  for (const auto name : schemes::registry().names()) {
    const auto s = schemes::registry().make(name);
    for (Field& f : s->fields()) {
      if (!is_number(f)) continue;
      INFO(name << ": " << f.name);
      const auto refused = [&](const std::string& text) {
        const std::string start = std::string(name) + ": " + std::string(f.name) + " = " + text + ": must be ";
        CHECK(message(name, f, text).substr(0, start.size()) == start);
      };
      refused("nan");
      if (std::isfinite(f.range.low)) refused(number_text(f.range.open_low ? f.range.low : f.range.low - 1));
      if (std::isfinite(f.range.high) && f.range.high < 0x1p50)
        refused(number_text(f.range.open_high ? f.range.high : f.range.high + 1));
      if (f.range.even) refused("63");
    }
  }
}

TEST_CASE("every scheme is lowered as trained and in use, from the same seed to the same numbers") {
  for (const auto name : schemes::registry().names()) {
    INFO(name);
    const auto a = test::scheme(std::string(name), 64), b = test::scheme(std::string(name), 64);
    CHECK(a->train_length() == 64);
    for (const model::Pos sequence : {model::Pos{0}, model::Pos{64}, model::Pos{256}}) {
      const model::Encoding e = a->lower(sequence), f = b->lower(sequence);
      CHECK(e.head_dim > 0);
      CHECK(e.heads > 0);
      CHECK(e.width > 0);
      CHECK(e.logit_scale > 0);
      model::Content c;
      const model::Index d = e.head_dim, D = e.width;
      c.x = model::Matrix::Identity(8, D), c.w_query = c.w_key = model::Matrix::Identity(D, d);
      c.every_head.assign(static_cast<std::size_t>(e.heads), {c.w_query, c.w_key});
      const model::Matrix scores = model::logits(e, e.heads - 1, c);
      CHECK(scores.allFinite());
      CHECK(scores == model::logits(f, f.heads - 1, c));
    }
  }
}

TEST_CASE("a word that is no scheme is answered with the nearest") {
  try {
    schemes::registry().make("sinusodal");
    FAIL("accepted");
  } catch (const UsageError& e) {
    CHECK(std::string(e.what()) == "unknown scheme 'sinusodal': did you mean 'sinusoidal'?");
  }
}

TEST_CASE("the numbers drawn depend on the seed") {
  const test::NpyLoader loader;
  for (const char* name : {"learned", "shaw", "transformer-xl", "t5", "tupe", "deberta"}) {
    INFO(name);
    const auto scores = [&](std::uint64_t seed) {
      const model::Encoding e = test::scheme(name, 64, loader, seed)->lower(0);
      model::Content c;
      c.x = model::Matrix::Identity(8, e.width), c.w_query = c.w_key = model::Matrix::Identity(e.width, e.head_dim);
      return model::logits(e, 0, c);
    };
    CHECK(scores(1) != scores(2));
  }
}
