// Tiles of boards to Winograd's products and back. For the files compiled once for each set of
// instructions.
#pragma once

#include "simd/epilogue.h"
#include "simd/lanes.h"
#include "simd/winograd_lines.h"

namespace sparring {
namespace {

// One tile: its corner, and its sides.
struct Place {
  int board, y, x, height, width;
};

inline Place place_of(int tile, const Cutting& cutting, int boards) {
  constexpr bool kKinds[][2] = {{false, true}, {true, true}, {true, false}, {false, false}};
  const Cut &down = cutting.down, &across = cutting.across;
  for (const auto [is_tall, is_wide] : kKinds) {
    const int rows = is_tall ? down.large : down.tiles - down.large;
    const int columns = is_wide ? across.large : across.tiles - across.large;
    const int all = boards * rows * columns;
    if (tile >= all) {
      tile -= all;
      continue;
    }
    const int board = tile / (rows * columns), rest = tile % (rows * columns);
    return {board, down.start(rest / columns + (is_tall ? 0 : down.large)),
            across.start(rest % columns + (is_wide ? 0 : across.large)), down.side + is_tall,
            across.side + is_wide};
  }
  return {};
}

// Calls work.template operator()<height, width>() for the sides of a tile.
template <typename Points, typename Work>
inline void with_sides(const Place& place, const Work& work) {
  const auto with_height = [&]<int height>() {
    if (place.width == 3) return work.template operator()<height, 3>();
    if (place.width == 4) return work.template operator()<height, 4>();
    if constexpr (Points::kMostSide == 5) return work.template operator()<height, 5>();
  };
  if (place.height == 3) return with_height.template operator()<3>();
  if (place.height == 4) return with_height.template operator()<4>();
  if constexpr (Points::kMostSide == 5) return with_height.template operator()<5>();
}

// The place of a tile's own product among those of all tiles.
template <int side>
constexpr int place_among(int product, int span) {
  return product <= side ? product : span - 1;
}

template <int height, int width, typename Number>
inline void tile_in(const float* board, BoardSize size, const Place& place, int across_span,
                    int channels, std::size_t step, typename Number::Element* out, int down_span) {
  using Points = PointsOf<typename Number::Element>;
  const float* points[(height + 2) * (width + 2)];
  for (int i = 0; i < height + 2; ++i)
    for (int j = 0; j < width + 2; ++j) {
      const int y = place.y + i - 1, x = place.x + j - 1;
      const bool is_inside = y >= 0 && y < size.height && x >= 0 && x < size.width;
      points[i * (width + 2) + j] =
          is_inside ? board + std::size_t(y * size.width + x) * channels : nullptr;
    }
  for (int channel = 0; channel < channels; channel += kLanes)
    transform<Transforms<height, Points>::kIn, Transforms<width, Points>::kIn>(
        [&](int i, int j) {
          const float* point = points[i * (width + 2) + j];
          return point ? load(point + channel) : Vector{};
        },
        [&](int i, int j, Vector v) {
          const int product =
              place_among<height>(i, down_span) * across_span + place_among<width>(j, across_span);
          Number::keep(out + product * step + channel, v);
        });
}

// See NumberKernels::winograd_input.
template <typename Number>
void winograd_input(const float* in, BoardSize size, const Cutting& cutting, int boards, int first,
                    int count, int channels, typename Number::Element* out) {
  for (int tile = 0; tile < count; ++tile) {
    const Place place = place_of(first + tile, cutting, boards);
    with_sides<PointsOf<typename Number::Element>>(place, [&]<int height, int width>() {
      tile_in<height, width, Number>(in + std::size_t(place.board) * size.area() * channels, size,
                                     place, cutting.across.span(), channels,
                                     product_step(count, channels),
                                     out + std::size_t(tile) * channels, cutting.down.span());
    });
  }
}

// A tile's outputs [height][width] from its products.
template <int height, int width, typename Points>
__attribute__((noinline)) void tile_out(const float* products, const Cutting& cutting,
                                        std::size_t step, Vector* out) {
  const int down_span = cutting.down.span(), across_span = cutting.across.span();
  transform<Transforms<height, Points>::kOut, Transforms<width, Points>::kOut>(
      [&](int i, int j) {
        const int product =
            place_among<height>(i, down_span) * across_span + place_among<width>(j, across_span);
        return load(products + product * step);
      },
      [&](int i, int j, Vector v) { out[i * width + j] = v; });
}

template <typename Points>
void tiles_out(const float* in, BoardSize size, const Cutting& cutting, int boards, int first,
               int count, int channels, const EpilogueArrays& epilogue, float* out) {
  const std::size_t step = product_step(count, channels);
  with_activation(epilogue.activation, [&]<Activation kind>() {
    for (int tile = 0; tile < count; ++tile) {
      const Place place = place_of(first + tile, cutting, boards);
      const int height =
          place.y + place.height < size.height ? place.height : size.height - place.y;
      const int width = place.x + place.width < size.width ? place.width : size.width - place.x;
      const std::size_t corner =
          std::size_t(place.board) * size.area() + place.y * size.width + place.x;
      for (int channel = 0; channel < channels; channel += kLanes) {
        const float* products = in + std::size_t(tile) * channels + channel;
        Vector sums[Points::kMostSide * Points::kMostSide];
        with_sides<Points>(place, [&]<int tall, int wide>() {
          tile_out<tall, wide, Points>(products, cutting, step, sums);
        });
        for (int i = 0; i < height; ++i)
          for (int j = 0; j < width; ++j)
            apply_epilogue<kind>(sums[i * place.width + j], epilogue, place.board,
                                 (corner + i * size.width + j) * channels + channel, channel,
                                 channels, out);
      }
    }
  });
}

// See Kernels::winograd_output.
void winograd_output(const float* in, BoardSize size, const Cutting& cutting, int boards, int first,
                     int count, int channels, const EpilogueArrays& epilogue, float* out) {
  const auto tiles = cutting.bf16 ? tiles_out<Bf16Points> : tiles_out<Fp32Points>;
  tiles(in, size, cutting, boards, first, count, channels, epilogue, out);
}

}  // namespace
}  // namespace sparring
