// Othello games of an evaluation against itself, as samples: each position with its game's final
// score.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "othello/othello_linear.h"

namespace sparring {

struct OthelloSample {
  std::uint64_t own, other;  // bits as in othello_board.h
  int score;  // discs of the side to move at the end; empty squares count for the winner
};

struct SampleSettings {
  int games = 1;
  std::uint64_t seed = 1;
  int depth = 3;          // plies of a move's search
  int exact_empties = 9;  // with at most so many empty squares every move is the best one
  double whims = 0.15;    // share of random moves in the part without samples
};

// Plays games. Each begins with a part of random length with whims; only the rest gives samples.
// Without an evaluation, mobility counts for much and corners for more.
template <int N>
std::vector<OthelloSample> play_samples(const OthelloLinear<N>* evaluation,
                                        const SampleSettings& settings);

// Samples as a sparse matrix of ones: `pieces` [rows, in_row] names the columns of each row.
struct PieceMatrix {
  const std::uint32_t* pieces;
  std::size_t rows, in_row;

  // Adds the matrix times `weights` to `out` [rows].
  void add_times(const double* weights, double* out) const;
  // Adds the transposed matrix times `values` [rows] to `out`.
  void add_gathered(const double* values, double* out) const;
};

}  // namespace sparring
