// Vectors of SPARRING_LANES floats and functions of them. For the files compiled once for each set
// of instructions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd/kernels.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

#ifndef SPARRING_TILES
#define SPARRING_TILES 0  // 1 for the set that multiplies tiles
#endif

#ifndef SPARRING_VNNI
#define SPARRING_VNNI 0  // 1 for the sets that sum products of four bytes
#endif

// 1 for the sets that gain by words: VNNI sums products of two words as fast as of four bytes, AVX2
// takes two instructions. With those two AVX-512 would only be as fast as in float32.
#if SPARRING_VNNI || (defined(__AVX2__) && SPARRING_LANES == 8)
#define SPARRING_WORDS 1
#else
#define SPARRING_WORDS 0
#endif

namespace sparring {
namespace {

constexpr int kLanes = SPARRING_LANES;
typedef float Vector __attribute__((vector_size(4 * SPARRING_LANES)));
typedef float Stored __attribute__((vector_size(4 * SPARRING_LANES), aligned(4), may_alias));
typedef std::int32_t Integers __attribute__((vector_size(4 * SPARRING_LANES)));

inline Vector load(const float* from) { return *reinterpret_cast<const Stored*>(from); }
inline void store(float* to, Vector v) { *reinterpret_cast<Stored*>(to) = v; }
// Not `Vector{} + value`: x + 0 is another number for x = -0, and costs an addition.
inline Vector all(float value) { return value - Vector{}; }
// The compiler makes two instructions of a comparison and a choice.
#if defined(__AVX512F__) && SPARRING_LANES == 16
inline Vector larger(Vector a, Vector b) { return (Vector)_mm512_max_ps((__m512)a, (__m512)b); }
inline Vector smaller(Vector a, Vector b) { return (Vector)_mm512_min_ps((__m512)a, (__m512)b); }
#elif defined(__AVX2__) && SPARRING_LANES == 8
inline Vector larger(Vector a, Vector b) { return (Vector)_mm256_max_ps((__m256)a, (__m256)b); }
inline Vector smaller(Vector a, Vector b) { return (Vector)_mm256_min_ps((__m256)a, (__m256)b); }
#elif defined(__SSE2__) && SPARRING_LANES == 4
inline Vector larger(Vector a, Vector b) { return (Vector)_mm_max_ps((__m128)a, (__m128)b); }
inline Vector smaller(Vector a, Vector b) { return (Vector)_mm_min_ps((__m128)a, (__m128)b); }
#else
inline Vector larger(Vector a, Vector b) { return a > b ? a : b; }
inline Vector smaller(Vector a, Vector b) { return a < b ? a : b; }
#endif

// The lanes from `step` on, then the others.
template <int step>
inline Vector rotated(Vector v) {
  Integers places;
#pragma GCC unroll 16
  for (int lane = 0; lane < kLanes; ++lane) places[lane] = (lane + step) % kLanes;
  return __builtin_shuffle(v, places);
}

// Combines all lanes; every lane of the result has the same number.
template <int step = kLanes / 2, typename Combine>
inline Vector fold(Vector v, const Combine& combine) {
  if constexpr (step == 0)
    return v;
  else
    return fold<step / 2>(combine(v, rotated<step>(v)), combine);
}

inline float sum_of(Vector v) {
  return fold(v, [](Vector a, Vector b) { return a + b; })[0];
}

inline Vector maximum_of(Vector v) { return fold(v, larger); }

// Reciprocal; relative error 2e-7.
inline Vector reciprocal(Vector x) {
#if defined(__AVX512F__) && SPARRING_LANES == 16
  // One step of Newton's method: a division of 16 numbers costs as much as 16 multiplications.
  const Vector guess = (Vector)_mm512_rcp14_ps((__m512)x);
  return guess * (2.0f - x * guess);
#else
  return 1.0f / x;
#endif
}

// A number whose sum with |x| < 2^22 has x, rounded to a whole number, in its lowest bits.
constexpr float kRounding = 12582912.0f;  // 1.5 * 2^23

// x times 2^whole, for the whole number in the lowest bits of `rounded`.
inline Vector times_power(Vector x, Vector rounded) {
  return (Vector)((Integers)x + ((Integers)rounded << 23));
}

// e^x by halving the exponent's range and a polynomial; relative error 2e-7, |x| clamped to 87.
inline Vector exponential(Vector x) {
  x = smaller(larger(x, all(-87.0f)), all(87.0f));
  const Vector rounded = x * 1.44269504f + kRounding;
  const Vector n = rounded - kRounding;
  const Vector r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
  Vector p = all(1.9875691500e-4f);
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  return times_power(p, rounded);
}

// 2^x for x <= 0, clamped to -126; relative error 3e-7.
inline Vector power_of_two(Vector x) {
  x = larger(x, all(-126.0f));
  const Vector rounded = x + kRounding;
  const Vector r = x - (rounded - kRounding);
  Vector p = all(1.32764713e-3f);
  p = p * r + 9.67554096e-3f;
  p = p * r + 5.55071309e-2f;
  p = p * r + 2.40221202e-1f;
  p = p * r + 6.93146944e-1f;
  p = p * r + 1.00000012f;
  return times_power(p, rounded);
}

// tanh(softplus(x)) = w / (w + 2) with w = e^x (e^x + 2)
inline Vector mish_gate(Vector x) {
  const Vector power = exponential(smaller(x, all(20.0f)));
  const Vector w = power * (power + 2.0f);
  return w / (w + 2.0f);
}

template <Activation kind>
inline Vector activate(Vector x) {
  if constexpr (kind == Activation::kRelu) return larger(x, all(0.0f));
  if constexpr (kind == Activation::kMish) return x * mish_gate(x);
  if constexpr (kind == Activation::kMishScale8) return x * mish_gate(8.0f * x);
  if constexpr (kind == Activation::kSilu) return x * reciprocal(1.0f + exponential(-x));
  return x;
}

}  // namespace
}  // namespace sparring
