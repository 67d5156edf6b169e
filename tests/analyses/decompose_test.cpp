#include "model/views/terms.hpp"

#include "analyses/head_content.hpp"
#include "model/views/traits.hpp"
#include "support/catch.hpp"
#include "support/custom_scheme.hpp"
#include "support/run_analysis.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>

using namespace posenc;
using namespace posenc::model;
using namespace posenc::test;

namespace {

constexpr std::array<const char*, 6> names{"cc", "cp", "pc", "pp", "rotation", "context"};

/// A C-order float64 array as a .npy file, version 1.
void write_npy(const std::string& file, const Matrix& m) {
  std::string header =
      "{'descr': '<f8', 'fortran_order': False, 'shape': (" + std::to_string(m.rows()) + ", " + std::to_string(m.cols()) + "), }";
  header.resize((10 + header.size() + 64) / 64 * 64 - 10, ' ');
  header.back() = '\n';
  const auto size = static_cast<std::uint16_t>(header.size());
  std::ofstream out(file, std::ios::binary);
  out << "\x93NUMPY" << '\x01' << '\x00' << static_cast<char>(size & 255) << static_cast<char>(size >> 8) << header;
  out.write(reinterpret_cast<const char*>(m.data()), static_cast<std::streamsize>(m.size() * 8));
}

/// Softmax over n <= m of a row of logits.
Vector attention(const Matrix& logits, Index m) {
  Vector w = Vector::Zero(logits.cols());
  double sum = 0;
  for (Index n = 0; n <= m; ++n) sum += w(n) = std::exp(logits(m, n));
  return w / sum;
}

}  // namespace

TEST_CASE("closed forms of the shares are met by draws of every form") {
  // 20 batches of 200 draws: their spread gives the standard error of each share, 5 of which are allowed; they are small enough for
  // a factor of two in any term to be seen.
  constexpr int batches = 20, draws = 200;
  constexpr Pos lag = 3, length = 16;
  for (const char* encoding : {"sinusoidal", "learned:std=0.7", "rope", "yarn:factor=4", "xpos", "alibi:heads=4", "shaw:clip=4",
                               "transformer-xl:std=0.4,heads=4", "deberta:std=0.6,clip=8,heads=4", "tupe:std=0.7,heads=4", "nope"}) {
    INFO(encoding);
    const Options options{{"length", "16"}, {"dim", "16"}};
    const MemorySink closed = run("decompose", encoding, options);
    const Encoding e = subject(encoding, options).in_use();
    std::array<Vector, names.size()> share;
    share.fill(Vector(batches));
    for (int batch = 0; batch < batches; ++batch) {
      std::array<double, names.size()> sum{};
      for (int draw = 0; draw < draws; ++draw) {
        const analyses::HeadContent content(e, {}, 5, batch * draws + draw);
        const Terms t = terms(e, 0, content.sequence(0, 0, length));
        for (std::size_t i = 0; i < names.size(); ++i)
          for (Index m = lag; m < length; ++m) sum[i] += std::pow((*t.all()[i])(m, m - lag), 2);
      }
      const double total = std::accumulate(sum.begin(), sum.end(), 0.0);
      for (std::size_t i = 0; i < names.size(); ++i) share[i](batch) = sum[i] / total;
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto& words = closed.words("term");
      if (std::find(words.begin(), words.end(), names[i]) == words.end()) continue;
      At at{{"term", names[i]}, {"lag", lag}};
      if (traits(e).has_heads) at["head"] = 0;
      const double exact = closed.at("share", at), mean = share[i].mean();
      const double error = std::sqrt((share[i].array() - mean).square().sum() / (batches - 1) / batches);
      INFO(names[i] << " " << exact << " drawn " << mean << " +- " << error);
      CHECK(std::abs(exact - mean) <= 5 * error + 1e-12);
      CHECK(5 * error <= 0.25 * exact * (1 - exact) + 1e-12);
    }
  }
}

TEST_CASE("sinusoidal shares are 4/9, 2/9, 2/9, 1/9, and cc is 1 + 2/D at lag 0") {
  const MemorySink s = run("decompose", "sinusoidal", {{"length", "128"}, {"dim", "32"}});
  CHECK(s.at("share", {{"term", "cc"}, {"lag", 77}}) == Approx(4.0 / 9).epsilon(1e-14));
  CHECK(s.at("share", {{"term", "pp"}, {"lag", 77}}) == Approx(1.0 / 9).epsilon(1e-14));
  CHECK(s.at("share", {{"term", "pc"}, {"lag", 0}}) == Approx(0.5 / (1 + 2.0 / 32 + 1.25)).epsilon(1e-14));
  const double total = 128 * (1 + 1.25) + 2.0 / 32;
  CHECK(s.at("share_total", {{"term", "cp"}}) == Approx(64 / total).epsilon(1e-14));
  CHECK(s.scalar("position_share") == Approx(1 - (128 + 2.0 / 32) / total).epsilon(1e-14));
}

