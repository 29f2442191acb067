// Compiled once for each set of instructions; SPARRING_KERNELS names the table, SPARRING_SET the
// set, SPARRING_LANES the floats in a vector. Do not call the standard library here: the linker
// would keep one copy of a function, perhaps with instructions that a processor lacks.
#include "simd/kernels.h"

#include "simd/attention.h"
#include "simd/epilogue.h"
#include "simd/integers.h"
#include "simd/products.h"
#include "simd/winograd_tiles.h"

namespace sparring {
namespace {

// ---- points ----

void epilogue_rows(const float* sums, int first, int count, int area, int channels,
                   const EpilogueArrays& epilogue, float* out) {
  with_activation(epilogue.activation, [&]<Activation kind>() {
    for (int row = 0; row < count; ++row) {
      const int board = (first + row) / area;
      for (int channel = 0; channel < channels; channel += kLanes)
        apply_epilogue<kind>(load(sums + std::size_t(row) * channels + channel), epilogue, board,
                             std::size_t(first + row) * channels + channel, channel, channels, out);
    }
  });
}

template <typename Number>
void linear(const typename Number::Element* in, int first, int rows, int in_stride,
            const typename Number::Element* weights, int depth, int area, int channels,
            const EpilogueArrays& epilogue, float* out) {
  with_activation(epilogue.activation, [&]<Activation kind>() {
    product<Number, kPanelVectors>(
        in, rows, in_stride, weights, depth, channels,
        [&]<int vectors>(const float* sums, int from, int count, int column) {
          for (int row = first + from; row < first + from + count; ++row)
            for (int v = 0; v < vectors; ++v, sums += kLanes) {
              const int channel = column + v * kLanes;
              apply_epilogue<kind>(load(sums), epilogue, row / area,
                                   std::size_t(row) * channels + channel, channel, channels, out);
            }
        });
  });
}

// Sums the weights of one point's active taps for `vectors` vectors of channels at once.
template <int vectors>
inline void sum_taps(const float* const* taps, int count, const float* bias, const float* under,
                     float* out) {
  Vector sums[vectors];
#pragma GCC unroll 8
  for (int v = 0; v < vectors; ++v) sums[v] = load(bias + v * kLanes);
  if (under)
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) sums[v] += load(under + v * kLanes);
  for (int tap = 0; tap < count; ++tap)
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) sums[v] += load(taps[tap] + v * kLanes);
#pragma GCC unroll 8
  for (int v = 0; v < vectors; ++v) store(out + v * kLanes, sums[v]);
}

void scatter(const std::uint8_t* planes, int plane_count, BoardSize size, const float* weights,
             int kernel_height, int kernel_width, int channels, const float* bias,
             const float* under, float* out) {
  constexpr int kMostTaps = 2048;
  const float* taps[kMostTaps];
  std::uint8_t active[19 * 19][kMostPlanes];
  std::uint8_t active_count[19 * 19] = {};
  const int area = size.area();
  for (int plane = 0; plane < plane_count; ++plane)
    for (int point = 0; point < area; ++point)
      if (planes[plane * area + point]) active[point][active_count[point]++] = plane;
  const std::size_t plane_step = std::size_t(kernel_height) * kernel_width * channels;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      int count = 0;
      for (int ky = 0; ky < kernel_height; ++ky) {
        const int from_y = y + ky - kernel_height / 2;
        if (from_y < 0 || from_y >= size.height) continue;
        for (int kx = 0; kx < kernel_width; ++kx) {
          const int from_x = x + kx - kernel_width / 2;
          if (from_x < 0 || from_x >= size.width) continue;
          const int point = from_y * size.width + from_x;
          const float* tap = weights + std::size_t(ky * kernel_width + kx) * channels;
          for (int i = 0; i < active_count[point] && count < kMostTaps; ++i)
            taps[count++] = tap + active[point][i] * plane_step;
        }
      }
      const std::size_t start = std::size_t(y * size.width + x) * channels;
      const float* floor = under ? under + start : nullptr;
      float* to = out + start;
      int channel = 0;
      const auto sum = [&]<int vectors>() {
        for (; channel + vectors * kLanes <= channels; channel += vectors * kLanes) {
          sum_taps<vectors>(taps, count, bias + channel, floor ? floor + channel : nullptr,
                            to + channel);
          for (int tap = 0; tap < count; ++tap) taps[tap] += vectors * kLanes;
        }
      };
      sum.template operator()<6>();
      sum.template operator()<4>();
      sum.template operator()<1>();
    }
}

void pool(const float* board, int area, int channels, float* sum, float* maximum) {
  for (int channel = 0; channel < channels; channel += kLanes) {
    Vector total = load(board + channel), high = total;
    for (int point = 1; point < area; ++point) {
      const Vector v = load(board + std::size_t(point) * channels + channel);
      total += v;
      high = larger(high, v);
    }
    store(sum + channel, total);
    store(maximum + channel, high);
  }
}

template <typename Number>
constexpr NumberKernels<typename Number::Element> kernels_of() {
  return {.chunk = kChunkRows<Number>,
          .fast_depth = kFastDepth<Number>,
          .multiply = multiply<Number>,
          .winograd_input = winograd_input<Number>,
          .round_rows = round_rows<Number>,
          .linear = linear<Number>,
          .gate = gate<Number>,
          .attend = attend<Number>,
          .peak = peak<Number>};
}

#ifdef __AVX512BF16__
constexpr NumberKernels<std::uint16_t> kBf16 = kernels_of<Bf16Number>();
#endif

}  // namespace

extern const Kernels SPARRING_KERNELS;
const Kernels SPARRING_KERNELS = {
    .name = SPARRING_SET,
    .panel = kPanel,
    .gate_panel = kLanes,
    .fp32 = kernels_of<Fp32Number>(),
#ifdef __AVX512BF16__
    .bf16 = &kBf16,
#else
    .bf16 = nullptr,
#endif
#if SPARRING_VNNI
    .int8 = &kInt8,
#else
    .int8 = nullptr,
#endif
#if SPARRING_WORDS
    .int16 = &kInt16,
#else
    .int16 = nullptr,
#endif
    .winograd_output = winograd_output,
    .epilogue_rows = epilogue_rows,
    .scatter = scatter,
    .pool = pool,
    .square_sums = square_sums,
#if SPARRING_TILES
    .release = release_tiles,
#else
    .release = nullptr,
#endif
};

}  // namespace sparring
