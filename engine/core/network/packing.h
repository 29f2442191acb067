// Weights in the layout of the kernels. Plain arithmetic, done once per loaded network.
#pragma once

#include <cstdint>
#include <mutex>
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
// in][padded out], one a product. Made at first use, in float32 for tiles with shared points, in
// bfloat16 for tiles of one side, 3 or 4; thread-safe.
class WinogradWeights {
 public:
  WinogradWeights(const ConvolutionWeights& weights, int panel);
  // The matrix of the product (i, j) of a cutting.
  template <typename Element>
  const Element* of(const Cutting& cutting, int i, int j) {
    const std::size_t step =
        static_cast<std::size_t>(padded_channels(inputs_)) * padded_channels(outputs_);
    if constexpr (std::is_same_v<Element, float>) {
      const int row = i == cutting.down.span() - 1 ? kMostSide + 1 : i;
      const int column = j == cutting.across.span() - 1 ? kMostSide + 1 : j;
      return made(fp32_, kMostSide, true).data() + step * (row * (kMostSide + 2) + column);
    } else {
      const int side = cutting.down.side;
      return made(bf16_[side - 3], side, false).data() + step * (i * (side + 2) + j);
    }
  }

 private:
  template <typename Element>
  struct Packed {
    std::once_flag once;
    AlignedVector<Element> weights;
  };
  template <typename Element>
  const AlignedVector<Element>& made(Packed<Element>& packed_weights, int side, bool shared) {
    std::call_once(packed_weights.once, [&] {
      for (int point = 0; point < (side + 2) * (side + 2); ++point) {
        const auto part =
            packed<Element>(point_matrix(side, shared, point), padded_channels(inputs_),
                            padded_channels(outputs_), panel_);
        packed_weights.weights.insert(packed_weights.weights.end(), part.begin(), part.end());
      }
    });
    return packed_weights.weights;
  }
  AlignedVector<float> point_matrix(int side, bool shared, int point) const;

  const int outputs_, inputs_, panel_;
  const AlignedVector<float> weights_;
  Packed<float> fp32_;
  Packed<std::uint16_t> bf16_[2];
};

// The tiling with the fewest multiplications on boards of this size.
Tiling best_tiling(BoardSize size);

// Cuts boards into tiles for the least time: with shared points in float32, of one side in
// bfloat16, which is too rough for large tiles.
Cutting best_cutting(BoardSize size, bool bf16);

}  // namespace sparring
