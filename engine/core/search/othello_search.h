// Search traits of Othello, beyond the Game concept.
#pragma once

#include "othello/othello.h"
#include "search/search_traits.h"
#include "search/tree.h"
#include "solvers/solve_othello.h"

namespace sparring {

template <>
struct SearchTraits<OthelloPosition> : PlainTraits<OthelloPosition> {
  // Late positions by the solver; no others.
  struct ScoreBounder {
    OthelloSolver solver;
    explicit ScoreBounder(int megabytes = 1) : solver(megabytes) {}
    ScoreBounds bound(const OthelloPosition& game, int most_empty) {
      const int empty = game.width() * game.height() - game.discs(0) - game.discs(1);
      if (empty > most_empty) return {-127, 127};
      const int score = solver.score(game);
      return {score, score};
    }
  };
  static constexpr int kSolveEmpties = 10;  // 0.2 ms, median of random positions
};

extern template class Tree<OthelloPosition>;

}  // namespace sparring
