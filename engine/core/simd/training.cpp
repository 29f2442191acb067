// Compiled once, for AVX-512 with bfloat16. Do not call the standard library here; see kernels.cpp.
#include "simd/training.h"

#include "simd/bf16_lanes.h"
#include "simd/bf16_products.h"
#include "simd/winograd_lines.h"

// Inlines all callees, whatever their size.
#define SPARRING_FLAT __attribute__((flatten))

namespace sparring {
namespace {

struct Place {
  int board, y, x;
};

inline Place place_of(int tile, Tiling tiling) {
  const int board = tile / tiling.per_board(), rest = tile % tiling.per_board();
  return {board, rest / tiling.across * tiling.side, rest % tiling.across * tiling.side};
}

// The points of a square of `span` with the corner (y, x), null off the board.
template <int span>
struct Window {
  const Bf16* points[span * span];

  Window(const Bf16* boards, BoardSize size, int board, int y, int x, int channels) {
    const Bf16* start = boards + std::size_t(board) * size.area() * channels;
    for (int i = 0; i < span; ++i)
      for (int j = 0; j < span; ++j) {
        const bool inside = y + i >= 0 && y + i < size.height && x + j >= 0 && x + j < size.width;
        points[i * span + j] =
            inside ? start + std::ptrdiff_t((y + i) * size.width + x + j) * channels : nullptr;
      }
  }
};

// A tile's transformed inputs, for the even or the odd ones of the channels from `channel`.
template <int side, bool rectified, bool odd, typename Put>
inline void tile_in(const Source& source, const Window<side + 2>& window, int channel,
                    const Put& put) {
  Vector scale = {}, shift = {};
  if constexpr (rectified) {
    scale = part_of<odd>(source.scale + channel);
    shift = part_of<odd>(source.shift + channel);
  }
  const auto seen = [&](int i, int j) {
    const Bf16* point = window.points[i * (side + 2) + j];
    if (!point) return Vector{};
    const Vector x = load<odd>(point + channel);
    if constexpr (!rectified) return x;
    return (Vector)_mm512_max_ps((__m512)(x * scale + shift), _mm512_setzero_ps());
  };
  transform<Transforms<side, Bf16Points>::kIn>(seen, put);
}

template <int side, bool rectified>
SPARRING_FLAT void winograd_input(const Source& source, BoardSize size, Tiling tiling, int first,
                                  int count, int channels, Bf16* out) {
  constexpr int kSpan = side + 2;
  const std::size_t point_step = std::size_t(count) * channels;
  for (int tile = 0; tile < count; ++tile) {
    const Place place = place_of(first + tile, tiling);
    const Window<kSpan> window(source.boards, size, place.board, place.y - 1, place.x - 1,
                               channels);
    for (int channel = 0; channel < channels; channel += kStep) {
      Vector even[kSpan * kSpan];
      tile_in<side, rectified, false>(source, window, channel,
                                      [&](int i, int j, Vector v) { even[i * kSpan + j] = v; });
      Bf16* to = out + std::size_t(tile) * channels + channel;
      tile_in<side, rectified, true>(source, window, channel, [&](int i, int j, Vector v) {
        const int point = i * kSpan + j;
        _mm512_storeu_si512(to + point * point_step, rounded(even[point], v));
      });
    }
  }
}

// Fills pairs of tiles by make<odd>(begin(tile), channel, put).
template <int side, typename Begin, typename Make>
inline void fill_pairs(int count, int channels, Bf16* out, const Begin& begin, const Make& make) {
  constexpr int kSpan = side + 2;
  const int pairs = (count + 1) / 2;
  const std::size_t point_step = std::size_t(pairs) * channels * 2;
  for (int pair = 0; pair < pairs; ++pair) {
    const bool whole = 2 * pair + 1 < count;
    const auto left = begin(2 * pair), right = begin(2 * pair + whole);
    const auto fill = [&]<bool odd>(int channel, Bf16* to) {
      Vector one[kSpan * kSpan];
      make.template operator()<odd>(left, channel,
                                    [&](int i, int j, Vector v) { one[i * kSpan + j] = v; });
      make.template operator()<odd>(right, channel, [&](int i, int j, Vector v) {
        const int point = i * kSpan + j;
        _mm512_storeu_si512(to + point * point_step, interleaved(one[point], whole ? v : Vector{}));
      });
    };
    for (int channel = 0; channel < channels; channel += kStep) {
      Bf16* to = out + (std::size_t(pair) * channels + channel) * 2;
      fill.template operator()<false>(channel, to);
      fill.template operator()<true>(channel, to + 2 * kLanes);
    }
  }
}

template <int side, bool rectified>
SPARRING_FLAT void pairs_in(const Source& source, BoardSize size, Tiling tiling, int first,
                            int count, int channels, Bf16* out) {
  const auto begin = [&](int tile) {
    const Place place = place_of(first + tile, tiling);
    return Window<side + 2>(source.boards, size, place.board, place.y - 1, place.x - 1, channels);
  };
  fill_pairs<side>(count, channels, out, begin,
                   [&]<bool odd>(const auto& window, int channel, const auto& put) {
                     tile_in<side, rectified, odd>(source, window, channel, put);
                   });
}

template <int side>
SPARRING_FLAT void pairs_back(const Bf16* boards, BoardSize size, Tiling tiling, int first,
                              int count, int channels, Bf16* out) {
  const auto begin = [&](int tile) {
    const Place place = place_of(first + tile, tiling);
    return Window<side>(boards, size, place.board, place.y, place.x, channels);
  };
  fill_pairs<side>(count, channels, out, begin,
                   [&]<bool odd>(const auto& window, int channel, const auto& put) {
                     const auto seen = [&](int i, int j) {
                       const Bf16* point = window.points[i * side + j];
                       return point ? load<odd>(point + channel) : Vector{};
                     };
                     transform<Transforms<side, Bf16Points>::kOutBack>(seen, put);
                   });
}

inline Vector widened(__m256i half) {
  return (Vector)_mm512_slli_epi32(_mm512_cvtepu16_epi32(half), 16);
}

// 32 channels of a point's sums, and a tile's moments.
struct Finishing {
  Vector scale[2], shift[2], mean[2], sum[2], product[2];

