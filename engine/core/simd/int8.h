// The feed-forward layers of transformers in bytes, for the files compiled once for each set of
// instructions. Only for sets that sum products of four bytes at once (VNNI).
//
// A row of inputs is unsigned bytes around 128 times the row's step, a column of a matrix signed
// bytes times the column's step (network/int8_matrix.h).
#pragma once

#include "simd/epilogue.h"
#include "simd/products.h"

#if SPARRING_VNNI

namespace sparring {
namespace {

// The sums of a product are whole numbers in the bits of its Vectors.
struct Int8Number {
  using Element = std::uint8_t;
  static constexpr int kDepth = 4;
  static constexpr int kAhead = 0;
  static constexpr bool kTiled = false;
#if SPARRING_LANES == 16
  using Operand = __m512i;
  static Operand spread(const Element* from) { return _mm512_set1_epi32(four(from)); }
  static Operand column(const Element* from) { return _mm512_loadu_si512(from); }
  static Vector add(Vector sum, Operand a, Operand b) {
    return (Vector)_mm512_dpbusd_epi32((__m512i)sum, a, b);
  }
#else
  using Operand = __m256i;
  static Operand spread(const Element* from) { return _mm256_set1_epi32(four(from)); }
  static Operand column(const Element* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  }
  static Vector add(Vector sum, Operand a, Operand b) {
    return (Vector)_mm256_dpbusd_avx_epi32((__m256i)sum, a, b);
  }
#endif
  static std::int32_t four(const Element* from) {
    std::int32_t bits;
    __builtin_memcpy(&bits, from, sizeof bits);
    return bits;
  }
};

// The bytes of whole numbers 0..255 of a vector.
inline void keep_bytes(std::uint8_t* to, Integers v) {
#if SPARRING_LANES == 16
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_cvtepi32_epi8((__m512i)v));
#else
  const __m256i pairs = _mm256_packus_epi32((__m256i)v, (__m256i)v);
  const __m256i bytes = _mm256_packus_epi16(pairs, pairs);
  const std::int32_t halves[2] = {_mm256_extract_epi32(bytes, 0), _mm256_extract_epi32(bytes, 4)};
  __builtin_memcpy(to, halves, sizeof halves);
#endif
}

// See Int8Kernels::round_rows.
void round_rows_to_bytes(const float* in, int rows, int channels, const float* scales,
                         std::uint8_t* out, float* steps) {
  for (int row = 0; row < rows; ++row, in += channels, out += channels) {
    Vector largest = {};
    for (int channel = 0; channel < channels; channel += kLanes) {
      const Vector v = load(in + channel) * load(scales + channel);
      largest = larger(largest, larger(v, -v));
    }
    const float most = maximum_of(largest)[0];
    steps[row] = most / kMostByte;
    const Vector factor = all(most > 0 ? kMostByte / most : 0.0f);
    for (int channel = 0; channel < channels; channel += kLanes) {
      const Vector v = load(in + channel) * load(scales + channel) * factor;
      // The lowest bits of the sum hold the number, rounded and 128 above it.
      keep_bytes(out + channel, (Integers)(v + (kRounding + kMiddleByte)) & 0xff);
    }
  }
}

// The sums of a vector of columns as numbers, for a row of step 1.
inline Vector numbers_of(const float* sums, const Int8Columns& columns, int column) {
  const auto offset = (Integers)load(reinterpret_cast<const float*>(columns.offsets + column));
  return __builtin_convertvector((Integers)load(sums) - offset, Vector) *
         load(columns.steps + column);
}

// See Int8Kernels::linear.
void linear_of_bytes(const std::uint8_t* in, const float* steps, int first, int rows, int depth,
                     const Int8Columns& columns, int area, int channels,
                     const EpilogueArrays& epilogue, float* out) {
  with_activation(epilogue.activation, [&]<Activation kind>() {
    product<Int8Number, kPanelVectors>(
        in, rows, depth, columns.weights, depth, channels,
        [&]<int vectors>(const float* sums, int from, int count, int column) {
          for (int at = from; at < from + count; ++at)
            for (int v = 0; v < vectors; ++v, sums += kLanes) {
              const int channel = column + v * kLanes, row = first + at;
              apply_epilogue<kind>(numbers_of(sums, columns, channel) * steps[at], epilogue,
                                   row / area, std::size_t(row) * channels + channel, channel,
                                   channels, out);
            }
        });
  });
}

// See Int8Kernels::gate.
void gate_of_bytes(const std::uint8_t* in, const float* steps, int rows, int depth,
                   const Int8Columns& columns, int outputs, float* out) {
  product<Int8Number, 2>(in, rows, depth, columns.weights, depth, 2 * outputs,
                         [&]<int vectors>(const float* sums, int first, int count, int column) {
                           if constexpr (vectors == 2)
                             for (int row = first; row < first + count; ++row, sums += 2 * kLanes) {
                               const Vector one = numbers_of(sums, columns, column) * steps[row];
                               const Vector other =
                                   numbers_of(sums + kLanes, columns, column + kLanes) * steps[row];
                               store(out + std::size_t(row) * outputs + column / 2,
                                     activate<Activation::kSilu>(one) * other);
                             }
                         });
}

constexpr Int8Kernels kInt8 = {.chunk = kChunkRows<Int8Number>,
                               .round_rows = round_rows_to_bytes,
                               .linear = linear_of_bytes,
                               .gate = gate_of_bytes,
                               .peak = peak<Int8Number>};

}  // namespace
}  // namespace sparring

#endif
