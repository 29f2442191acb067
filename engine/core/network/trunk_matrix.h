// A matrix of the trunk, packed for the kernels of one type of numbers, and its products with rows
// of floats. The types are float, bfloat16 as std::uint16_t, words as std::int16_t, and bytes as
// std::uint8_t.
#pragma once

#include <cstdint>
#include <type_traits>

#include "common/parts.h"
#include "network/integer_matrix.h"
#include "network/packing.h"

namespace sparring {

template <typename Element>
constexpr bool kIsInteger =
    std::is_same_v<Element, std::int16_t> || std::is_same_v<Element, std::uint8_t>;

template <typename Element>
using KernelsOf =
    std::conditional_t<kIsInteger<Element>, IntegerKernels<Element>, NumberKernels<Element>>;

// The numbers that a product or attention leaves for the next product: sums of integers are floats,
// to be rounded anew.
template <typename Element>
using Between = std::conditional_t<kIsInteger<Element>, float, Element>;

// Up to kMostChunk rows as numbers of a product.
template <typename Element>
struct NumberRows {
  Element* memory;                   // [kMostChunk][the greatest depth of a matrix]
  const Element* numbers = nullptr;  // `memory`, or given rows that are such numbers
  float steps[kMostChunk] = {};      // of integers
};

template <typename Element>
class TrunkMatrix {
 public:
  // matrix: [depth][outputs], padded. panel: the columns that a kernel takes together.
  TrunkMatrix(const KernelsOf<Element>& kernels, const AlignedVector<float>& matrix, int depth,
              int outputs, int panel)
      : kernels_(kernels), depth_(depth), outputs_(outputs), weights_(pack(matrix, panel)) {}

  int depth() const { return depth_; }

  // Makes numbers of rows [count][depth], times factors[count] unless null.
  void round(const float* in, int count, const float* factors, NumberRows<Element>& rows) const {
    rows.numbers = rows.memory;
    if constexpr (kIsInteger<Element>) {
      kernels_.round_rows(in, count, depth_, weights_.scales(), weights_.most(), rows.memory,
                          rows.steps);
      if (factors)
        for (int row = 0; row < count; ++row) rows.steps[row] *= factors[row];
    } else if (std::is_same_v<Element, float> && !factors) {
      rows.numbers = reinterpret_cast<const Element*>(in);
    } else {
      kernels_.round_rows(in, count, depth_, factors, rows.memory);
    }
  }

  // See NumberKernels::linear.
  void linear(const NumberRows<Element>& rows, int first, int count, int area,
              const EpilogueArrays& epilogue, float* out) const {
    if constexpr (kIsInteger<Element>)
      kernels_.linear(rows.numbers, rows.steps, first, count, depth_, weights_.columns(), area,
                      outputs_, epilogue, out);
    else
      kernels_.linear(rows.numbers, first, count, depth_, weights_.data(), depth_, area, outputs_,
                      epilogue, out);
  }

  // The same for any number of rows that another product or attention left.
  void linear(const Between<Element>* in, int first, int count, int area,
              const EpilogueArrays& epilogue, float* out, NumberRows<Element>& rows) const {
    if constexpr (kIsInteger<Element>) {
      for_parts(count, kernels_.chunk, [&](int from, int part) {
        round(in + static_cast<std::size_t>(from) * depth_, part, nullptr, rows);
        linear(rows, first + from, part, area, epilogue, out);
      });
    } else {
      rows.numbers = in;
      linear(rows, first, count, area, epilogue, out);
    }
  }

  // See NumberKernels::gate. The matrix has the columns of both.
  void gate(const NumberRows<Element>& rows, int count, Between<Element>* out) const {
    if constexpr (kIsInteger<Element>)
      kernels_.gate(rows.numbers, rows.steps, count, depth_, weights_.columns(), outputs_ / 2, out);
    else
      kernels_.gate(rows.numbers, count, depth_, weights_.data(), depth_, outputs_ / 2, out);
  }

 private:
  auto pack(const AlignedVector<float>& matrix, int panel) const {
    if constexpr (kIsInteger<Element>)
      return IntegerMatrix<Element>(matrix, depth_, outputs_, panel);
    else
      return packed<Element>(matrix, depth_, outputs_, panel);
  }

  const KernelsOf<Element>& kernels_;
  int depth_, outputs_;
  std::conditional_t<kIsInteger<Element>, IntegerMatrix<Element>, AlignedVector<Element>> weights_;
};

}  // namespace sparring