  Finishing(const Target& target, int channel) {
    for (int half = 0; half < 2; ++half, channel += kLanes) {
      sum[half] = product[half] = Vector{};
      if (!target.gate) continue;
      scale[half] = load(target.scale + channel);
      shift[half] = load(target.shift + channel);
      mean[half] = load(target.mean + channel);
    }
  }

  template <bool gated>
  void finish(Vector (&v)[2], const Target& target, std::size_t at) {
    for (int half = 0; half < 2; ++half) {
      const auto part_at = [&](const Bf16* boards) {
        return widened(
            _mm256_loadu_si256(reinterpret_cast<const __m256i*>(boards + at + half * kLanes)));
      };
      if (target.under) v[half] += part_at(target.under);
      if constexpr (gated) {
        const Vector x = part_at(target.gate);
        v[half] = x * scale[half] + shift[half] > 0.0f ? v[half] : Vector{};
        sum[half] += v[half];
        product[half] += v[half] * (x - mean[half]);
      }
    }
    _mm512_storeu_si512(target.boards + at, rounded(v[0], v[1]));
  }

  void keep(const Target& target, int channel, int channels) const {
    for (int half = 0; half < 2; ++half, channel += kLanes) {
      float *sums = target.moments + channel, *products = sums + channels;
      store(sums, load(sums) + sum[half]);
      store(products, load(products) + product[half]);
    }
  }
};

template <int side, bool gated>
SPARRING_FLAT void winograd_output(const float* in, BoardSize size, Tiling tiling, int first,
                                   int count, int from, int panel, int channels,
                                   const Target& target) {
  constexpr int kSpan = side + 2;
  const std::size_t point_step = std::size_t(count) * panel;
  for (int tile = 0; tile < count; ++tile) {
    const Place place = place_of(first + tile, tiling);
    const std::size_t corner =
        std::size_t(place.board) * size.area() + place.y * size.width + place.x;
    for (int column = 0; column < panel; column += kStep) {
      Vector sums[side * side][2];
      for (int half = 0; half < 2; ++half) {
        const float* products = in + std::size_t(tile) * panel + column + half * kLanes;
        transform<Transforms<side, Bf16Points>::kOut>(
            [&](int i, int j) { return load(products + (i * kSpan + j) * point_step); },
            [&](int i, int j, Vector v) { sums[i * side + j][half] = v; });
      }
      Finishing finishing(target, from + column);
      for (int i = 0; i < side && place.y + i < size.height; ++i)
        for (int j = 0; j < side && place.x + j < size.width; ++j)
          finishing.finish<gated>(sums[i * side + j], target,
                                  (corner + i * size.width + j) * channels + from + column);
      if constexpr (gated) finishing.keep(target, from + column, channels);
    }
  }
}

// The weights of 16 columns at one depth.
inline void load_taps(const float* weights, Taps taps, __m512i columns, Vector* out) {
  for (int tap = 0; tap < 9; ++tap)
    out[taps.turned ? 8 - tap : tap] = (Vector)_mm512_i32gather_ps(columns, weights + tap, 4);
}

inline __m512i strides(std::ptrdiff_t step) {
  const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return _mm512_mullo_epi32(lanes, _mm512_set1_epi32(int(step)));
}

template <int side>
void weights_in(const float* weights, Taps taps, int depth, int columns, Bf16* out) {
  constexpr int kSpan = side + 2;
  const __m512i lanes = strides(taps.column_step);
  const std::size_t point_step = std::size_t(depth) * columns;
  for (int row = 0; row < depth; row += 2)
    for (int column = 0; column < columns; column += kLanes) {
      Vector seen[9], even[kSpan * kSpan];
      const auto tap = [&](int i, int j) { return seen[i * 3 + j]; };
      const float* from = weights + column * taps.column_step;
      Bf16* to = out + std::size_t(row) * columns + column * 2;
      load_taps(from + channel_at(row) * taps.depth_step, taps, lanes, seen);
      transform<Transforms<side, Bf16Points>::kWeights>(
          tap, [&](int i, int j, Vector v) { even[i * kSpan + j] = v; });
      load_taps(from + channel_at(row + 1) * taps.depth_step, taps, lanes, seen);
      transform<Transforms<side, Bf16Points>::kWeights>(tap, [&](int i, int j, Vector v) {
        const int point = i * kSpan + j;
        _mm512_storeu_si512(to + point * point_step, interleaved(even[point], v));
      });
    }
}

template <int side>
void weights_back(const float* sums, int inputs, int outputs, float* gradient) {
  constexpr int kSpan = side + 2;
  const __m512i lanes = strides(std::ptrdiff_t(inputs) * 9 * 2);
  const std::size_t point_step = std::size_t(inputs) * outputs;
  for (int in = 0; in < inputs; ++in)
    for (int out = 0; out < outputs; out += kLanes) {
      const float* from = sums + std::size_t(in) * outputs + out;
      float* to = gradient + (std::ptrdiff_t(channel_at(out)) * inputs + channel_at(in)) * 9;
      transform<Transforms<side, Bf16Points>::kWeightsBack>(
          [&](int i, int j) { return load(from + (i * kSpan + j) * point_step); },
          [&](int i, int j, Vector v) {
            _mm512_i32scatter_ps(to + i * 3 + j, lanes, (__m512)v, 4);
          });
    }
}

// ---- points ----

void measure(const Bf16* points, int count, int channels, const float* around, float* moments) {
  for (int channel = 0; channel < channels; channel += kStep) {
    Vector center[2], sum[2] = {}, square[2] = {};
    for (int half = 0; half < 2; ++half) center[half] = load(around + channel + half * kLanes);
    for (int point = 0; point < count; ++point) {
      const auto* from =
          reinterpret_cast<const __m256i*>(points + std::size_t(point) * channels + channel);
#pragma GCC unroll 2
      for (int half = 0; half < 2; ++half) {
        const Vector x = widened(_mm256_loadu_si256(from + half)) - center[half];
        sum[half] += x;
        square[half] += x * x;
      }
    }
    for (int half = 0; half < 2; ++half) {
      float *sums = moments + channel + half * kLanes, *squares = sums + channels;
      store(sums, load(sums) + sum[half]);
      store(squares, load(squares) + square[half]);
    }
  }
}

void combine(const Bf16* gradient, const Bf16* x, int count, int channels, const float* slope,
             const float* scale, const float* shift, Bf16* out) {
  for (int channel = 0; channel < channels; channel += kStep) {
    const Vector slopes[2] = {part_of<false>(slope + channel), part_of<true>(slope + channel)};
    const Vector scales[2] = {part_of<false>(scale + channel), part_of<true>(scale + channel)};
    const Vector shifts[2] = {part_of<false>(shift + channel), part_of<true>(shift + channel)};
    for (int point = 0; point < count; ++point) {
      const std::size_t at = std::size_t(point) * channels + channel;
      const Vector even =
          load<false>(gradient + at) * slopes[0] + load<false>(x + at) * scales[0] + shifts[0];
      const Vector odd =
          load<true>(gradient + at) * slopes[1] + load<true>(x + at) * scales[1] + shifts[1];
      _mm512_storeu_si512(out + at, interleaved(even, odd));
    }
  }
}

// ---- the side and the kind that are only known now ----

void any_weights_in(const float* weights, Taps taps, int side, int depth, int columns, Bf16* out) {
  side == 3 ? weights_in<3>(weights, taps, depth, columns, out)
            : weights_in<4>(weights, taps, depth, columns, out);
}

void any_winograd_input(const Source& source, BoardSize size, Tiling tiling, int first, int count,
                        int channels, Bf16* out) {
  const auto chosen = tiling.side == 3
                          ? (source.scale ? winograd_input<3, true> : winograd_input<3, false>)
                          : (source.scale ? winograd_input<4, true> : winograd_input<4, false>);
  chosen(source, size, tiling, first, count, channels, out);
}

void any_winograd_output(const float* in, BoardSize size, Tiling tiling, int first, int count,
                         int from, int panel, int channels, const Target& target) {
  const auto chosen = tiling.side == 3
                          ? (target.gate ? winograd_output<3, true> : winograd_output<3, false>)
                          : (target.gate ? winograd_output<4, true> : winograd_output<4, false>);
  chosen(in, size, tiling, first, count, from, panel, channels, target);
}

void any_pairs_in(const Source& source, BoardSize size, Tiling tiling, int first, int count,
                  int channels, Bf16* out) {
  const auto chosen = tiling.side == 3 ? (source.scale ? pairs_in<3, true> : pairs_in<3, false>)
                                       : (source.scale ? pairs_in<4, true> : pairs_in<4, false>);
  chosen(source, size, tiling, first, count, channels, out);
}

void any_pairs_back(const Bf16* boards, BoardSize size, Tiling tiling, int first, int count,
                    int channels, Bf16* out) {
  const auto chosen = tiling.side == 3 ? pairs_back<3> : pairs_back<4>;
  chosen(boards, size, tiling, first, count, channels, out);
}

void any_weights_back(const float* sums, int side, int inputs, int outputs, float* gradient) {
  side == 3 ? weights_back<3>(sums, inputs, outputs, gradient)
            : weights_back<4>(sums, inputs, outputs, gradient);
}

}  // namespace

extern const TrainingKernels kAvx512Bf16TrainingKernels;
const TrainingKernels kAvx512Bf16TrainingKernels = {
    .weights_in = any_weights_in,
    .winograd_input = any_winograd_input,
    .winograd_output = any_winograd_output,
    .multiply = multiply,
    .pairs_in = any_pairs_in,
    .pairs_back = any_pairs_back,
    .multiply_pairs = multiply_pairs,
    .weights_back = any_weights_back,
    .measure = measure,
    .combine = combine,
};

}  // namespace sparring
