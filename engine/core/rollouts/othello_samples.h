// Othello games that an evaluation plays against itself, to learn from: each position with the
// score that the game came to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "othello/othello_linear.h"

namespace sparring {

struct OthelloSample {
  std::uint64_t own, other;  // bits as in othello_board.h
  int score;                 // discs of the side to move at the end, empty ones to the winner
};

struct SampleSettings {
  int games = 1;
  std::uint64_t seed = 1;
  int depth = 3;          // plies that a move is searched to
  int exact_empties = 9;  // from so many on every move is the best one
  double whims = 0.15;    // share of random moves in the part that is not learned from
};

// Plays games. Each begins with a part of random length played with whims; only what follows is
// told. Without an evaluation, moves count for much and corners for more.
template <int N>
std::vector<OthelloSample> play_samples(const OthelloLinear<N>* evaluation,
                                        const SampleSettings& settings);

// Lessons as a sparse matrix of ones: `pieces` [rows, in_row] names the columns of each row.
struct PieceMatrix {
  const std::uint32_t* pieces;
  std::size_t rows, in_row;

  // The matrix times `weights`, added to `out` [rows].
  void add_times(const double* weights, double* out) const;
  // The transposed matrix times `values` [rows], added to `out`.
  void add_gathered(const double* values, double* out) const;
};

}  // namespace sparring
