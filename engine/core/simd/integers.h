// Products of integers of 8 and of 16 bits, for the files compiled once for each set of
// instructions.
//
// A row of inputs has integers and a step, their unit; so has a column of a matrix
// (network/integer_matrix.h). A product sums integers of 32 bits.
#pragma once

#include "simd/epilogue.h"
#include "simd/products.h"

#if SPARRING_WORDS

namespace sparring {
namespace {

#if SPARRING_LANES == 16
using IntegerOperand = __m512i;
inline IntegerOperand spread_bits(std::int32_t bits) { return _mm512_set1_epi32(bits); }
inline IntegerOperand load_bits(const void* from) { return _mm512_loadu_si512(from); }
#else
using IntegerOperand = __m256i;
inline IntegerOperand spread_bits(std::int32_t bits) { return _mm256_set1_epi32(bits); }
inline IntegerOperand load_bits(const void* from) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}
#endif

// The common part of bytes and words. The sums of a product are in the bits of its Vectors.
template <typename Integer>
struct IntegerNumber {
  using Element = Integer;
  using Operand = IntegerOperand;
  static constexpr int kDepth = sizeof(std::int32_t) / sizeof(Element);
  static constexpr int kAhead = 0;
  static constexpr bool kTiled = false;
  static Operand spread(const Element* from) {
    std::int32_t bits;
    __builtin_memcpy(&bits, from, sizeof bits);
    return spread_bits(bits);
  }
  static Operand column(const Element* from) { return load_bits(from); }
};

// Words around 0.
struct Int16Number : IntegerNumber<std::int16_t> {
  static constexpr int kMiddle = 0;
  static Vector add(Vector sum, Operand a, Operand b) {
#if SPARRING_LANES == 16
    return (Vector)_mm512_dpwssd_epi32((__m512i)sum, a, b);
#elif SPARRING_VNNI
    return (Vector)_mm256_dpwssd_avx_epi32((__m256i)sum, a, b);
#else
    return (Vector)((Integers)sum + (Integers)_mm256_madd_epi16(a, b));
#endif
  }
  static void keep(Element* to, Integers v) {
#if SPARRING_LANES == 16
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtepi32_epi16((__m512i)v));
#else
    const __m256i pairs = _mm256_packs_epi32((__m256i)v, (__m256i)v);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                     _mm256_castsi256_si128(_mm256_permute4x64_epi64(pairs, 0b1000)));
#endif
  }
};

#if SPARRING_VNNI
// Unsigned bytes around 128 in the rows, signed bytes in the columns.
struct Int8Number : IntegerNumber<std::uint8_t> {
  static constexpr int kMiddle = kMiddleByte;
  static Vector add(Vector sum, Operand a, Operand b) {
#if SPARRING_LANES == 16
    return (Vector)_mm512_dpbusd_epi32((__m512i)sum, a, b);
#else
    return (Vector)_mm256_dpbusd_avx_epi32((__m256i)sum, a, b);
#endif
  }
  static void keep(Element* to, Integers v) {
#if SPARRING_LANES == 16
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_cvtepi32_epi8((__m512i)v));
#else
    const __m256i pairs = _mm256_packus_epi32((__m256i)v, (__m256i)v);
    const __m256i bytes = _mm256_packus_epi16(pairs, pairs);
    const std::int32_t halves[2] = {_mm256_extract_epi32(bytes, 0), _mm256_extract_epi32(bytes, 4)};
    __builtin_memcpy(to, halves, sizeof halves);
#endif
  }
};
#endif

// See IntegerKernels::round_rows.
template <typename Number>
void round_to_integers(const float* in, int rows, int channels, const float* scales, float most,
                       typename Number::Element* out, float* steps) {
  const Integers start = (Integers)all(kRounding - Number::kMiddle);
  for (int row = 0; row < rows; ++row, in += channels, out += channels) {
    Vector high = {};
    for (int channel = 0; channel < channels; channel += kLanes) {
      const Vector v = load(in + channel) * load(scales + channel);
      high = larger(high, larger(v, -v));
    }
    const float height = maximum_of(high)[0];
    steps[row] = height / most;
    const Vector factor = all(height > 0 ? most / height : 0.0f);
    for (int channel = 0; channel < channels; channel += kLanes) {
      const Vector v = load(in + channel) * load(scales + channel) * factor;
      Number::keep(out + channel, (Integers)(v + kRounding) - start);
    }
  }
}

// The sums of a vector of columns as numbers, for a row of step 1.
template <typename Number>
inline Vector numbers_of(const float* sums, const IntegerColumns<typename Number::Element>& columns,
                         int column) {
  auto whole = (Integers)load(sums);
  if constexpr (Number::kMiddle != 0)
    whole -= (Integers)load(reinterpret_cast<const float*>(columns.offsets + column));
  return __builtin_convertvector(whole, Vector) * load(columns.steps + column);
}

// See IntegerKernels::linear.
template <typename Number>
void linear_of_integers(const typename Number::Element* in, const float* steps, int first, int rows,
                        int depth, const IntegerColumns<typename Number::Element>& columns,
                        int area, int channels, const EpilogueArrays& epilogue, float* out) {
  with_activation(epilogue.activation, [&]<Activation kind>() {
    product<Number, kPanelVectors>(
        in, rows, depth, columns.weights, depth, channels,
        [&]<int vectors>(const float* sums, int from, int count, int column) {
          for (int at = from; at < from + count; ++at)
            for (int v = 0; v < vectors; ++v, sums += kLanes) {
              const int channel = column + v * kLanes, row = first + at;
              apply_epilogue<kind>(numbers_of<Number>(sums, columns, channel) * steps[at], epilogue,
                                   row / area, std::size_t(row) * channels + channel, channel,
                                   channels, out);
            }
        });
  });
}

// See IntegerKernels::gate.
template <typename Number>
void gate_of_integers(const typename Number::Element* in, const float* steps, int rows, int depth,
                      const IntegerColumns<typename Number::Element>& columns, int outputs,
                      float* out) {
  product<Number, 2>(
      in, rows, depth, columns.weights, depth, 2 * outputs,
      [&]<int vectors>(const float* sums, int first, int count, int column) {
        if constexpr (vectors == 2)
          for (int row = first; row < first + count; ++row, sums += 2 * kLanes) {
            const Vector one = numbers_of<Number>(sums, columns, column) * steps[row];
            const Vector other =
                numbers_of<Number>(sums + kLanes, columns, column + kLanes) * steps[row];
            store(out + std::size_t(row) * outputs + column / 2,
                  activate<Activation::kSilu>(one) * other);
          }
      });
}

template <typename Number>
constexpr IntegerKernels<typename Number::Element> integer_kernels() {
  return {.chunk = kChunkRows<Number>,
          .round_rows = round_to_integers<Number>,
          .linear = linear_of_integers<Number>,
          .gate = gate_of_integers<Number>,
          .peak = peak<Number>};
}

constexpr IntegerKernels<std::int16_t> kInt16 = integer_kernels<Int16Number>();
#if SPARRING_VNNI
constexpr IntegerKernels<std::uint8_t> kInt8 = integer_kernels<Int8Number>();
#endif

}  // namespace
}  // namespace sparring

#endif
