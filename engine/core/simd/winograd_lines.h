// Winograd's transforms of vectors, with sums laid out at compile time. Include a file with Vector
// before it.
#pragma once

#include "simd/winograd.h"

namespace sparring {
namespace {

template <int rows_, int columns_>
struct Matrix {
  static constexpr int rows = rows_, columns = columns_;
  double values[rows][columns];

  constexpr explicit Matrix(const double (&from)[rows][columns]) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) values[i][j] = from[i][j];
  }
  // The transpose.
  constexpr explicit Matrix(const double (&from)[columns][rows], bool) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) values[i][j] = from[j][i];
  }
  // Tests whether the next row is this one with every second number's sign turned.
  constexpr bool mirrored(int row) const {
    if (row + 1 >= rows) return false;
    bool differs = false;
    for (int j = 0; j < columns; ++j) {
      if (values[row][j] != (j % 2 ? -1 : 1) * values[row + 1][j]) return false;
      differs = differs || (j % 2 && values[row][j] != 0);
    }
    return differs;
  }
  // The scaling number of a row: the last one of columns first, first + step, ...
  constexpr double last(int row, int first, int step) const {
    double found = 1;
    for (int j = first; j < columns; j += step)
      if (values[row][j] != 0) found = values[row][j];
    return found;
  }
  // The first column of a sum: one with a number equal to the sum's unit, if any.
  constexpr int start(int row, int first, int step, double unit) const {
    for (int j = first; j < columns; j += step)
      if (values[row][j] == unit) return j;
    for (int j = first; j < columns; j += step)
      if (values[row][j] != 0) return j;
    return -1;
  }
};

template <int side, typename Points>
struct Transforms {
  static constexpr int kSpan = side + 2;
  static constexpr Winograd<side, Points> kAll{};
  static constexpr Matrix<kSpan, kSpan> kIn{kAll.in};
  static constexpr Matrix<side, kSpan> kOut{kAll.out};
  static constexpr Matrix<kSpan, side> kOutBack{kAll.out, true};
  static constexpr Matrix<kSpan, 3> kWeights{kAll.weights};
  static constexpr Matrix<3, kSpan> kWeightsBack{kAll.weights, true};
};

template <const auto& matrix, int row, int first, int step, bool scaled, int at>
inline Vector add_rest(const Vector* in, Vector sum) {
  if constexpr (at >= matrix.columns) {
    return sum;
  } else {
    constexpr double unit = scaled ? matrix.last(row, first, step) : 1;
    constexpr float factor = float(matrix.values[row][at] / unit);
    if constexpr (factor != 0 && at != matrix.start(row, first, step, unit)) {
      if constexpr (factor == 1)
        sum += in[at];
      else
        sum += factor * in[at];
    }
    return add_rest<matrix, row, first, step, scaled, at + step>(in, sum);
  }
}

// The sum of a row's numbers times `in` over columns first, first + step, ..., divided by the last
// of them if scaled.
template <const auto& matrix, int row, int first, int step, bool scaled>
inline Vector row_sum(const Vector* in) {
  constexpr double unit = scaled ? matrix.last(row, first, step) : 1;
  constexpr int start = matrix.start(row, first, step, unit);
  if constexpr (start < 0) {
    return Vector{};
  } else {
    constexpr float factor = float(matrix.values[row][start] / unit);
    const Vector begun = factor == 1 ? in[start] : factor * in[start];
    return add_rest<matrix, row, first, step, scaled, first>(in, begun);
  }
}

// matrix * in; rows that mirror each other share their halves.
template <const auto& matrix, int row = 0>
inline void multiply_line(const Vector* in, Vector* out) {
  if constexpr (row < matrix.rows) {
    if constexpr (matrix.mirrored(row)) {
      constexpr float unit = float(matrix.last(row, 1, 2));
      const Vector even = row_sum<matrix, row, 0, 2, false>(in);
      const Vector odd = row_sum<matrix, row, 1, 2, true>(in);
      out[row] = even + unit * odd;
      out[row + 1] = even - unit * odd;
      multiply_line<matrix, row + 2>(in, out);
    } else {
      out[row] = row_sum<matrix, row, 0, 1, false>(in);
      multiply_line<matrix, row + 1>(in, out);
    }
  }
}

// down * in * across^T of in(row, column); gives put(row, column, value).
template <const auto& down, const auto& across, typename In, typename Put>
inline void transform(const In& in, const Put& put) {
  constexpr int to = down.rows, from = across.columns;
  Vector half[to * from];
#pragma GCC unroll 7
  for (int j = 0; j < from; ++j) {
    Vector column[down.columns], made[to];
#pragma GCC unroll 7
    for (int i = 0; i < down.columns; ++i) column[i] = in(i, j);
    multiply_line<down>(column, made);
#pragma GCC unroll 7
    for (int i = 0; i < to; ++i) half[i * from + j] = made[i];
  }
#pragma GCC unroll 7
  for (int i = 0; i < to; ++i) {
    Vector made[across.rows];
    multiply_line<across>(half + i * from, made);
#pragma GCC unroll 7
    for (int j = 0; j < across.rows; ++j) put(i, j, made[j]);
  }
}

template <const auto& matrix, typename In, typename Put>
inline void transform(const In& in, const Put& put) {
  transform<matrix, matrix>(in, put);
}

}  // namespace
}  // namespace sparring
