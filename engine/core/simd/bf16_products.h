// Products of bfloat16 matrices, summed in float32. For files compiled only for AVX-512 with
// bfloat16.
#pragma once

#include "simd/bf16_lanes.h"

namespace sparring {
namespace {

// sums[rows][vectors] of `pairs` steps, each of two numbers per row (left) and two per column
// (right).
struct Product {
  const Bf16* left;
  std::size_t row_step, left_step;
  const Bf16* right;
  std::size_t right_step;
  int pairs;
  float* out;
  std::size_t out_step;
};

template <int rows, int vectors, bool add>
inline void multiply_block(const Product& p) {
  __m512 sums[rows][vectors];
#pragma GCC unroll 16
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v)
      sums[r][v] = add ? _mm512_loadu_ps(p.out + r * p.out_step + v * kLanes) : _mm512_setzero_ps();
  const Bf16 *left = p.left, *right = p.right;
  for (int k = 0; k < p.pairs; ++k, left += p.left_step, right += p.right_step) {
    __m512bh column[vectors];
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v)
      column[v] = (__m512bh)_mm512_loadu_si512(right + v * 2 * kLanes);
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) {
      std::int32_t pair;
      __builtin_memcpy(&pair, left + r * p.row_step, sizeof pair);
      const __m512bh value = (__m512bh)_mm512_set1_epi32(pair);
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) sums[r][v] = _mm512_dpbf16_ps(sums[r][v], value, column[v]);
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v)
      _mm512_storeu_ps(p.out + r * p.out_step + v * kLanes, sums[r][v]);
}

template <int vectors>
constexpr int kMostRows = vectors == 4 ? 6 : 13;

template <int vectors, bool add, int rows = kMostRows<vectors>>
inline void multiply_rows(int count, const Product& p) {
  if constexpr (rows > 0) {
    if (count == rows)
      multiply_block<rows, vectors, add>(p);
    else
      multiply_rows<vectors, add, rows - 1>(count, p);
  }
}

template <int vectors, bool add>
void multiply_panel(int rows, Product p) {
  // Blocks of nearly the same height: a last block of one row would cost as much as three.
  for (int blocks = (rows + kMostRows<vectors> - 1) / kMostRows<vectors>; blocks > 0; --blocks) {
    const int height = (rows + blocks - 1) / blocks;
    multiply_rows<vectors, add>(height, p);
    p.left += height * p.row_step;
    p.out += height * p.out_step;
    rows -= height;
  }
}

template <bool add>
void multiply_any(int vectors, int rows, const Product& p) {
  if (vectors == 2) multiply_panel<2, add>(rows, p);
  if (vectors == 4) multiply_panel<4, add>(rows, p);
}

void multiply(const Bf16* in, int rows, int depth, const Bf16* matrix, int columns, int from,
              int panel, float* out) {
  multiply_any<false>(panel / kLanes, rows,
                      {in, std::size_t(depth), 2, matrix + 2 * from, std::size_t(columns) * 2,
                       depth / 2, out, std::size_t(panel)});
}

void multiply_pairs(const Bf16* left, int rows, const Bf16* right, int columns, int pairs,
                    float* sums) {
  for (int from = 0; from < columns;) {
    const int panel = training_panel(columns - from);
    multiply_any<true>(panel / kLanes, rows,
                       {left, 2, std::size_t(rows) * 2, right + 2 * from, std::size_t(columns) * 2,
                        pairs, sums + from, std::size_t(columns)});
    from += panel;
  }
}

}  // namespace
}  // namespace sparring
