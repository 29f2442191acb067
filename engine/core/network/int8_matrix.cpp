#include "network/int8_matrix.h"

#include <algorithm>
#include <cmath>

namespace sparring {
namespace {

constexpr int kTogether = 4;  // rows side by side

}  // namespace

Int8Matrix::Int8Matrix(const AlignedVector<float>& matrix, int depth, int outputs, int panel)
    : scales_(depth), steps_(outputs), offsets_(outputs) {
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
    steps_[column] = most / kMostByte;
  }
  weights_.reserve(matrix.size());
  for (int from = 0; from < outputs; from += panel)
    for (int row = 0; row < depth; row += kTogether)
      for (int column = from; column < std::min(from + panel, outputs); ++column)
        for (int part = 0; part < kTogether; ++part) {
          const float step = steps_[column];
          const long byte = step > 0 ? std::lround(scaled(row + part, column) / step) : 0;
          offsets_[column] += static_cast<std::int32_t>(kMiddleByte * byte);
          weights_.push_back(static_cast<std::uint8_t>(byte));
        }
}

}  // namespace sparring
