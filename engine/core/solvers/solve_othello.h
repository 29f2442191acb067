// Exact scores of Othello positions with few empty squares, on any size of board. It handles
// threads, memory and best lines; the search itself is in simd/othello_exact.h.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "othello/othello.h"
#include "simd/othello_exact.h"
#include "solvers/solution.h"
#include "solvers/solve_budget.h"

namespace sparring {

// Scores are disc differences of the side to move at the end, empty squares to the winner. Results
// of one call help the next; the same calls since clear() give the same results. One call works at
// a time, on the caller's thread; others wait for it.
class OthelloSolver {
 public:
  // Takes at most `megabytes` (1 at the least). `set` names the instruction set; empty: the best of
  // this process. Throws std::invalid_argument if it is absent.
  explicit OthelloSolver(int megabytes, const char* set = "");

  // Blocks until solved or a limit is reached.
  Solution solve(const OthelloPosition& position, const SolveLimits& limits,
                 const SolveWindow& window);
  // The exact score alone, quicker without best play.
  int score(const OthelloPosition& position);
  // Every legal move with its exact score, by number; moves beyond a limit are missing.
  std::vector<SolvedMove> solve_moves(const OthelloPosition& position, const SolveLimits& limits);
  // All best moves, without limit: quicker than solve_moves, which needs the others' scores.
  BestMoves best_moves(const OthelloPosition& position);

  // Ends the running call soon. Never blocks; without a running call it does nothing.
  void stop() { budget_.stop(); }
  // Clears the table.
  void clear();

  const char* set() const { return search_->name; }

 private:
  struct Found {
    int score = 0;
    int move = -1;
  };
  struct FreeMemory {
    void operator()(void* memory) const;
  };

  void begin(int size, const SolveLimits& limits);
  Found search(const OthelloPosition& position, int alpha, int beta);
  // Appends best play from here on, by the known score.
  void follow(OthelloPosition position, int score, std::vector<int>& line);
  void wipe();

  const OthelloExact* search_;
  std::unique_ptr<void, FreeMemory> memory_;
  OthelloExactState state_;
  int size_ = 0;  // of the table's boards
  std::mutex working_;
  SolveBudget budget_;
};

}  // namespace sparring
