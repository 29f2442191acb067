// The result of an exact solver, and its limits. The same for every game.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace sparring {

// Limits of a solver; 0 is unlimited.
struct SolveLimits {
  int64_t max_nodes = 0;
  double max_seconds = 0.0;
};

// The window of scores, of the side to move: below alpha and above beta a bound is enough. Without
// a window the score is exact.
struct SolveWindow {
  std::optional<int> alpha;
  std::optional<int> beta;
};

struct Solution {
  int score = 0;        // of the side to move, in the game's own measure
  int move = -1;        // a best one; -1 when the game is over
  bool exact = false;   // false if stopped before the end: score and move are then guesses
  int64_t nodes = 0;    // positions entered
  std::vector<int> pv;  // moves of best play, as far as known
};

// All best first moves, by number, and their score for the side to move.
struct BestMoves {
  int score = 0;
  std::vector<int> moves;
};

// One legal move and its exact score for the side that makes it.
struct SolvedMove {
  int move = -1;
  int score = 0;
};

}  // namespace sparring
