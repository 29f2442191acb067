// Weights in the layout of the kernels. Plain arithmetic, done once per loaded network.
#pragma once

#include <cstdint>
#include <mutex>
#include <tuple>
#include <type_traits>
#include <vector>

#include "common/parts.h"
#include "network/cpu_network.h"
#include "simd/kernels.h"
#include "simd/winograd.h"

namespace sparring {

// `channels` rounded up to a multiple of kChannelStep.
inline int padded_channels(int channels) { return rounded_up(channels, kChannelStep); }

// [channels] with zeros up to the padded length; empty for null.
AlignedVector<float> padded_row(const float* values, int channels);

// A matrix [depth][outputs], outputs padded, as panels of columns [panel][depth][columns].
AlignedVector<float> packed_columns(const AlignedVector<float>& matrix, int depth, int outputs,
                                    int panel);

// The same in bfloat16, two rows side by side [panel][depth / 2][columns][2]; depth is even.
AlignedVector<std::uint16_t> packed_bf16_columns(const AlignedVector<float>& matrix, int depth,
                                                 int outputs, int panel);

// One of the two.
template <typename Element>
AlignedVector<Element> packed(const AlignedVector<float>& matrix, int depth, int outputs,
                              int panel) {
  if constexpr (std::is_same_v<Element, float>)
    return packed_columns(matrix, depth, outputs, panel);
  else
    return packed_bf16_columns(matrix, depth, outputs, panel);
}

// A matrix with zeros up to `depth` rows and `outputs` columns.
AlignedVector<float> padded_matrix(const PlainMatrix& matrix, int depth, int outputs);

// A convolution as a matrix [ky][kx][in][padded out].
AlignedVector<float> tap_matrix(const ConvolutionWeights& weights);

// A 3x3 convolution's weights transformed for the products of tiles: packed matrices [padded
// in][padded out], one a product. Made at first use; thread-safe.
class WinogradWeights {
 public:
  WinogradWeights(const ConvolutionWeights& weights, int panel);
  // The matrix of the product (i, j) of a cutting.
  template <typename Element>
  const Element* of(const Cutting& cutting, int i, int j) {
    constexpr int kInfinity = PointsOf<Element>::kMostSide + 1;
    const std::size_t step =
        static_cast<std::size_t>(padded_channels(inputs_)) * padded_channels(outputs_);
    const int row = i == cutting.down.span() - 1 ? kInfinity : i;
    const int column = j == cutting.across.span() - 1 ? kInfinity : j;
    return made<Element>().data() + step * (row * (kInfinity + 1) + column);
  }

 private:
  template <typename Element>
  struct Packed {
    std::once_flag once;
    AlignedVector<Element> weights;
  };
  template <typename Element>
  const AlignedVector<Element>& made() {
    auto& [once, weights] = std::get<Packed<Element>>(packed_);
    std::call_once(once, [&] {
      const Winograd<PointsOf<Element>::kMostSide, PointsOf<Element>> winograd;
      for (const auto& down : winograd.weights)
        for (const auto& across : winograd.weights) {
          const auto part = packed<Element>(product_matrix(down, across), padded_channels(inputs_),
                                            padded_channels(outputs_), panel_);
          weights.insert(weights.end(), part.begin(), part.end());
        }
    });
    return weights;
  }
  AlignedVector<float> product_matrix(const double (&down)[3], const double (&across)[3]) const;

  const int outputs_, inputs_, panel_;
  const AlignedVector<float> weights_;
  std::tuple<Packed<float>, Packed<std::uint16_t>> packed_;
};

// The tiling with the fewest multiplications on boards of this size.
Tiling best_tiling(BoardSize size);

// Cuts boards into tiles for the least time, for products of float32 or of bfloat16.
Cutting best_cutting(BoardSize size, bool bf16);

}  // namespace sparring
