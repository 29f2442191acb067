// The arithmetic of 3x3 convolutions in training: forward, back to the inputs, back to the weights.
//
// Boards are bfloat16 [point][channel], weights and sums float32. All use Winograd's minimal
// filtering, as in kernels.h; the products are of bfloat16, summed in float32. Nothing here
// allocates. Tiles are those of consecutive boards, numbered through.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd/kernels.h"

namespace sparring {

using Bf16 = std::uint16_t;

// The input of a convolution: boards, or max(0, boards * scale + shift) with a scale.
struct Source {
  const Bf16* boards;
  const float* scale = nullptr;  // [channels], with shift
  const float* shift = nullptr;
};

// The output of a convolution's sums, over `under` if not null. Without `gate` they are stored.
// With `gate` they pass back through a rectified normalization: they stay at points with gate *
// scale + shift above 0, and are 0 elsewhere. `moments` [2][channels] accumulates the remaining
// sums, and the same times (gate - mean).
struct Target {
  Bf16* boards;
  const Bf16* under = nullptr;
  const Bf16* gate = nullptr;
  const float* scale = nullptr;
  const float* shift = nullptr;
  const float* mean = nullptr;
  float* moments = nullptr;
};

// Weights [outputs][inputs][3][3], or their gradient, as a matrix of taps: the strides from one
// channel of the sums' depth to the next, and from one of its columns to the next.
struct Taps {
  std::ptrdiff_t depth_step, column_step;
  bool turned;  // by half a circle, for the way back to the inputs
};

// Channels are multiples of this.
constexpr int kTrainingStep = 32;
constexpr int kWidestPanel = 64;

struct TrainingKernels {
  // [point][depth / 2][columns][2] of weights, for tiles of a side
  void (*weights_in)(const float* weights, Taps taps, int side, int depth, int columns, Bf16* out);
  // Tiles to [point][tile][channels]
  void (*winograd_input)(const Source& source, BoardSize size, Tiling tiling, int first, int count,
                         int channels, Bf16* out);
  // [point][tile][panel] of columns [from, from + panel), a panel at most, to the boards' points
  void (*winograd_output)(const float* in, BoardSize size, Tiling tiling, int first, int count,
                          int from, int panel, int channels, const Target& target);
  // out[rows][panel] of columns of a matrix [depth / 2][columns][2]
  void (*multiply)(const Bf16* in, int rows, int depth, const Bf16* matrix, int columns, int from,
                   int panel, float* out);
  // Tiles to [point][pair of tiles][channels][2], a last half pair filled with zeros
  void (*pairs_in)(const Source& source, BoardSize size, Tiling tiling, int first, int count,
                   int channels, Bf16* out);
  // The gradient of the products from the tiles' outputs, in the same layout
  void (*pairs_back)(const Bf16* boards, BoardSize size, Tiling tiling, int first, int count,
                     int channels, Bf16* out);
  // sums[rows][columns] += over all pairs
  void (*multiply_pairs)(const Bf16* left, int rows, const Bf16* right, int columns, int pairs,
                         float* sums);
  // sums [point][inputs][outputs] to the gradient [outputs][inputs][3][3]
  void (*weights_back)(const float* sums, int side, int inputs, int outputs, float* gradient);
  // moments [2][channels] += x - around, and its square
  void (*measure)(const Bf16* points, int count, int channels, const float* around, float* moments);
  // out = gradient * slope + x * scale + shift
  void (*combine)(const Bf16* gradient, const Bf16* x, int count, int channels, const float* slope,
                  const float* scale, const float* shift, Bf16* out);
};

// Null if this process does not multiply bfloat16, or has AMX, with which torch trains.
const TrainingKernels* training_kernels();

// Columns, of the remaining ones, multiplied together.
constexpr int training_panel(int columns) {
  return columns < kWidestPanel ? kTrainingStep : kWidestPanel;
}

#ifdef SPARRING_X86_KERNELS
extern const TrainingKernels kAvx512Bf16TrainingKernels;
#endif

}  // namespace sparring
