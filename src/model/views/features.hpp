#pragma once
// model: the linear space of a head's positional score: for fixed content, score(m, n) = phi(m, n) . c with coefficients c that
// content and weights set.
#include "model/encoding.hpp"
#include "model/views/spectrum.hpp"
#include "model/views/traits.hpp"

namespace posenc::model {

/// Columns of numbers: fill writes phi at the pairs, [count][size]. Thread-safe, does not throw.
struct DenseFeatures {
  Index size = 0;
  std::function<void(const Pairs&, Eigen::Ref<Matrix>)> fill;
};
/// phi is a unit vector: the pair's class says which. Numbers of classes are arbitrary. Learned tables, clips and buckets, for
/// which every sum over pairs is a count.
struct ClassFeatures {
  std::function<Pos(Pos m, Pos n)> of;
  /// A table stretched over more positions than rows: phi is (1 - share) of the class plus share of the next number. Empty: 0.
  std::function<double(Pos m, Pos n)> next_share = {};
};

struct Features {
  std::variant<DenseFeatures, ClassFeatures> form;
  bool by_query = false;        // phi depends on m and n, not on their lag alone
  bool shared_by_heads = true;  // the same for every head
  /// Two encodings with equal keys that are not empty have equal features.
  std::vector<std::uint64_t> key;
};

/// Why the encoding has no such space, in words; empty where it has one.
std::string no_features(const Encoding& e);

/// Whether the squared attention factor multiplies the features of rotated pairs. Query scales are never in them.
enum class Temperature { left_out, included };

/// Features of the form that counts (model/views/traits.hpp), position maps applied:
///   rotary            cos(s t_j), sin(s t_j) times the damping; where keys and queries rotate differently (early positions,
///                     mixed spectra, grids), the real and imaginary parts of z_j(m) conj z_j(n); pass-through pairs are one
///                     constant with the weight sqrt(their number). A turn of the head's queries only mixes the two columns of a
///                     pair. Hyperbolic pairs: e^{(z + t) s} and e^{(z - t) s}, z <= 0 the damping
///   table             the query fixed, the key at position `lag`: the row where it is computed at every position, else its class
///                     (of a stretched table the two rows around)
///   relative vectors  the row where it is computed at every index, else its class (both rows, where keys and queries meet two)
///   bias              Bias::features, or the bucket
///   none              1
/// Throws std::logic_error where no_features has a reason.
Features features(const Encoding& e, Index head, Temperature temperature = Temperature::left_out);

/// Frequencies of features that are cosines and sines of the lag (rotary, sinusoidal tables, sinusoidal relative vectors); empty
/// for every other encoding. Position maps are not part of it: ask feature_lag.
std::optional<Spectrum> feature_spectrum(const Encoding& e, Index head);
/// The lag that its features are given at query m and key n.
Pos feature_lag(const Encoding& e, Pos m, Pos n);

}  // namespace posenc::model
