// Vectors of SPARRING_LANES floats and functions of them. For the files compiled once for each set
// of instructions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd/kernels.h"

#ifndef SPARRING_TILES
#define SPARRING_TILES 0  // 1 for the set that multiplies tiles
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
inline Vector larger(Vector a, Vector b) { return a > b ? a : b; }
inline Vector smaller(Vector a, Vector b) { return a < b ? a : b; }

// e^x by halving the exponent's range and a polynomial; relative error 2e-7, |x| clamped to 87.
inline Vector exponential(Vector x) {
  x = smaller(larger(x, all(-87.0f)), all(87.0f));
  const Vector scaled = x * 1.44269504f;
  const Integers whole =
      __builtin_convertvector(scaled + (scaled < 0.0f ? all(-0.5f) : all(0.5f)), Integers);
  const Vector n = __builtin_convertvector(whole, Vector);
  const Vector r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
  Vector p = all(1.9875691500e-4f);
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  const Integers power = (whole + 127) << 23;
  return p * (Vector)power;
}

// 2^x for x <= 0; relative error 3e-7, x clamped to -126.
inline Vector power_of_two(Vector x) {
  x = larger(x, all(-126.0f));
  const Integers whole = __builtin_convertvector(x - 0.5f, Integers);
  const Vector r = x - __builtin_convertvector(whole, Vector);
  Vector p = all(1.32764713e-3f);
  p = p * r + 9.67554096e-3f;
  p = p * r + 5.55071309e-2f;
  p = p * r + 2.40221202e-1f;
  p = p * r + 6.93146944e-1f;
  p = p * r + 1.00000012f;
  const Integers power = (whole + 127) << 23;
  return p * (Vector)power;
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
  if constexpr (kind == Activation::kSilu) return x / (1.0f + exponential(-x));
  return x;
}

}  // namespace
}  // namespace sparring