TEST_CASE("a small rotation has the share of its angle squared, without cancellation") {
  // |R - I|^2 = 4 (1 - cos t) = 2 t^2 (1 - t^2/12 ..) a pair: at t = 1e-7 the share is t^2 / (d (1 + t^2 / d)).
  const MemorySink s = run("decompose", "rope:frequencies=single,frequency=1e-7", {{"length", "4"}, {"dim", "2"}});
  CHECK(s.at("share", {{"term", "rotation"}, {"lag", 1}}) == Approx(1e-14).epsilon(1e-12));
}

TEST_CASE("dropping the rotation, or the biases, leaves the attention of no positions") {
  for (const char* encoding : {"rope", "alibi:heads=1", "kerple:heads=1"}) {
    INFO(encoding);
    const Options options{{"length", "24"}, {"dim", "8"}, {"sample-seed", "3"}};
    const MemorySink s = run("decompose", encoding, options);
    const Encoding e = subject(encoding, options).in_use();
    const Content c = analyses::HeadContent(e, {}, 3).sequence(0, 0, 24);
    const Matrix with = logits(e, 0, c), without = e.logit_scale * c.q() * c.k().transpose();
    double mean = 0, largest = 0;
    for (Index m = 12; m < 24; ++m) {
      const double distance = (attention(with, m) - attention(without, m)).cwiseAbs().sum() / 2;
      mean += distance / 12, largest = std::max(largest, distance);
    }
    At at{{"term", form<Rotary>(e) ? "rotation" : "pp"}};
    if (traits(e).has_heads) at["head"] = 0;
    CHECK(s.at("drop_effect_mean", at) == Approx(mean).epsilon(1e-12));
    CHECK(s.at("drop_effect_max", at) == Approx(largest).epsilon(1e-12));
    at["term"] = "cp";
    CHECK(s.at("drop_effect_max", at) == 0);
  }
}

TEST_CASE("given inputs and weights: shares are those of the products themselves") {
  Matrix x(6, 3), w(4, 3);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = std::sin(static_cast<double>(i + 1));
  for (Index i = 0; i < w.size(); ++i) w.data()[i] = std::cos(static_cast<double>(3 * i + 1));
  write_npy("decompose_x.npy", x), write_npy("decompose_w.npy", w), write_npy("decompose_wt.npy", w.transpose());
  const Options common{{"length", "8"}, {"dim", "4"}, {"inputs", "decompose_x.npy"}};
  Options outputs = common, inputs = common;
  for (const char* name : {"w-query", "w-key"}) outputs.emplace_back(name, "decompose_w.npy"), inputs.emplace_back(name, "decompose_wt.npy");
  inputs.emplace_back("weight-rows", "inputs");
  const MemorySink s = run("decompose", "alibi:heads=2", outputs), same = run("decompose", "alibi:heads=2", inputs);
  CHECK(s.data("share") == same.data("share"));
  CHECK(s.data("lag").size() == 6);  // as many as there are inputs
  const Matrix q = x * w.transpose();
  double cc = 0, pp = 0;
  for (Index m = 2; m < 6; ++m) cc += std::pow(q.row(m).dot(q.row(m - 2)) / 2, 2), pp += std::pow(2 * 0x1p-8, 2);
  CHECK(s.at("share", {{"head", 1}, {"term", "cc"}, {"lag", 2}}) == Approx(cc / (cc + pp)).epsilon(1e-13));
  CHECK(s.at("mean", {{"head", 0}, {"term", "pp"}, {"lag", 3}}) == Approx(-3 * 0x1p-4).epsilon(1e-14));
  const auto refused = [&](Options o, const char* words) {
    try {
      run("decompose", "rope", o);
      FAIL_CHECK("accepted: " << words);
    } catch (const BadData& failure) {
      INFO(failure.what());
      CHECK(std::string(failure.what()).find(words) != std::string::npos);
    }
  };
  refused({{"length", "8"}, {"dim", "6"}, {"w-query", "decompose_w.npy"}}, "w-query = decompose_w.npy: has 4 outputs");
  refused({{"length", "8"}, {"dim", "4"}, {"inputs", "decompose_w.npy"}, {"w-key", "decompose_wt.npy"}}, "model width");
}

TEST_CASE("scores made from content are split into q.k and what they add") {
  const MemorySink s = run("decompose", "fox", {{"length", "32"}, {"dim", "16"}, {"heads", "2"}});
  CHECK(s.words("term").back() == "context");
  CHECK(s.at("share", {{"term", "context"}, {"lag", 0}}) < 1e-25);  // no gate between a token and itself
  CHECK(s.at("share", {{"term", "context"}, {"lag", 20}}) > 0.5);   // 20 gates near 1/2
  CHECK(s.at("mean", {{"term", "context"}, {"lag", 20}}) == Approx(-20 * std::log(2.0)).epsilon(0.05));
}
