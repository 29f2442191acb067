// Products of bfloat16 matrices by the processor's tiles (AMX): 16 rows of 32 numbers, times 32
// rows of 16 columns. For files compiled with SPARRING_TILES.
#pragma once

#include "simd/lanes.h"

namespace sparring {
namespace {

constexpr int kTileDepth = 32;

}  // namespace
}  // namespace sparring

#if SPARRING_TILES
#include <immintrin.h>

namespace sparring {
namespace {

constexpr int kTileRows = 16;
constexpr int kRowBytes = 64;

// The rows of the left tiles that this thread's processor is set to; 0 for none.
thread_local int tile_rows[2] = {0, 0};

// Sets tiles 0 to 3 to sums (of left tile 4 or 5, times right tile 6 or 7).
inline void set_tiles(int first, int second) {
  if (tile_rows[0] == first && tile_rows[1] == second) return;
  tile_rows[0] = first, tile_rows[1] = second;
  struct alignas(64) {
    std::uint8_t palette = 1, start = 0, unused[14] = {};
    std::uint16_t bytes[16] = {};
    std::uint8_t rows[16] = {};
  } shape;
  const int rows[8] = {first, first, second, second, first, second, kTileRows, kTileRows};
  for (int tile = 0; tile < 8; ++tile) {
    shape.rows[tile] = static_cast<std::uint8_t>(rows[tile]);
    shape.bytes[tile] = rows[tile] ? kRowBytes : 0;
  }
  // Not _tile_loadconfig: GCC 12's tells the compiler that it reads 8 bytes, so that the others'
  // stores may be left out.
  __asm__ volatile("ldtilecfg %0" : : "m"(shape));
}

void release_tiles() {
  if (tile_rows[0] == 0) return;
  _tile_release();
  tile_rows[0] = tile_rows[1] = 0;
}

struct TileBlock {
  const std::uint16_t* in;
  std::size_t in_bytes;  // of a row
  std::size_t second;    // elements from the first left tile to the second one
  const std::uint16_t* weights;
  std::size_t weight_bytes;  // of a row of pairs
  int depth;
  float* out;
  std::size_t out_bytes;   // of a row
  std::size_t out_second;  // floats from the first rows to the second ones
};

template <bool two_rows, bool two_columns>
inline void multiply_tile_block(const TileBlock& p) {
  _tile_zero(0);
  if constexpr (two_columns) _tile_zero(1);
  if constexpr (two_rows) _tile_zero(2);
  if constexpr (two_rows && two_columns) _tile_zero(3);
  for (int k = 0; k < p.depth; k += kTileDepth) {
    const auto* right = reinterpret_cast<const char*>(p.weights) + k / 2 * p.weight_bytes;
    _tile_loadd(4, p.in + k, p.in_bytes);
    _tile_loadd(6, right, p.weight_bytes);
    _tile_dpbf16ps(0, 4, 6);
    if constexpr (two_columns) {
      _tile_loadd(7, right + kRowBytes, p.weight_bytes);
      _tile_dpbf16ps(1, 4, 7);
    }
    if constexpr (two_rows) {
      _tile_loadd(5, p.in + p.second + k, p.in_bytes);
      _tile_dpbf16ps(2, 5, 6);
      if constexpr (two_columns) _tile_dpbf16ps(3, 5, 7);
    }
  }
  _tile_stored(0, p.out, p.out_bytes);
  if constexpr (two_columns) _tile_stored(1, p.out + kLanes, p.out_bytes);
  if constexpr (two_rows) _tile_stored(2, p.out + p.out_second, p.out_bytes);
  if constexpr (two_rows && two_columns)
    _tile_stored(3, p.out + p.out_second + kLanes, p.out_bytes);
}

// See NumberKernels::peak.
inline double peak_of_tiles(long steps) {
  set_tiles(kTileRows, kTileRows);
  for (long step = 0; step < steps; ++step) {
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
  }
  return 4.0 * 2 * kTileRows * kLanes * kTileDepth * static_cast<double>(steps);
}

// A panel of columns; depth is a multiple of kTileDepth.
template <int vectors>
void multiply_tiles(const std::uint16_t* in, int rows, int in_stride, const std::uint16_t* weights,
                    int depth, float* out, int out_stride) {
  const auto in_step = static_cast<std::size_t>(in_stride);
  const auto out_step = static_cast<std::size_t>(out_stride);
  // Tiles of nearly the same height: the time of a product depends on the rows of its tiles.
  for (int tiles = (rows + kTileRows - 1) / kTileRows; tiles > 0; tiles -= 2) {
    const int first = (rows + tiles - 1) / tiles;
    const int second = tiles > 1 ? (rows - first + tiles - 2) / (tiles - 1) : 0;
    set_tiles(first, second);
    for (int v = 0; v < vectors; v += 2) {
      const TileBlock block = {in,
                               2 * in_step,
                               first * in_step,
                               weights + v * 2 * kLanes,
                               std::size_t(vectors) * 4 * kLanes,
                               depth,
                               out + v * kLanes,
                               4 * out_step,
                               first * out_step};
      const bool two_columns = v + 1 < vectors;
      if (second && two_columns) multiply_tile_block<true, true>(block);
      if (second && !two_columns) multiply_tile_block<true, false>(block);
      if (!second && two_columns) multiply_tile_block<false, true>(block);
      if (!second && !two_columns) multiply_tile_block<false, false>(block);
    }
    in += (first + second) * in_step;
    out += (first + second) * out_step;
    rows -= first + second;
  }
}

}  // namespace
}  // namespace sparring
#endif
