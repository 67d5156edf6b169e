#pragma once
// analyses: what a head is asked to attend to, at which queries, and how far off it is.
#include "model/encoding.hpp"

#include <span>

namespace posenc::analyses {

using model::Index;
using model::Pos;

/// Windows w = 1, 2, 4, ... <= L: p*(s) = e^{-s/w} / sum_{u<=m} e^{-u/w} at lags s = 0..m of every query m.
std::vector<double> window_widths(Pos length);
/// e^{-s/w} at s = 0 .. count - 1.
std::vector<double> window_weights(double width, Pos count);
/// sum over queries m = 0 .. L-1 of p*(s), at s = 0 .. L-1.
std::vector<double> window_counts(double width, Pos length);

/// 16 queries of the last quarter: N - 1 - floor(j N / 64), j = 0..15.
std::vector<Pos> test_queries(Pos sequence);
/// first .. last, all of them if they are at most `most`, else `most` evenly spaced ones, both ends included.
std::vector<Pos> training_queries(Pos first, Pos last, Index most);

/// (1/2) sum_s |p*(s) - softmax(scores)(s)| over s = 0 .. scores.size() - 1; weights from window_weights.
double window_distance(std::span<const double> weights, std::span<const double> scores);

}  // namespace posenc::analyses
