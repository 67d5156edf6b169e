#pragma once
// schemes: a perceptron with one hidden layer, from files or drawn, for the schemes whose bias is one.
#include "model/scheme.hpp"

#include <string>

namespace posenc::schemes {

/// out = W2 a(W1 x + b1) + b2, a(x) = x for x > 0, leak x below (0: ReLU).
struct Perceptron {
  model::Matrix w1;  // [unit][input]
  model::Vector b1;  // [unit]
  model::Matrix w2;  // [output][unit]
  model::Vector b2;  // [output]
  double leak = 0;

  double hidden(model::Index unit, const double* x) const {
    double sum = b1(unit);
    for (model::Index i = 0; i < w1.cols(); ++i) sum += w1(unit, i) * x[i];
    return sum > 0 ? sum : leak * sum;
  }
  double output(model::Index out, const double* x) const {
    double sum = b2(out);
    for (model::Index u = 0; u < w1.rows(); ++u) sum += w2(out, u) * hidden(u, x);
    return sum;
  }
};

struct PerceptronFiles {
  std::string w1, b1, w2, b2;  // files of the fields PREFIXw1, PREFIXb1, PREFIXw2, PREFIXb2
  std::string_view prefix = "";
};

/// What files and fields decide together: filled where absent.
struct PerceptronSizes {
  model::Index inputs;
  std::optional<std::int64_t>&hidden, &heads;  // the outputs are the heads
  std::int64_t default_hidden, default_heads;
};

/// Files, or draws uniform in +-1/sqrt(inputs of the layer) (PyTorch's Linear) from streams OWNER.PREFIXw1 and so on. One input:
/// w1 may be a vector. Throws BadData where files and fields disagree.
Perceptron perceptron(const model::Context& context, const PerceptronFiles& files, const std::string& owner,
                      PerceptronSizes sizes);

}  // namespace posenc::schemes
