// Exact scores of Othello positions with few empty squares, on any size of board. It knows about
// threads, memory and best lines; the search itself is simd/othello_exact.h's.
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

// Scores are disc differences of the side to move at the end, empty squares to the winner. What
// one call finds helps the next; with the same calls since clear() everything comes out the same.
// One call works at a time, on the caller's thread; others wait for it.
class OthelloSolver {
 public:
  // Keeps no more than so many megabytes (1 at the least). `set` names the instructions to use;
  // empty for the best of this process. Throws std::invalid_argument where they are absent.
  explicit OthelloSolver(int megabytes, const char* set = "");

  // Blocks until the score is known or a limit is reached.
  Solution solve(const OthelloPosition& position, const SolveLimits& limits,
                 const SolveWindow& window);
  // The exact score alone, quicker for want of best play.
  int score(const OthelloPosition& position);
  // Every legal move with its exact score, by number. Moves that a limit left no time for are
  // missing.
  std::vector<SolvedMove> solve_moves(const OthelloPosition& position, const SolveLimits& limits);
  // The best ones, without limit: quicker, as the others' scores are not asked for.
  BestMoves best_moves(const OthelloPosition& position);

  // Ends the call under way soon. Never blocks; does nothing where none is.
  void stop() { budget_.stop(); }
  // Forgets everything.
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
  // Appends best play from here on, the score being known.
  void follow(OthelloPosition position, int score, std::vector<int>& line);
  void wipe();

  const OthelloExact* search_;
  std::unique_ptr<void, FreeMemory> memory_;
  OthelloExactState state_;
  int size_ = 0;  // of the boards that the table is about
  std::mutex working_;
  SolveBudget budget_;
};

}  // namespace sparring
