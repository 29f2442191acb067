// Solves any position of Connect4 to its exact score.
#pragma once

#include <memory>
#include <vector>

#include "connect4/connect4.h"
#include "solvers/connect4_table.h"
#include "solvers/solution.h"
#include "solvers/solve_budget.h"

namespace sparring {

// One thread at a time, except stop(). The table serves later calls.
class Connect4Solver {
 public:
  // Stores positions in up to `megabytes`, at least 1.
  explicit Connect4Solver(int megabytes) : table_(megabytes) {}

  // Blocks until solved or a limit is reached. Scores as Connect4Position::black_score(), but of
  // the side to move.
  Solution solve(const Connect4Position& position, const SolveLimits& limits,
                 const SolveWindow& window);
  // Each legal move with its score, from the left; fewer at a limit.
  std::vector<SolvedMove> solve_moves(const Connect4Position& position, const SolveLimits& limits);
  // All best moves, without limit: quicker than solve_moves, which needs the others' scores.
  BestMoves best_moves(const Connect4Position& position);

  // Bounds on the score of an unfinished game for the side to move: without a search, and exact
  // with up to `most_empty` empty cells.
  ScoreBounds bounds(const Connect4Position& position, int most_empty);

  // Ends a running call soon. Thread-safe.
  void stop() { budget_.stop(); }
  // Clears the table.
  void clear() { table_.clear(); }

 private:
  void fit_table(const Connect4Board& board);

  Connect4Table table_;
  SolveBudget budget_;
  int width_ = 0, height_ = 0;  // of the table's board
};

}  // namespace sparring
