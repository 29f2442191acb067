// A matrix in bytes, packed for the kernels, once per loaded network.
#pragma once

#include <cstdint>

#include "common/aligned.h"
#include "simd/kernels.h"

namespace sparring {

// The inputs of a product in bytes are multiplied by `scales`, the norms of the matrix's rows, and
// its rows divided by them. A rounding error of each input then counts alike in the sums: with
// inputs as they are, b10c384h6nbttflrs errs twice as much in its policy (compare SmoothQuant, Xiao
// et al. 2023, which chooses such scales by the inputs of sample data).
class Int8Matrix {
 public:
  // matrix: [depth][outputs]; depth is a multiple of kChannelStep.
  Int8Matrix(const AlignedVector<float>& matrix, int depth, int outputs, int panel);

  const float* scales() const { return scales_.data(); }  // [depth]
  Int8Columns columns() const { return {weights_.data(), steps_.data(), offsets_.data()}; }

 private:
  AlignedVector<float> scales_, steps_;
  AlignedVector<std::int32_t> offsets_;
  AlignedVector<std::uint8_t> weights_;
};

}  // namespace sparring
