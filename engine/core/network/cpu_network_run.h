// The registers, epilogues and memory of a CpuNetwork's steps as they run. For its own files alone.
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "common/parts.h"
#include "network/cpu_network.h"
#include "network/packing.h"
#include "network/trunk_matrix.h"

namespace sparring {

inline void grow(AlignedVector<float>& array, std::size_t size) {
  if (array.size() < size) array.resize(size);
}

inline const float* data_or_null(const AlignedVector<float>& values) {
  return values.empty() ? nullptr : values.data();
}

// The registers of a group of boards on their way through the steps.
struct CpuNetwork::Run {
  const CpuNetwork& network;
  const Batch& batch;
  Scratch& scratch;
  int first, boards;  // of the batch

  float* of(Register r) const { return r == kNone ? nullptr : scratch.registers[r].data(); }
  int points() const { return boards * batch.size.area(); }
};

// An Epilogue that owns its arrays, padded.
struct OwnedEpilogue {
  AlignedVector<float> bias, scale, shift;
  Register row_bias, residual;
  Activation activation;

  OwnedEpilogue(const Epilogue& epilogue, int channels)
      : bias(padded_row(epilogue.bias, channels)),
        scale(padded_row(epilogue.scale, channels)),
        shift(padded_row(epilogue.shift, channels)),
        row_bias(epilogue.row_bias),
        residual(epilogue.residual),
        activation(epilogue.activation) {}

  template <typename Run>
  EpilogueArrays bind(const Run& run) const {
    return {data_or_null(bias),  run.of(row_bias),    run.of(residual),
            data_or_null(scale), data_or_null(shift), activation};
  }
};

template <typename Element>
const auto& CpuNetwork::kernels_of() const {
  if constexpr (std::is_same_v<Element, float>)
    return kernels_.fp32;
  else if constexpr (std::is_same_v<Element, std::uint16_t>)
    return *kernels_.bf16;
  else if constexpr (std::is_same_v<Element, std::int16_t>)
    return *kernels_.int16;
  else
    return *kernels_.int8;
}

template <typename Element>
auto CpuNetwork::trunk_matrix(const PlainMatrix& matrix, int depth, int outputs) const {
  return TrunkMatrix<Element>(kernels_of<Element>(), padded_matrix(matrix, depth, outputs), depth,
                              outputs, kernels_.panel);
}

// Floats that hold `count` numbers, to the end of a line of the cache.
template <typename Element>
constexpr std::size_t floats_of(std::size_t count) {
  return (count * sizeof(Element) + kCacheLine - 1) / kCacheLine * (kCacheLine / sizeof(float));
}

template <typename Element>
constexpr std::size_t chunk_floats(int channels) {
  return floats_of<Element>(static_cast<std::size_t>(kMostChunk) * channels);
}

// Arrays one after the other in a vector that grows.
class Arena {
 public:
  Arena(AlignedVector<float>& memory, std::size_t floats) {
    grow(memory, floats);
    next_ = memory.data();
  }
  template <typename Element>
  Element* take(std::size_t count) {
    auto* result = reinterpret_cast<Element*>(next_);
    next_ += floats_of<Element>(count);
    return result;
  }

 private:
  float* next_;
};

}  // namespace sparring
