#pragma once
// model: the closed mathematics. An Encoding is what one layer type of a model does to its scores at one length in use,
// as terms of
//   score(m, n) = <q_m, k_n> + <q_m, a(m,n)> + <c(m,n), k_n> + b(m,n),   logit = logit_scale * score (biases unscaled)
// for query position m and key position n; lag s = m - n. Only model/views visits the forms.
#include "math/turn.hpp"

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace posenc::model {

using Index = Eigen::Index;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
using Pos = std::int64_t;           // a position or lag, up to 2^53 in magnitude
using Point = std::array<Pos, 3>;   // temporal, height, width; plain text has all three equal

/// Angular frequency of a pair. The exact turn per position is the value; theta (rad per position) is its rounding.
struct Frequency {
  math::Turn turn;
  double theta = 0;
};

/// Rows of a table, made in blocks: a table may be larger than memory.
struct Rows {
  virtual ~Rows() = default;
  virtual Index channels() const = 0;
  /// Number of rows; absent when defined at every position.
  virtual std::optional<Pos> count() const { return {}; }
  /// Rows first .. first + out.rows() - 1, within the count. Thread-safe.
  virtual void block(Pos first, Eigen::Ref<Matrix> out) const = 0;
  /// The frequencies of a sinusoidal table, whose Gram is then sum_i cos(s t_i) exactly; nullptr otherwise. One entry
  /// for each pair of channels; odd widths, which have no such Gram, return nullptr.
  virtual const std::vector<Frequency>* spectrum() const { return nullptr; }
};

// ---------------------------------------------------------------------------------------------------------- the forms

/// q_m -> R_m q, k_n -> R_n k with rotations by exact phases. Positions enter through Encoding::point.
struct Rotary {
  Index head_dim = 0;
  Index heads = 1;           // sets of frequencies
  bool per_head = false;     // frequencies differ by head: arrays get a head dimension even if heads is 1
  Index axes = 1;            // 3: the phase is the sum over (t, h, w); a pair that ignores an axis has frequency 0 there
  std::vector<Frequency> frequency;              // [head][axis][pair], rad and turns per position
  std::vector<std::array<Index, 2>> channel;     // the two channels of each pair: layout and partial rotary in one fact
  std::vector<double> log_damping;               // [pair], per position: query *= e^{+m z}, key *= e^{-n z}, z <= 0; empty: none
  double damping_centre = 0;                     // m - centre in the damping; cancels in scores, visible in arrays
  double attention_factor = 1;                   // on rotated pairs, on queries and keys; pass-through channels keep amplitude 1
  /// Mixed spectra (FoPE): pair j turns with c_j(p) = sum_w cosine(w, j) cos(p t_w), s_j(p) likewise, t_w = frequency[w],
  /// one matrix of each kind a head. Empty: plain rotation.
  std::vector<Matrix> mix_cosine, mix_sine;
  /// Positions below it rotate by `early` (same shape as frequency) with amplitude 1 (LongRoPE's first n positions).
  Pos early_until = 0;
  std::vector<Frequency> early;
  /// Added to the angle of every pair of a query, [head]; empty: none (RoPE++: -1/4 turn in imaginary heads).
  std::vector<math::Turn> query_turn;
  /// Pairs meet [[cosh, sinh], [sinh, cosh]] of +m t (query) and -n t (key) in place of rotations (hyperbolic HoPE).
  bool hyperbolic = false;

  Index pairs() const { return static_cast<Index>(channel.size()); }
  /// Frequencies of a set: one a pair, or those that are mixed.
  Index columns() const { return static_cast<Index>(frequency.size()) / (axes * (per_head ? heads : 1)); }
  const Frequency& at(Index head, Index axis, Index pair) const {
    return frequency[static_cast<std::size_t>(((per_head ? head : 0) * axes + axis) * columns() + pair)];
  }
};

/// How an absolute table enters: added to the inputs before W_q and W_k, x_p = embedding_scale e_p + p_p ...
struct Added {
  double embedding_scale = 1;
};
/// ... or as a positional score of its own, (p_m U_q + b_q) . (p_n U_k + b_k), computed once for all layers (TUPE).
struct Untied {
  Matrix query, key;              // [channels][heads * d]
  Vector query_bias, key_bias;    // [heads * d], empty: none
  Index heads = 1;
  /// Replaces row 0 (from the class token) and the rest of column 0 (to it), [head] each; the bias terms of the encoding
  /// are inside the reset.
  std::optional<std::array<Vector, 2>> class_reset;
};
struct AbsoluteTable {
  std::shared_ptr<const Rows> rows;
  std::variant<Added, Untied> entry = Added{};
  Pos first_row = 0;                     // row of position 0 (OPT's 2, padding index + 1)
  std::function<Pos(Pos)> row_of;        // row of a position where it is not first_row + p (offset, clamped, drawn); may be empty
  Pos row(Pos p) const { return row_of ? row_of(p) : p + first_row; }
};

/// Vectors that depend on (m, n) through a row index, met by the query, by the key, or by both.
struct RelativeVectors {
  enum class Through { as_is, given, content };  // rows are d wide; rows * weights; rows * the layer's own W_k or W_q
  struct Side {
    std::shared_ptr<const Rows> rows;
    std::function<Pos(Pos m, Pos n)> index;      // row for query m and key n
    Through through = Through::as_is;
    Matrix weights;                              // given: [channels][heads * d]
    bool by_lag_one_to_one = false;              // index(m, m - s) == s: a spectrum of the rows is a spectrum in the lag
  };
  Index head_dim = 0, heads = 1;
  bool shared = true;                            // as_is rows shared over heads, else rows are heads * d wide
  std::optional<Side> at_query, at_key;          // <q_m, a>, <c, k_n>
  std::shared_ptr<const Rows> value;             // Shaw a^V: enters outputs, not scores; same index as at_query
  std::optional<Matrix> u, v;                    // Transformer-XL, [head][d]: <u, k_n>, <v, a>
};

/// b(head, m, n) added to the logit, unscaled.
struct Bias {
  Index heads = 1;
  bool by_lag = true;                                        // value depends on m - n only (FIRE: false)
  std::function<double(Index head, Pos m, Pos n)> value;     // thread-safe
  std::function<Pos(Pos m, Pos n)> bucket;                   // class of a bucketed scheme, empty otherwise
  Index buckets = 0;                                         // number of classes there are, 0 without
  /// What the scheme could learn, as a linear space: writes `unknowns` numbers. Empty where bucketed (one-hot classes).
  std::function<void(Index head, Pos m, Pos n, double* phi)> features;
  Index unknowns = 0;
  bool free = true;                                          // false: fixed by the scheme, training cannot change it
};

/// One head's inputs: x [position][model width] and W [model width][head_dim]; x and W rather than q and k, since an added
/// table enters before W.
struct Content {
  Matrix x, w_query, w_key;
  std::vector<std::array<Matrix, 2>> every_head{};  // W_q and W_k of each head; only for Contextual::every_head
  Matrix q() const { return x * w_query; }
  Matrix k() const { return x * w_key; }
};
/// Scores that depend on content (CoPE, FoX, PaTH, Selective RoPE): replaces the matrix q k^T before scaling.
struct Contextual {
  std::function<Matrix(const Content&, Index head, Pos start)> scores;
  std::string needs;        // in words, for analyses that do not apply
  bool every_head = false;  // a head's scores depend on the products of all heads (DAPE)
};

using Term = std::variant<AbsoluteTable, Rotary, RelativeVectors, Bias, Contextual>;

struct Encoding {
  std::vector<Term> terms;                                   // empty: NoPE
  double logit_scale = 1;                                    // 1/sqrt d; T5 1; TUPE 1/sqrt 2d; DeBERTa 1/sqrt 3d
  Index head_dim = 0, heads = 1;                             // of the attention that uses it
  Index width = 0;                                           // model width D of added and projected tables; head_dim otherwise
  std::function<double(Pos m)> query_scale;                  // Llama-4, log-n; empty: 1
  std::function<std::array<Pos, 2>(Pos m, Pos n)> pair_map;  // SelfExtend, dual chunk, LM-Infinite; empty: identity
  std::function<Point(Pos)> point;                           // coordinates of a token in a grid; empty: (p, p, p)
  std::function<bool(Pos m, Pos n)> visible;                 // masks beyond causality (windows); empty: all
  bool causal = true;                                        // keys after the query are masked
  /// Linear attention (RoFormer eq. 19): weights (R_m f(q)).(R_n f(k)) / sum_n f(q).f(k); empty: softmax.
  std::function<double(double)> linear;
  bool cosine = false;                                       // q and k enter as unit vectors, logit_scale is 1/temperature
};

}  // namespace posenc::model
