// The transforms of Winograd's minimal filtering F(side x side, 3 x 3), by Cook and Toom's
// construction from interpolation points (the last one is infinity). Points near 1 and of few bits
// keep the sums small: the rounding error is half of that with 0, 1, -1, 2, -2.
#pragma once

namespace sparring {

template <int side>
struct WinogradPoints;

template <>
struct WinogradPoints<3> {
  static constexpr double kPoints[] = {0, 0.75, -0.75, -2};
};

template <>
struct WinogradPoints<4> {
  static constexpr double kPoints[] = {0, 0.625, -0.625, 1.5, -1.5};
};

constexpr int kMostSide = 5;

// Tiles of side m have the first m + 1 of these, so that they share transformed weights. In float32
// a tile of side 5 is four times as rough as one of side 4 with the points above.
constexpr double kSharedPoints[kMostSide + 1] = {0, 0.875, -0.875, 1.75, -1.75, 0.375};

// shared: by the shared points, with weights that belong to a point alone.
template <int side, bool shared = false>
struct Winograd {
  static constexpr int kSpan = side + 2;  // inputs of a tile, and products, per dimension
  double in[kSpan][kSpan] = {};           // of a tile's inputs
  double weights[kSpan][3] = {};          // of a convolution's weights
  double out[side][kSpan] = {};           // of the products, to a tile's outputs

  constexpr Winograd() {
    const double* points = kSharedPoints;
    if constexpr (!shared) points = WinogradPoints<side>::kPoints;
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
      if constexpr (shared) {
        for (double& number : in[k]) number /= scale;
        scale = 1;
      }
      double power = 1;
      for (int i = 0; i < 3 || i < side; ++i) {
        const bool infinite = k == kFinite;
        if (i < 3) weights[k][i] = infinite ? i == 2 : power / scale;
        if (i < side) out[i][k] = infinite ? i == side - 1 : power;
        power *= infinite ? 0 : points[k];
      }
    }
  }
};

}  // namespace sparring
