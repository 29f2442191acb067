// Square values of Othello for the papers' agents. A table holds the upper left quarter of the
// board; the rest mirrors it.
#pragma once

#include <array>

#include "othello/othello_board.h"

namespace sparring {

// Values by square (othello_board.h), 0 off the board.
template <int N>
using SquareValues = std::array<int, N * OthelloBoard<N>::kRow>;

// Fills in a table from value_at(column, row), both counted from the nearest edge.
template <int N, typename ValueAt>
constexpr SquareValues<N> mirrored(ValueAt value_at) {
  SquareValues<N> values{};
  for (int cell = 0; cell < N * N; ++cell) {
    const int x = cell % N, y = cell / N;
    values[OthelloBoard<N>::square_of(cell)] =
        value_at(x < N / 2 ? x : N - 1 - x, y < N / 2 ? y : N - 1 - y);
  }
  return values;
}

// Roxanne's values for 8x8 (Liang 2022, after Canosa).
inline constexpr int kRoxanne[4][4] = {{5, 1, 3, 3}, {1, 1, 2, 2}, {3, 2, 3, 4}, {3, 2, 4, 5}};
constexpr int kRoxanneClasses = 5;  // number of different values

// Other boards are our extension: smaller ones have the corner of the table, larger ones repeat its
// innermost row and column.
template <int N>
constexpr SquareValues<N> roxanne_values() {
  return mirrored<N>([](int x, int y) { return kRoxanne[y < 3 ? y : 3][x < 3 ? x : 3]; });
}

// The squares of each value, the most valuable first.
template <int N>
constexpr std::array<typename OthelloBoard<N>::Bits, kRoxanneClasses> roxanne_classes() {
  std::array<typename OthelloBoard<N>::Bits, kRoxanneClasses> classes{};
  const SquareValues<N> values = roxanne_values<N>();
  for (int cell = 0; cell < N * N; ++cell) {
    const int square = OthelloBoard<N>::square_of(cell);
    classes[kRoxanneClasses - values[square]] |= OthelloBoard<N>::bit(square);
  }
  return classes;
}

// The values of AlphaDDA's Minimax1 (Fujita 2022); the paper has none for other boards.
inline constexpr int kAlphaDda6[3][3] = {{30, -5, 2}, {-5, -15, 3}, {2, 3, 0}};
inline constexpr int kAlphaDda8[4][4] = {
    {120, -20, 20, 5}, {-20, -40, -5, -5}, {20, -5, 15, 3}, {5, -5, 3, 3}};

template <int N>
constexpr SquareValues<N> alphadda_values() {
  static_assert(N == 6 || N == 8);
  return mirrored<N>([](int x, int y) {
    if constexpr (N == 6)
      return kAlphaDda6[y][x];
    else
      return kAlphaDda8[y][x];
  });
}

// The sum of a table's values over a set of squares.
template <int N>
int sum_values(const SquareValues<N>& values, typename OthelloBoard<N>::Bits squares) {
  int sum = 0;
  for (; squares != 0; squares &= squares - 1) sum += values[lowest_bit(squares)];
  return sum;
}

}  // namespace sparring
