#include "schemes/flow.hpp"

#include <algorithm>
#include <boost/numeric/odeint.hpp>

namespace posenc::schemes {

using model::Index;
namespace odeint = boost::numeric::odeint;

void Flow::operator()(const std::vector<double>& p, std::vector<double>& slope, double t) const {
  const Index D = w2.rows(), units = w1.rows();
  std::vector<double> hidden(static_cast<std::size_t>(units));
  const auto product = [](const double* row, const std::vector<double>& x, double offset) {
    double sum = offset;
    for (std::size_t i = 0; i < x.size(); ++i) sum += row[i] * x[i];
    return sum;
  };
  for (Index u = 0; u < units; ++u)
    hidden[static_cast<std::size_t>(u)] = std::max(0.0, product(&w1(u, 0), p, b1(u) + w1(u, D) * t));
  for (Index c = 0; c < D; ++c) slope[static_cast<std::size_t>(c)] = product(&w2(c, 0), hidden, b2(c) + w2(c, units) * t);
}

std::vector<double> FlowStates::after(std::size_t row) const {
  std::vector<double> p = rows_[row];
  const double from = static_cast<double>(row) * how_.interval, to = static_cast<double>(row + 1) * how_.interval;
  const auto slope = [this](const std::vector<double>& x, std::vector<double>& out, double t) { flow_(x, out, t); };
  if (how_.adaptive) {
    auto stepper = odeint::make_controlled(how_.tolerance, how_.tolerance, odeint::runge_kutta_dopri5<std::vector<double>>());
    odeint::integrate_adaptive(stepper, slope, p, from, to, how_.interval / 4);
    return p;
  }
  odeint::runge_kutta4<std::vector<double>> stepper;
  const double step = how_.interval / static_cast<double>(how_.steps);
  for (std::int64_t i = 0; i < how_.steps; ++i) stepper.do_step(slope, p, from + static_cast<double>(i) * step, step);
  return p;
}

void FlowStates::block(model::Pos first, Eigen::Ref<model::Matrix> out) {
  const auto end = static_cast<std::size_t>(first + out.rows());
  const std::lock_guard lock(mutex_);
  while (rows_.size() < end) rows_.push_back(after(rows_.size() - 1));
  for (Index i = 0; i < out.rows(); ++i) {
    const std::vector<double>& row = rows_[static_cast<std::size_t>(first + i)];
    std::copy(row.begin(), row.end(), out.row(i).data());
  }
}

}  // namespace posenc::schemes
