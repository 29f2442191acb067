// The arithmetic of a network on one core, compiled once for each set of vector instructions.
//
// Boards are arrays [point][channel], channels padded with zeros to a multiple of kChannelStep: a
// vector holds channels of one point under every set. Nothing here allocates.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/parts.h"
#include "simd/tiling.h"

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
  constexpr int area() const { return height * width; }
};

// From one product of some tiles to the next, in numbers. The caches would mix up lines that lie a
// power of two apart.
constexpr std::size_t product_step(int tiles, int channels) {
  return static_cast<std::size_t>(tiles) * channels + 2 * kChannelStep;
}

// Attention's sizes, padded for the kernels: the width of a head of queries and keys is a multiple
// of 2 * kChannelStep, first all first numbers of the rotated pairs and then all second ones; the
// width of a head of values is a multiple of kChannelStep.
struct AttentionShape {
  int heads, key_heads, width, value_width;
  // Numbers of a point: all heads of queries, then of keys, then of values.
  int joined() const { return (heads + key_heads) * width + key_heads * value_width; }
};

constexpr int kWidestHead = 512;
// Queries whose scores are made together: they stay in the first cache.
constexpr int kAttentionStripe = 16;
// The keys of a board are padded to a multiple of this.
constexpr int kAttentionStep = 32;

// Floats of memory that `attend` needs.
constexpr std::size_t attention_scratch(BoardSize size, const AttentionShape& shape) {
  const std::size_t padded = rounded_up(size.area(), kAttentionStep);
  return kAttentionStripe * (2 * padded + shape.value_width) +
         padded * (2 * shape.width + shape.value_width);
}

constexpr int kMostChunk = 96;
constexpr int kMostPlanes = 128;  // summed by scatter

// Kernels that multiply numbers of one type: float, or bfloat16 as std::uint16_t.
template <typename Element>
struct NumberKernels {
  // Rows that a product takes best at a time; at most kMostChunk.
  int chunk;
  // The depth of a matrix is a multiple of this for the fastest product.
  int fast_depth;
  // out[rows][outputs] = in[rows][depth] * weights, packed in panels (network/packing.h)
  void (*multiply)(const Element* in, int rows, int in_stride, const Element* weights, int depth,
                   int outputs, float* out, int out_stride);
  // Tiles [first, first + count) of the boards to [point][tile][channels].
  void (*winograd_input)(const float* in, BoardSize size, const Cutting& cutting, int boards,
                         int first, int count, int channels, Element* out);
  // out[rows][channels] = in, times factors[rows] unless null
  void (*round_rows)(const float* in, int rows, int channels, const float* factors, Element* out);
  // The product of rows [first, first + rows) with weights [depth][channels], after the epilogue.
  // `in` begins with row `first`; the arrays of the epilogue and `out`, which may be null, with
  // row 0.
  void (*linear)(const Element* in, int first, int rows, int in_stride, const Element* weights,
                 int depth, int area, int channels, const EpilogueArrays& epilogue, float* out);
  // out[rows][outputs] = silu(in * a) * (in * b), for weights of `gate_panel` columns of a, then of
  // b, and so on
  void (*gate)(const Element* in, int rows, int in_stride, const Element* weights, int depth,
               int outputs, Element* out);
  // Attention of one board over joined [points][shape.joined()] to out [points][heads *
  // value_width]. Scores are in units of ln 2: the factor is part of the queries. by_column
  // [column][key head][width] and by_row have the rotations' cosines, then their sines, or are
  // null.
  void (*attend)(const float* joined, BoardSize size, const AttentionShape& shape,
                 const float* by_column, const float* by_row, void* scratch, Element* out);
  // Multiplies registers alone, `steps` times as many as hide their delay; returns the operations.
  double (*peak)(long steps);
};

// Bytes of inputs: this one is 0, and the largest is so far from it.
constexpr int kMiddleByte = 128;
constexpr float kMostByte = 127.0f;

// A matrix of integers, packed in panels [panel][depth / n][columns][n], with as many side by
// side as 32 bits hold. Bytes of columns are signed, those of rows unsigned.
template <typename Element>
struct IntegerColumns {
  const Element* weights;
  const float* steps;           // [columns] a number for each step of a integer
  const std::int32_t* offsets;  // [columns] for bytes, kMiddleByte times the sum of a column
};

// Kernels that multiply integers: bytes as std::uint8_t, or words as std::int16_t. The depth of
// each matrix is that of the rows, a multiple of kChannelStep.
template <typename Element>
struct IntegerKernels {
  // Rows that a product takes best at a time; at most kMostChunk.
  int chunk;
  // in[rows][channels] * scales[channels] = (out - middle) * steps[rows], rounded; the largest
  // number of a row becomes `most` or -most. The middle is kMiddleByte for bytes, 0 for words.
  void (*round_rows)(const float* in, int rows, int channels, const float* scales, float most,
                     Element* out, float* steps);
  // As NumberKernels::linear. `in` and `steps` begin with row `first`.
  void (*linear)(const Element* in, const float* steps, int first, int rows, int depth,
                 const IntegerColumns<Element>& columns, int area, int channels,
                 const EpilogueArrays& epilogue, float* out);
  // As NumberKernels::gate, in floats.
  void (*gate)(const Element* in, const float* steps, int rows, int depth,
               const IntegerColumns<Element>& columns, int outputs, float* out);
  // As NumberKernels::peak.
  double (*peak)(long steps);
};

struct Kernels {
  const char* name;
  // Columns of a packed matrix computed together, in floats.
  int panel;
  // Columns of each of the two matrices of a gated product, side by side.
  int gate_panel;
  NumberKernels<float> fp32;
  // Null if the processor does not multiply bfloat16.
  const NumberKernels<std::uint16_t>* bf16;
  // Null if the processor does not sum products of four bytes, or multiplies tiles.
  const IntegerKernels<std::uint8_t>* int8;
  // Null if the processor gains nothing by words, or multiplies tiles.
  const IntegerKernels<std::int16_t>* int16;
  // [point][tile][channels] to the boards' points, after the epilogue.
  void (*winograd_output)(const float* in, BoardSize size, const Cutting& cutting, int boards,
                          int first, int count, int channels, const EpilogueArrays& epilogue,
                          float* out);
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
  // sums[rows] of the squares of in[rows][channels]
  void (*square_sums)(const float* in, int rows, int channels, float* sums);
  // Gives the processor's tiles back at the end of a thread's work; null if it has none.
  void (*release)();
};

// The fastest of this process, or the named one. Throws std::invalid_argument if it is absent.
const Kernels& kernels(const char* name = "");

extern const Kernels kBaseKernels;
#ifdef SPARRING_X86_KERNELS
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx2VnniKernels;
extern const Kernels kAvx512Kernels;
extern const Kernels kAvx512VnniKernels;
extern const Kernels kAvx512Bf16Kernels;
extern const Kernels kAmxBf16Kernels;
#endif

}  // namespace sparring
