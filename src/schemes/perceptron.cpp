#include "schemes/perceptron.hpp"

#include "schemes/drawn.hpp"
#include "schemes/files.hpp"

#include <cmath>

namespace posenc::schemes {

using model::Index;
using model::Matrix;
using model::Vector;

Perceptron perceptron(const model::Context& context, const PerceptronFiles& files, const std::string& owner, PerceptronSizes s) {
  Perceptron net;
  const std::string p(files.prefix);
  if (!files.w1.empty()) {
    net.w1 = s.inputs == 1 ? Matrix(vector_file(context, owner, p + "w1", files.w1, -1))
                           : matrix_file(context, owner, p + "w1", files.w1, -1, s.inputs);
    agree(owner, p + "w1", files.w1, "hidden", s.hidden, net.w1.rows());
  }
  if (!files.b1.empty()) {
    net.b1 = vector_file(context, owner, p + "b1", files.b1, -1);
    agree(owner, p + "b1", files.b1, "hidden", s.hidden, net.b1.size());
  }
  if (!files.b2.empty()) {
    net.b2 = vector_file(context, owner, p + "b2", files.b2, -1);
    agree(owner, p + "b2", files.b2, "heads", s.heads, net.b2.size());
  }
  if (!files.w2.empty()) {
    net.w2 = matrix_file(context, owner, p + "w2", files.w2, -1, -1);
    agree(owner, p + "w2", files.w2, "heads", s.heads, net.w2.rows());
    agree(owner, p + "w2", files.w2, "hidden", s.hidden, net.w2.cols());
  }
  if (!s.heads) s.heads = s.default_heads;
  if (!s.hidden) s.hidden = s.default_hidden;
  const auto drawn = [&](const char* name, Index rows, Index columns, Index inputs) {
    Matrix out(rows, columns);
    drawn_rows(context.seed, (owner + "." + p + name).c_str(), rows, columns, 1 / std::sqrt(3 * static_cast<double>(inputs)),
               Law::uniform)
        ->block(0, out);
    return out;
  };
  if (files.w1.empty()) net.w1 = drawn("w1", *s.hidden, s.inputs, s.inputs);
  if (files.b1.empty()) net.b1 = drawn("b1", *s.hidden, 1, s.inputs);
  if (files.w2.empty()) net.w2 = drawn("w2", *s.heads, *s.hidden, *s.hidden);
  if (files.b2.empty()) net.b2 = drawn("b2", *s.heads, 1, *s.hidden);
  return net;
}

}  // namespace posenc::schemes
