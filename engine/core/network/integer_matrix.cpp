#include "network/integer_matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sparring {
namespace {

template <typename Element>
float most_of(int depth);

template <>
float most_of<std::uint8_t>(int) {
  return kMostByte;
}

// Not even `depth` products of the largest numbers exceed 32 bits.
template <>
float most_of<std::int16_t>(int depth) {
  const double most = std::sqrt(double(std::numeric_limits<std::int32_t>::max()) / depth);
  return static_cast<float>(
      std::min(std::floor(most), double(std::numeric_limits<std::int16_t>::max())));
}

}  // namespace

template <typename Element>
IntegerMatrix<Element>::IntegerMatrix(const AlignedVector<float>& matrix, int depth, int outputs,
                                      int panel)
    : most_(most_of<Element>(depth)), scales_(depth), steps_(outputs), offsets_(outputs) {
  constexpr int kTogether = sizeof(std::int32_t) / sizeof(Element);  // rows side by side
  const auto at = [&](int row, int column) {
    return matrix[static_cast<std::size_t>(row) * outputs + column];
  };
  for (int row = 0; row < depth; ++row) {
    double squares = 0;
    for (int column = 0; column < outputs; ++column)
      squares += double(at(row, column)) * at(row, column);
    scales_[row] = static_cast<float>(std::sqrt(squares));
  }
  const auto scaled = [&](int row, int column) {
    return scales_[row] > 0 ? at(row, column) / scales_[row] : 0.0f;
  };
  for (int column = 0; column < outputs; ++column) {
    float most = 0;
    for (int row = 0; row < depth; ++row) most = std::max(most, std::abs(scaled(row, column)));
    steps_[column] = most / most_;
  }
  weights_.reserve(matrix.size());
  for (int from = 0; from < outputs; from += panel)
    for (int row = 0; row < depth; row += kTogether)
      for (int column = from; column < std::min(from + panel, outputs); ++column)
        for (int part = 0; part < kTogether; ++part) {
          const float step = steps_[column];
          const long whole = step > 0 ? std::lround(scaled(row + part, column) / step) : 0;
          offsets_[column] += static_cast<std::int32_t>(kMiddleByte * whole);
          weights_.push_back(static_cast<Element>(whole));
        }
}

template class IntegerMatrix<std::uint8_t>;
template class IntegerMatrix<std::int16_t>;

}  // namespace sparring
