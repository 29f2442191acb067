// Weights in the layout of the kernels. Plain arithmetic, done once per loaded network.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "network/cpu_network.h"
#include "simd/kernels.h"

namespace sparring {

// `channels` rounded up to a multiple of kChannelStep.
inline int padded_channels(int channels) {
  return (channels + kChannelStep - 1) / kChannelStep * kChannelStep;
}

// [channels] with zeros up to the padded length; empty for null.
std::vector<float> padded_row(const float* values, int channels);

// A matrix [depth][outputs], outputs padded, as panels of columns [panel][depth][columns].
std::vector<float> packed_columns(const std::vector<float>& matrix, int depth, int outputs,
                                  int panel);

// The same in bfloat16, two rows side by side [panel][depth / 2][columns][2]; depth is even.
std::vector<std::uint16_t> packed_bf16_columns(const std::vector<float>& matrix, int depth,
                                               int outputs, int panel);

// A convolution as a matrix [ky][kx][in][padded out].
std::vector<float> tap_matrix(const ConvolutionWeights& weights);

// A 3x3 convolution's weights transformed for tiles of a side, 3 or 4: a packed matrix [padded
// in][padded out] for each of (side + 2)^2 points. Made at first use, in float32 or bfloat16;
// thread-safe.
class WinogradWeights {
 public:
  WinogradWeights(const ConvolutionWeights& weights, int panel);
  const float* of(int side);
  const std::uint16_t* bf16_of(int side);

 private:
  std::vector<float> point_matrix(int side, int point) const;

  const int outputs_, inputs_, panel_;
  const std::vector<float> weights_;
  std::once_flag made_[2], made_bf16_[2];
  std::vector<float> for_side_[2];
  std::vector<std::uint16_t> bf16_for_side_[2];
};

// The tiling with the fewest multiplications on boards of this size.
Tiling best_tiling(BoardSize size);

}  // namespace sparring
