#pragma once
// schemes: vectors of positions as the solution of a differential equation, made in order and kept.
#include "model/encoding.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace posenc::schemes {

/// dp/dt = W2 [relu(W1 [p; t] + b1); t] + b2.
struct Flow {
  model::Matrix w1;  // [channel, then time][unit]
  model::Vector b1;
  model::Matrix w2;  // [unit, then time][channel]
  model::Vector b2;
  void operator()(const std::vector<double>& p, std::vector<double>& slope, double t) const;
};

/// How p(t) advances by one row. rk4: `steps` classical Runge-Kutta steps, the error of order step^4 between the kinks of the
/// ReLU. dopri5: Dormand and Prince's pair; each step's estimated error in a channel is at most tolerance (1 + |p|), so that the
/// error of p(t) is at most of order tolerance e^(K t), K the Lipschitz constant |W1| |W2|.
struct Integration {
  bool adaptive = false;
  std::int64_t steps = 5;
  double tolerance = 1e-10;
  double interval = 0.01;  // of t from row to row
};

/// Rows i = p(i interval), p(0) given: integrated on demand, each once, whoever asks.
class FlowStates {
 public:
  FlowStates(Flow flow, Integration how, std::vector<double> start)
      : flow_(std::move(flow)), how_(how), rows_{std::move(start)} {}
  model::Index channels() const { return flow_.w2.cols(); }
  /// Thread-safe.
  void block(model::Pos first, Eigen::Ref<model::Matrix> out);

 private:
  std::vector<double> after(std::size_t row) const;

  Flow flow_;
  Integration how_;
  std::mutex mutex_;
  std::vector<std::vector<double>> rows_;
};

}  // namespace posenc::schemes
