// Vectors of 16 floats, and conversions of bfloat16 to and from them. For files compiled only for
// AVX-512 with bfloat16.
#pragma once

#include <immintrin.h>

#include "simd/training.h"

namespace sparring {
namespace {

constexpr int kLanes = 16;
typedef float Vector __attribute__((vector_size(64)));

inline Vector load(const float* from) { return (Vector)_mm512_loadu_ps(from); }
inline void store(float* to, Vector v) { _mm512_storeu_ps(to, (__m512)v); }

// Channels are taken 32 at a time, as two vectors of the even and the odd ones: the cheapest split
// of a load. Transformed tiles keep this order: 16 even ones, then 16 odd ones.
constexpr int kStep = kTrainingStep;

inline int channel_at(int place) {
  return place / kStep * kStep + place % kLanes * 2 + place % kStep / kLanes;
}

template <bool odd>
inline Vector part_of(__m512i both) {
  if constexpr (odd) return (Vector)_mm512_and_si512(both, _mm512_set1_epi32(-0x10000));
  return (Vector)_mm512_slli_epi32(both, 16);
}

template <bool odd>
inline Vector load(const Bf16* from) {
  return part_of<odd>(_mm512_loadu_si512(from));
}

template <bool odd>
inline Vector part_of(const float* both) {
  const __m512i places =
      _mm512_add_epi32(_mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30),
                       _mm512_set1_epi32(odd));
  return (Vector)_mm512_permutex2var_ps((__m512)load(both), places, (__m512)load(both + kLanes));
}

inline __m512i rounded(Vector low, Vector high) {
  return (__m512i)_mm512_cvtne2ps_pbh((__m512)high, (__m512)low);
}

// Two vectors side by side: [lane][2]
inline __m512i interleaved(Vector even, Vector odd) {
  alignas(64) static constexpr Bf16 kPlaces[32] = {0,  16, 1,  17, 2,  18, 3,  19, 4,  20, 5,
                                                   21, 6,  22, 7,  23, 8,  24, 9,  25, 10, 26,
                                                   11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
  return _mm512_permutexvar_epi16(_mm512_load_si512(kPlaces), rounded(even, odd));
}

}  // namespace
}  // namespace sparring
