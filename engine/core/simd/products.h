// Products of matrices for the files compiled once for each set of instructions.
//
// The right matrix is packed in panels of columns, [panel][depth][columns], or in bfloat16 with two
// rows side by side, [panel][depth / 2][columns][2] (network/packing.h).
#pragma once

#include "simd/lanes.h"

#ifdef __AVX512BF16__
#include <immintrin.h>
#endif

namespace sparring {
namespace {

constexpr int kPanelVectors = SPARRING_LANES == 16 && !SPARRING_TILES ? 3 : 2;
constexpr int kPanel = kPanelVectors * kLanes;

constexpr int kLineVectors = 16 / kLanes;  // of a line of the cache

// Rows of a block: its sums, a row of columns and a value just fit the registers.
template <int vectors>
constexpr int kMostRows = SPARRING_LANES == 16 ? (vectors == 3 ? 9 : 13) : (vectors == 2 ? 6 : 12);

// Element types of matrices: the depth of one multiplication, and its sum.
struct Fp32Number {
  using Element = float;
  using Operand = Vector;
  static constexpr int kDepth = 1;
  static constexpr int kAhead = 16;
  static constexpr bool kTiled = false;
  static Operand spread(const Element* from) { return all(*from); }
  static Operand column(const Element* from) { return load(from); }
  static Vector add(Vector sum, Operand a, Operand b) { return sum + a * b; }
  static void keep(Element* to, Vector v) { store(to, v); }
};

#ifdef __AVX512BF16__
struct Bf16Number {
  using Element = std::uint16_t;
  using Operand = __m512bh;
  static constexpr int kDepth = 2;
  static constexpr int kAhead = 16;
  static constexpr bool kTiled = SPARRING_TILES;
  static Operand spread(const Element* from) {
    std::int32_t pair;
    __builtin_memcpy(&pair, from, sizeof pair);
    return (__m512bh)_mm512_set1_epi32(pair);
  }
  static Operand column(const Element* from) { return (__m512bh)_mm512_loadu_si512(from); }
  static Vector add(Vector sum, Operand a, Operand b) {
    return (Vector)_mm512_dpbf16_ps((__m512)sum, a, b);
  }
  static void keep(Element* to, Vector v) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), (__m256i)_mm512_cvtneps_pbh((__m512)v));
  }
};
#endif

}  // namespace
}  // namespace sparring

#include "simd/tiles.h"

namespace sparring {
namespace {

template <typename Number, int rows, int vectors>
inline void multiply_block(const typename Number::Element* in, int in_stride,
                           const typename Number::Element* weights, int depth, float* out,
                           int out_stride) {
  constexpr int kStep = Number::kDepth;
  Vector sums[rows][vectors] = {};
  for (int k = 0; k < depth; k += kStep) {
    typename Number::Operand column[vectors];
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v)
      column[v] = Number::column(weights + k * vectors * kLanes + v * kStep * kLanes);
    if constexpr (Number::kAhead > 0)
#pragma GCC unroll 4
      for (int v = 0; v < vectors; v += kLineVectors)
        __builtin_prefetch(weights + (k + Number::kAhead) * vectors * kLanes + v * kStep * kLanes);
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) {
      const auto value = Number::spread(in + r * in_stride + k);
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) sums[r][v] = Number::add(sums[r][v], value, column[v]);
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) store(out + r * out_stride + v * kLanes, sums[r][v]);
}

template <typename Number, int vectors, int rows = kMostRows<vectors>>
inline void multiply_rows(int count, const typename Number::Element* in, int in_stride,
                          const typename Number::Element* weights, int depth, float* out,
                          int out_stride) {
  if constexpr (rows > 0) {
    if (count == rows)
      multiply_block<Number, rows, vectors>(in, in_stride, weights, depth, out, out_stride);
    else
      multiply_rows<Number, vectors, rows - 1>(count, in, in_stride, weights, depth, out,
                                               out_stride);
  }
}

