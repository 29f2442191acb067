// How games are played for a network to learn from them.
#pragma once

namespace sparring {

struct SelfPlaySettings {
  // Searches (playout cap randomisation, KataGo's paper, section 3.1). Visits are those of the
  // root, kept ones included.
  int visits = 200;              // of a full search: noise at the root, and a policy to learn
  int fast_visits = 30;          // of the others: none
  double full_share = 0.25;      // of the moves that are searched fully
  double forced_playouts = 2.0;  // SearchSettings::root_forced_playouts of full searches; the
                                 // policy to learn is without them
  bool reuse_tree = true;        // what is known of a move's position is kept when it is played

  // Choice of moves: in proportion to the policy to the power of 1 / temperature; 0 is the best.
  int opening_moves = 16;  // plies that are played at the opening's temperature
  double opening_temperature = 1.0;
  double opening_softness = 0.0;  // above 0: the opening's moves are any legal ones, in proportion
                                  // to exp(visits / softness)
  double later_temperature = 0.0;

  // Openings that no search chose: so great a share of games begins with 1 to so many uniformly
  // random plies. There is nothing to learn from those.
  double random_openings = 0.0;
  int random_opening_moves = 8;

  // Positions with up to so many empty cells are solved, not searched; 0 is none. Of the moves that
  // are played where the score is known, this share is any, the others are best ones.
  int solve_empties = 0;
  double solved_random_share = 0.1;
};

// Throws std::invalid_argument, quoting what is wrong.
void check(const SelfPlaySettings& settings);

}  // namespace sparring
