// What an exact solver answers, and the limits it works under. The same for every game.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace sparring {

// When a solver gives up; 0 is without limit.
struct SolveLimits {
  int64_t max_nodes = 0;
  double max_seconds = 0.0;
};

// The scores worth telling apart, of the side to move: below alpha and above beta only the bound
// itself is asked for. Without them the exact score is.
struct SolveWindow {
  std::optional<int> alpha;
  std::optional<int> beta;
};

struct Solution {
  int score = 0;        // of the side to move, in the game's own measure
  int move = -1;        // a best one; -1 when the game is over
  bool exact = false;   // false when stopped before the end: score and move are then guesses
  int64_t nodes = 0;    // positions entered
  std::vector<int> pv;  // moves of best play, as far as they are known
};

// The moves that best play may begin with, by number, and what it comes to for the side to move.
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