template <typename Number, int vectors>
void multiply_panel(const typename Number::Element* in, int rows, int in_stride,
                    const typename Number::Element* weights, int depth, float* out,
                    int out_stride) {
#if SPARRING_TILES
  if constexpr (Number::kTiled)
    if (depth % kTileDepth == 0)
      return multiply_tiles<vectors>(in, rows, in_stride, weights, depth, out, out_stride);
#endif
  for_parts(rows, kMostRows<vectors>, [&](int first, int height) {
    multiply_rows<Number, vectors>(height, in + std::size_t(first) * in_stride, in_stride, weights,
                                   depth, out + std::size_t(first) * out_stride, out_stride);
  });
}

// Calls work.template operator()<vectors>(column) for each panel of a matrix.
template <int panel_vectors, typename Work>
inline void for_each_panel(int outputs, const Work& work) {
  for (int column = 0; column < outputs; column += panel_vectors * kLanes) {
    const int vectors = (outputs - column) / kLanes;
    if (vectors >= panel_vectors) work.template operator()<panel_vectors>(column);
    if constexpr (panel_vectors > 1)
      if (vectors == 1) work.template operator()<1>(column);
    if constexpr (panel_vectors > 2)
      if (vectors == 2) work.template operator()<2>(column);
  }
}

// See Kernels::multiply.
template <typename Number>
void multiply(const typename Number::Element* in, int rows, int in_stride,
              const typename Number::Element* weights, int depth, int outputs, float* out,
              int out_stride) {
  for_each_panel<kPanelVectors>(outputs, [&]<int vectors>(int column) {
    multiply_panel<Number, vectors>(in, rows, in_stride, weights + std::size_t(depth) * column,
                                    depth, out + column, out_stride);
  });
}

// The constraint of a vector register in assembly.
#if defined(__x86_64__)
#define SPARRING_REGISTER "+v"
#elif defined(__aarch64__)
#define SPARRING_REGISTER "+w"
#else
#define SPARRING_REGISTER "+m"
#endif

// See NumberKernels::peak.
template <typename Number>
double peak(long steps) {
#if SPARRING_TILES
  if constexpr (Number::kTiled) return peak_of_tiles(steps);
#endif
  constexpr int kChains = 12;  // of sums that do not wait for one another
  constexpr int kBytes = sizeof(typename Number::Operand);
  alignas(64) float zeros[kBytes / sizeof(float)] = {};
  const auto* from = reinterpret_cast<const typename Number::Element*>(zeros);
  auto left = Number::column(from);
  const auto right = Number::column(from);
  Vector sums[kChains] = {};
  for (long step = 0; step < steps; ++step) {
#pragma GCC unroll 12
    for (int chain = 0; chain < kChains; ++chain) {
      // Each step's products and sums count: the compiler must not join or leave out any.
      __asm__ volatile("" : SPARRING_REGISTER(left));
      sums[chain] = Number::add(sums[chain], left, right);
      __asm__ volatile("" : SPARRING_REGISTER(sums[chain]));
    }
  }
  return 2.0 * Number::kDepth * kLanes * kChains * static_cast<double>(steps);
}

// See NumberKernels::fast_depth.
template <typename Number>
constexpr int kFastDepth = Number::kTiled ? kTileDepth : Number::kDepth;

// Rows of a product made together: these and a panel of their sums stay in the first cache.
template <typename Number>
constexpr int kChunkRows = Number::kTiled ? 96 : 64;
static_assert(kChunkRows<Fp32Number> <= kMostChunk);

// Makes the product in[rows][depth] * weights, panel by panel, and calls
// finish.template operator()<vectors>(sums, first, count, column) for each panel of `count` rows
// from row `first`: sums is [count][vectors * kLanes].
template <typename Number, int panel_vectors, typename Finish>
void product(const typename Number::Element* in, int rows, int in_stride,
             const typename Number::Element* weights, int depth, int outputs,
             const Finish& finish) {
  alignas(64) float sums[kChunkRows<Number> * panel_vectors * kLanes];
  for_parts(rows, kChunkRows<Number>, [&](int first, int count) {
    for_each_panel<panel_vectors>(outputs, [&]<int vectors>(int column) {
      multiply_panel<Number, vectors>(in + std::size_t(first) * in_stride, count, in_stride,
                                      weights + std::size_t(depth) * column, depth, sums,
                                      vectors * kLanes);
      finish.template operator()<vectors>(sums, first, count, column);
    });
  });
}

}  // namespace
}  // namespace sparring
