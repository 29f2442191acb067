// The arithmetic of a network on one core, compiled once for each set of vector instructions.
//
// Boards are arrays [point][channel], channels padded with zeros to a multiple of kChannelStep: a
// vector holds channels of one point under every set. Nothing here allocates.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sparring {

constexpr int kChannelStep = 16;

enum class Activation : int { kIdentity, kRelu, kMish, kSilu, kMishScale8 };

// The epilogue of a convolution's sums before the store: v = sum + bias + row_bias; with a residual
// v = residual += v; out = activation(v * scale + shift).
struct EpilogueArrays {
  const float* bias = nullptr;      // [channels] or null
  const float* row_bias = nullptr;  // [board][channels] or null
  float* residual = nullptr;        // [point][channels] or null
  const float* scale = nullptr;     // [channels] or null, with shift
  const float* shift = nullptr;
  Activation activation = Activation::kIdentity;
};

struct BoardSize {
  int height, width;
  int area() const { return height * width; }
};

// A 3x3 convolution by Winograd's minimal filtering, F(m x m, 3 x 3), over (m+2)x(m+2) inputs.
struct Tiling {
  int side;  // m: 3 or 4
  int down, across;
  int per_board() const { return down * across; }
  int points() const { return (side + 2) * (side + 2); }
};

struct Kernels {
  const char* name;
  // Columns of a packed matrix computed together, in floats.
  int panel;
  // out[rows][outputs] = in[rows][depth] * weights, packed by pack_columns of network_steps.cpp
  void (*multiply)(const float* in, int rows, int in_stride, const float* weights, int depth,
                   int outputs, float* out, int out_stride);
  // Tiles [first, first + count) of consecutive boards to [point][tile][channels].
  void (*winograd_input)(const float* boards, BoardSize size, Tiling tiling, int first, int count,
                         int channels, float* out);
  // [point][tile][channels] to the boards' points, after the epilogue.
  void (*winograd_output)(const float* in, BoardSize size, Tiling tiling, int first, int count,
                          int channels, const EpilogueArrays& epilogue, float* boards);
  // Rows [first, first + count) of sums [count][channels], after the epilogue.
  void (*epilogue_rows)(const float* sums, int first, int count, int area, int channels,
                        const EpilogueArrays& epilogue, float* out);
  // Sums the weights [plane][ky][kx][channels] of every 1 in planes [plane][height][width], over
  // bias [channels] and, unless null, under [point][channels].
  void (*scatter)(const std::uint8_t* planes, int plane_count, BoardSize size, const float* weights,
                  int kernel_height, int kernel_width, int channels, const float* bias,
                  const float* under, float* out);
  // sum[channels] and maximum[channels] over [area][channels]
  void (*pool)(const float* board, int area, int channels, float* sum, float* maximum);
  // As above on bfloat16; null if the processor does not multiply it. Packed weights hold two rows
  // of the matrix side by side; depth is even.
  void (*multiply_bf16)(const std::uint16_t* in, int rows, int in_stride,
                        const std::uint16_t* weights, int depth, int outputs, float* out,
                        int out_stride);
  void (*winograd_input_bf16)(const float* boards, BoardSize size, Tiling tiling, int first,
                              int count, int channels, std::uint16_t* out);
};

// The fastest of this process, or the named one. Throws std::invalid_argument if it is absent.
const Kernels& kernels(const char* name = "");

extern const Kernels kBaseKernels;
#ifdef SPARRING_X86_KERNELS
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;
extern const Kernels kAvx512Bf16Kernels;
#endif

}  // namespace sparring
