// Solves any position of Connect4 to its exact score.
#pragma once

#include <memory>
#include <vector>

#include "connect4/connect4.h"
#include "solvers/connect4_table.h"
#include "solvers/solution.h"
#include "solvers/solve_budget.h"

namespace sparring {

// One thread at a time, but for stop(). What one call learned serves the next ones.
class Connect4Solver {
 public:
  // Remembers positions in up to `megabytes`, at least 1.
  explicit Connect4Solver(int megabytes) : table_(megabytes) {}

  // Blocks until solved or a limit is reached. Scores as Connect4Position::black_score(), but of
  // the side to move.
  Solution solve(const Connect4Position& position, const SolveLimits& limits,
                 const SolveWindow& window);
  // Each legal move with its score, from the left; fewer where a limit is reached.
  std::vector<SolvedMove> solve_moves(const Connect4Position& position, const SolveLimits& limits);
  // The best ones, without limit: quicker, as the others' scores are not asked for.
  BestMoves best_moves(const Connect4Position& position);

  // Bounds on the score of an unfinished game for the side to move: by a glance, and exact with up
  // to `most_empty` empty cells.
  ScoreBounds bounds(const Connect4Position& position, int most_empty);

  // Ends a call that is under way soon. Safe from any thread.
  void stop() { budget_.stop(); }
  // Forgets all positions.
  void clear() { table_.clear(); }

 private:
  void fit_table(const Connect4Board& board);

  Connect4Table table_;
  SolveBudget budget_;
  int width_ = 0, height_ = 0;  // of the board that the table knows
};

}  // namespace sparring
