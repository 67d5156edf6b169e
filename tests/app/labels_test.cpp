#include "app/labels.hpp"

#include "core/error.hpp"
#include "support/catch.hpp"

using namespace posenc::app;
using Names = std::vector<std::string>;

TEST_CASE("labels are letters, digits, '_' and inside '.', '+', '-'") {
  for (const char* good : {"a", "_", "0", "gemma-3.full_attention", "a+b"}) CHECK(is_label(good));
  for (const char* bad : {"", ".a", "-a", "+a", "a/b", "a b", "\xc3\xa4"}) CHECK_FALSE(is_label(bad));
  CHECK(label_from("my model.v2") == "my_model.v2");
  CHECK(label_from("-x") == "_x");
  CHECK(label_from("") == "_");
}

TEST_CASE("repeated automatic labels are numbered") {
  CHECK(assign_labels({{"rope"}, {"alibi"}, {"rope"}, {"rope"}}) == Names{"rope", "alibi", "rope_2", "rope_3"});
}

TEST_CASE("explicit labels win wherever they stand") {
  CHECK(assign_labels({{"rope"}, {"rope", true}}) == Names{"rope_2", "rope"});
  CHECK(assign_labels({{"rope"}, {"rope"}, {"rope_2", true}}) == Names{"rope", "rope_3", "rope_2"});
}

TEST_CASE("an explicit label is never changed, so it may be wrong") {
  CHECK_THROWS_AS(assign_labels({{"a", true}, {"a", true}}), posenc::UsageError);
  CHECK_THROWS_AS(assign_labels({{"a/b", true}}), posenc::UsageError);
}
