#pragma once
// tests: schemes from text, arrays held in memory instead of files, and the explicit small cases of tests/data/scheme_cases.json.
#include "model/views/terms.hpp"
#include "support/catch.hpp"
#include "support/run_analysis.hpp"

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace posenc::test {

/// Tables by name; an unknown name is looked up by NpyLoader.
struct MemoryLoader : NpyLoader {
  std::map<std::string, NpyTensor> tables;
  std::shared_ptr<const model::Tensor> open(const std::string& file) const override {
    const auto at = tables.find(file);
    return at == tables.end() ? NpyLoader::open(file) : std::make_shared<NpyTensor>(at->second);
  }
  /// A JSON array of any depth.
  void add(const std::string& name, const nlohmann::json& array) {
    NpyTensor t;
    for (const nlohmann::json* level = &array; level->is_array(); level = &level->front())
      t.dims.push_back(static_cast<model::Pos>(level->size()));
    const std::function<void(const nlohmann::json&)> flatten = [&](const nlohmann::json& x) {
      if (!x.is_array()) return t.values.push_back(x.get<double>());
      for (const auto& item : x) flatten(item);
    };
    flatten(array);
    tables[name] = std::move(t);
  }
};

/// The resolved scheme of "NAME:key=value,...", `length` positions asked for.
inline std::shared_ptr<model::Scheme> scheme(const std::string& encoding, model::Pos length = 4096,
                                             const model::TableLoader& loader = NpyLoader(), std::uint64_t seed = 0) {
  const model::EncodingSpec spec = parse_encoding(encoding);
  std::shared_ptr<model::Scheme> s = schemes::registry().make(spec.scheme);
  Fields fields = s->fields();
  for (const auto& [key, value] : spec.values) {
    Field* f = find(fields, key);
    INFO(encoding << " has no field " << key);
    REQUIRE(f != nullptr);
    set(spec.scheme, *f, value);
  }
  s->resolve({length, seed, &loader});
  return s;
}

/// The message of the error that resolving or lowering throws, "accepted" without one.
inline std::string refusal(const std::string& encoding, const model::TableLoader& loader = NpyLoader()) {
  try {
    scheme(encoding, 4096, loader)->lower(8192);
  } catch (const Error& e) {
    return e.what();
  }
  return "accepted";
}

/// The angular frequencies of the only set of a rotary encoding.
inline std::vector<double> thetas(const model::Encoding& e) {
  std::vector<double> out;
  for (const model::Frequency& f : std::get<model::Rotary>(e.terms.at(0)).frequency) out.push_back(f.theta);
  return out;
}
inline double attention_factor(const model::Encoding& e) { return std::get<model::Rotary>(e.terms.at(0)).attention_factor; }

/// The case number `which` of a scheme.
inline nlohmann::json scheme_case(const std::string& name, std::size_t which = 0) {
  std::ifstream in(POSENC_TEST_DATA "/scheme_cases.json");
  const nlohmann::json all = nlohmann::json::parse(in);
  for (const auto& c : all.is_array() ? all : all.at("cases"))
    if (c.at("scheme") == name && which-- == 0) return c;
  FAIL("no case " << name);
  return {};
}

/// [rows][columns].
inline model::Matrix matrix(const nlohmann::json& j) {
  model::Matrix out(static_cast<model::Index>(j.size()), static_cast<model::Index>(j.at(0).size()));
  for (model::Index r = 0; r < out.rows(); ++r)
    for (model::Index c = 0; c < out.cols(); ++c) out(r, c) = j.at(static_cast<std::size_t>(r)).at(static_cast<std::size_t>(c));
  return out;
}
/// Head h of [position][head][channel].
inline model::Matrix of_head(const nlohmann::json& j, std::size_t h) {
  nlohmann::json rows = nlohmann::json::array();
  for (const auto& position : j) rows.push_back(position.at(h));
  return matrix(rows);
}

/// Content whose queries and keys are the given ones: x = [q | k].
inline model::Content content(const model::Matrix& q, const model::Matrix& k) {
  const model::Index d = q.cols();
  model::Content c;
  c.x.resize(q.rows(), 2 * d);
  c.x << q, k;
  c.w_query = c.w_key = model::Matrix::Zero(2 * d, d);
  c.w_query.topRows(d).setIdentity();
  c.w_key.bottomRows(d).setIdentity();
  return c;
}

enum class Part { all, lower };  // lower: keys not after the query

inline void check_same(const model::Matrix& ours, const model::Matrix& reference, double tolerance, Part part = Part::all) {
  REQUIRE(ours.rows() == reference.rows());
  REQUIRE(ours.cols() == reference.cols());
  for (model::Index i = 0; i < ours.rows(); ++i)
    for (model::Index j = 0; j < (part == Part::all ? ours.cols() : i + 1); ++j) {
      INFO("[" << i << ", " << j << "] ours " << number_text(ours(i, j)) << ", reference " << number_text(reference(i, j)));
      CHECK(std::abs(ours(i, j) - reference(i, j)) <= tolerance);
    }
}
inline void check_same(const std::vector<double>& ours, const std::vector<double>& reference, double absolute,
                       double relative = 0) {
  REQUIRE(ours.size() == reference.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    INFO("[" << i << "] ours " << number_text(ours[i]) << ", reference " << number_text(reference[i]));
    CHECK(std::abs(ours[i] - reference[i]) <= absolute + relative * std::abs(reference[i]));
  }
}

/// Rows of an absolute table at positions first, first + 1, ...
inline model::Matrix table(const model::Encoding& e, model::Pos first, model::Index count) {
  const auto& t = std::get<model::AbsoluteTable>(e.terms.at(0));
  model::Matrix out(count, t.rows->channels());
  for (model::Index i = 0; i < count; ++i) t.rows->block(t.row(first + i), out.middleRows(i, 1));
  return out;
}

/// b(head, m, n) of the first bias, positions 0 .. size-1.
inline model::Matrix bias(const model::Encoding& e, model::Index head, model::Index size) {
  model::Matrix out(size, size);
  for (const model::Term& term : e.terms)
    if (const auto* b = std::get_if<model::Bias>(&term)) {
      for (model::Index m = 0; m < size; ++m)
        for (model::Index n = 0; n < size; ++n) out(m, n) = b->value(head, m, n);
      return out;
    }
  FAIL("no bias");
  return out;
}

}  // namespace posenc::test
