// DarkKnight's Monte Carlo tree search for dark chess (Hsueh 2019, chapter 2), with its four
// techniques in any combination.
//
// A decision node picks the action with the greatest Q + C sqrt(ln N / n) + bias, each unvisited
// one first, captures before others; a flip leads to a chance node, and its outcome is drawn by
// the exact probabilities. A new node gets a playout. The most visited action is played. Enough
// quiet moves are a draw, in the tree and in playouts; repetitions are not looked for.
//
// The thesis leaves open: C; the scale of the sigmoid in implicit minimax backups; the rule of
// playouts; the order of unvisited actions. They are settings, their defaults measured on the
// solved 2x4 board (docs/measurements.md).
#pragma once

#include <cstdint>
#include <vector>

#include "agents/agent_state.h"
#include "agents/dark_chess_bias.h"
#include "darkchess/darkchess.h"

namespace sparring {

// The divisor of the progressive bias, of an action's visits or of its lost ones (draws are half).
enum class BiasCount { kVisits, kRootVisits, kLogVisits, kLosses, kRootLosses, kLogLosses };

struct DarkKnightSettings {
  int simulations = 30'000;
  // Ends the search once the simulations left cannot change its move (section 5).
  bool stops_when_decided = false;
  double exploration = 0.7;  // C, for results of -1..1
  // The probability that a playout captures where it can, a victim with a probability by its
  // weight; else it plays any action, each with equal probability.
  double capture_share = 1.0;
  // Unvisited actions come with captures first, by the victim's weight; with the progressive bias
  // by their sum. False: in the order of the board, flips first.
  bool visits_captures_first = true;
  // Quiet moves from the last multiple of 20 that make a draw in a simulation, if the rules allow
  // as many; it forces progress under a long limit (section 5).
  int quiet_limit = 40;

  // Early playout termination: a playout ends at material of a likely outcome.
  bool ends_early = false;
  double outcome_noise = 0.0;  // probability that a likely win counts for the loser

  // Implicit minimax backups: the share of the minimax value in Q; 0: none.
  double minimax_share = 0.0;
  double minimax_scale = 0.02;  // of the lead in weights: 2 / (1 + exp(-scale lead)) - 1
  // The dynamic share (equation 9): c_c, c_s, c_N; used if minimax_decay is positive.
  double minimax_decay = 0.0;  // c_s
  double minimax_decay_visits = 8.0;

  // Quality-based rewards: a reward grows with short simulations and with the winner's pieces.
  double length_share = 0.0;      // a_L; 0: none
  double length_slope = 7.0;      // k_L
  double terminal_share = 0.0;    // a_T; 0: none
  double terminal_slope = 11.0;   // k_T
  double terminal_weight = 0.02;  // c_w

  // Progressive bias; 0: none.
  double bias_share = 0.0;  // c_PB
  BiasCount bias_count = BiasCount::kRootVisits;
  DarkChessBias bias;
};

// A searched action.
struct DarkKnightAction {
  int move;
  std::int64_t visits;
  double value;  // mean reward for the side to move
};

struct DarkKnightResult {
  Finding finding;  // value: the root's mean reward, for the side to move
  std::vector<DarkKnightAction> actions;
  double mean_playout = 0.0;  // actions of a playout
};

// The search of a position that is not over; equal arguments give equal results.
DarkKnightResult search_dark_knight(const DarkChessPosition& position,
                                    const DarkKnightSettings& settings, std::uint64_t seed);

// The results of one search after each of these rising numbers of simulations. Each equals the
// result of a search of so many.
std::vector<DarkKnightResult> search_dark_knight_stages(const DarkChessPosition& position,
                                                        const DarkKnightSettings& settings,
                                                        std::uint64_t seed,
                                                        const std::vector<int>& stages);

}  // namespace sparring
