// Search traits of Connect4, beyond the Game concept.
#pragma once

#include "connect4/connect4.h"
#include "search/search_traits.h"
#include "search/tree.h"
#include "solvers/solve_connect4.h"

namespace sparring {

template <>
struct SearchTraits<Connect4Position> : PlainTraits<Connect4Position> {
  // Immediate wins and losses at any time, all in late positions.
  struct ScoreBounder {
    Connect4Solver solver;
    explicit ScoreBounder(int megabytes = 1) : solver(megabytes) {}
    ScoreBounds bound(const Connect4Position& game, int most_empty) {
      return solver.bounds(game, most_empty);
    }
  };
  static constexpr int kSolveEmpties = 18;  // under 0.1 ms on average

  static int symmetric_cell(const Connect4Position& game, int cell, int symmetry) {
    const int column = cell % game.width();
    return cell - column + symmetric_move(game, column, symmetry);
  }
  static int symmetric_move(const Connect4Position& game, int move, int symmetry) {
    return symmetry == 0 ? move : game.width() - 1 - move;
  }
};

extern template class Tree<Connect4Position>;

}  // namespace sparring
