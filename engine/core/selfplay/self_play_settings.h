// The settings of self-play games.
#pragma once

namespace sparring {

struct SelfPlaySettings {
  // Searches (playout cap randomisation, KataGo's paper, section 3.1). Visits are those of the
  // root, reused ones included.
  int visits = 200;          // of a full search: noise at the root, and a policy target
  int fast_visits = 30;      // of the other searches: without both
  double full_share = 0.25;  // of the moves, with a full search
  // SearchSettings::root_forced_playouts of full searches; the policy target leaves them out
  double forced_playouts = 2.0;
  bool reuse_tree = true;  // keeps the tree below a played move

  // Choice of moves: in proportion to the policy to the power of 1 / temperature; 0 is the best.
  int opening_moves = 16;  // plies with the opening's temperature
  double opening_temperature = 1.0;
  // above 0: the opening's moves are any legal ones, in proportion to exp(visits / softness)
  double opening_softness = 0.0;
  double later_temperature = 0.0;

  // Random openings: this share of games begins with 1 to random_opening_moves uniformly random
  // plies. These plies give no samples.
  double random_openings = 0.0;
  int random_opening_moves = 8;

  // Positions with at most so many empty cells are solved, not searched; 0 is none. Among moves at
  // a known score this share is random, the others are best ones.
  int solve_empties = 0;
  double solved_random_share = 0.1;
};

// Throws std::invalid_argument with the wrong value.
void check(const SelfPlaySettings& settings);

}  // namespace sparring
