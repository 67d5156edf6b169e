#include "schemes/flow.hpp"

#include <algorithm>
#include <boost/numeric/odeint/integrate/integrate_adaptive.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta4.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>

namespace posenc::schemes {

using model::Index;
namespace odeint = boost::numeric::odeint;

namespace {

/// out = offset + sum_i x[i] w[i] + t w[last], rows in order.
void layer(const model::Matrix& w, const std::vector<double>& x, double t, const model::Vector& offset,
           std::vector<double>& out) {
  const auto size = static_cast<std::size_t>(w.cols());
  out.assign(offset.begin(), offset.end());
  const auto add = [&](double factor, const double* row) {
    for (std::size_t c = 0; c < size; ++c) out[c] += factor * row[c];
  };
  for (std::size_t i = 0; i < x.size(); ++i) add(x[i], w.row(static_cast<Index>(i)).data());
  add(t, w.row(w.rows() - 1).data());
}

}  // namespace

void Flow::operator()(const std::vector<double>& p, std::vector<double>& slope, double t) const {
  std::vector<double> hidden;
  layer(w1, p, t, b1, hidden);
  for (double& x : hidden) x = std::max(0.0, x);
  layer(w2, hidden, t, b2, slope);
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
