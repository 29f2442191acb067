// A matrix of integers of 8 or 16 bits, packed for the kernels, once per loaded network.
#pragma once

#include <cstdint>

#include "common/aligned.h"
#include "simd/kernels.h"

namespace sparring {

// Element: std::uint8_t for bytes, std::int16_t for words.
//
// The inputs of a product are multiplied by `scales`, the norms of the matrix's rows, and its rows
// divided by them. A rounding error of each input then counts alike in the sums: with inputs as
// they are, b10c384h6nbttflrs errs twice as much in bytes in its policy (compare SmoothQuant, Xiao
// et al. 2023, which chooses such scales by the inputs of sample data).
template <typename Element>
class IntegerMatrix {
 public:
  // matrix: [depth][outputs]; depth is a multiple of kChannelStep.
  IntegerMatrix(const AlignedVector<float>& matrix, int depth, int outputs, int panel);

  const float* scales() const { return scales_.data(); }  // [depth]
  // The largest integer of a row of inputs. For words it is as large as the sums of a product
  // bear.
  float most() const { return most_; }
  IntegerColumns<Element> columns() const {
    return {weights_.data(), steps_.data(), offsets_.data()};
  }

 private:
  float most_;
  AlignedVector<float> scales_, steps_;
  AlignedVector<std::int32_t> offsets_;
  AlignedVector<Element> weights_;
};

extern template class IntegerMatrix<std::uint8_t>;
extern template class IntegerMatrix<std::int16_t>;

}  // namespace sparring
