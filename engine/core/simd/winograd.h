// The transforms of Winograd's minimal filtering F(side x side, 3 x 3), by Cook and Toom's
// construction from interpolation points (the last one is infinity). Points near 1 and of few bits
// keep the sums small: the rounding error is half of that with 0, 1, -1, 2, -2. A tile of side m
// has the first m + 1 of a type's points, so that tiles of all sides share transformed weights.
#pragma once

#include <type_traits>

namespace sparring {

// A tile of side 5 is four times as rough as one of side 4 with the best points for it.
struct Fp32Points {
  static constexpr int kMostSide = 5;
  static constexpr double kFinite[] = {0, 0.875, -0.875, 1.75, -1.75, 0.375};
};

// In bfloat16 side 5 is too rough. These points are a compromise between sides 3 and 4, by the
// errors of two networks' outputs.
struct Bf16Points {
  static constexpr int kMostSide = 4;
  static constexpr double kFinite[] = {0, 0.75, -0.75, -1.75, 1.75};
};

// The points for products of these numbers, float32 or bfloat16.
template <typename Element>
using PointsOf = std::conditional_t<std::is_same_v<Element, float>, Fp32Points, Bf16Points>;

template <int side, typename Points>
struct Winograd {
  static constexpr int kSpan = side + 2;  // inputs of a tile, and products, per dimension
  double in[kSpan][kSpan] = {};           // of a tile's inputs
  double weights[kSpan][3] = {};          // of a convolution's weights
  double out[side][kSpan] = {};           // of the products, to a tile's outputs

  constexpr Winograd() {
    constexpr const double* points = Points::kFinite;
    constexpr int kFinite = kSpan - 1;
    for (int k = 0; k <= kFinite; ++k) {
      // in: the polynomial with the other points as its roots; k == kFinite is infinity
      in[k][0] = 1;
      double scale = 1;
      int degree = 0;
      for (int j = 0; j < kFinite; ++j) {
        if (j == k) continue;
        ++degree;
        for (int i = degree; i >= 0; --i)
          in[k][i] = (i > 0 ? in[k][i - 1] : 0) - points[j] * (i < degree ? in[k][i] : 0);
        if (k < kFinite) scale *= points[k] - points[j];
      }
      for (double& number : in[k]) number /= scale;
      double power = 1;
      for (int i = 0; i < 3 || i < side; ++i) {
        const bool infinite = k == kFinite;
        if (i < 3) weights[k][i] = infinite ? i == 2 : power;
        if (i < side) out[i][k] = infinite ? i == side - 1 : power;
        power *= infinite ? 0 : points[k];
      }
    }
  }
};

}  // namespace sparring
