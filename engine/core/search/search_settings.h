// Settings of the tree search. Names and defaults are KataGo's for its own settings.
#pragma once

#include <algorithm>

namespace sparring {

// Utilities are from Black's view. Without use_uncertainty each visit has the weight 1.
struct SearchSettings {
  // Utility of a result.
  double win_loss_utility_factor = 1.0;      // utility of a win, 0 or more; a loss has its negative
  double static_score_utility_factor = 0.1;  // greatest utility of the score, measured from 0; 0 or
                                             // more
  double dynamic_score_utility_factor = 0.3;      // greatest utility of the score, measured from a
                                                  // center; 0 or more
  double dynamic_score_center_zero_weight = 0.2;  // shift of that center from the expected score to
                                                  // 0, 0..1
  double dynamic_score_center_scale = 0.75;  // width of its curve, in square roots of the area;
                                             // above 0
  double no_result_utility = 0.0;            // utility of a game without a result, any sign
  double draw_equivalent_wins = 0.5;         // share of a win in a draw, Black's view, 0..1

  // Input of the network: the doublings by which one player searches more than the other.
  double playout_doubling_advantage = 0.0;  // doublings, -3..3
  int playout_doubling_color = -1;          // that player, 0 or 1; -1: the side to move at the root

  // Selection (PUCT).
  double cpuct_exploration = 1.0;       // factor of exploration at a node without visits, 0 or more
  double cpuct_exploration_log = 0.45;  // growth of that factor with the logarithm of the weight, 0
                                        // or more
  double cpuct_exploration_base = 500.0;  // weight at which the logarithm begins to grow, above 0
  double cpuct_weight_offset = 0.01;      // added to the weight of a node's edges under the square
                                          // root, 0 or more; 1 counts the node's own visit too
                                          // (AlphaZero)
  double cpuct_utility_stdev_prior = 0.40;  // expected standard deviation of the utility, above 0
  double cpuct_utility_stdev_prior_weight = 2.0;  // weight of that expectation, in visits, 0 or
                                                  // more
  double cpuct_utility_stdev_scale = 0.85;  // share of the deviation's excess in the exploration, 0
                                            // or more
  double fpu_parent_share = 1.0;  // share of the node's utility in an untried move's, 0..1; 0 gives
                                  // untried moves utility 0 (AlphaZero)
  double fpu_reduction_max = 0.2;       // greatest utility deducted from an untried move, 0 or more
  double root_fpu_reduction_max = 0.1;  // the same at the root
  double fpu_parent_weight_by_visited_policy_pow = 2.0;  // power of the visited moves' prior, 0 or
                                                         // more; the result weighs the average
                                                         // against the network's own utility
  double virtual_losses = 1.0;                           // weight of one pending playout, 0 or more

  // Backup.
  double value_weight_exponent = 0.25;  // shift of weight to better children in the average, 0..10;
                                        // 0: none
  bool use_noise_pruning = true;        // takes weight from worse moves visited beyond their prior
  double noise_prune_utility_scale = 0.15;  // loss of utility that removes 63% of the excess, above
                                            // 0
  double subtree_value_bias_factor = 0.45;  // share of the mean error in similar positions that
                                            // corrects the network's utility, 0 or more; 0: no
                                            // correction
  double subtree_value_bias_free_prop = 0.8;  // share of a deleted node's error to forget, 0..1
  double subtree_value_bias_weight_exponent = 0.85;  // power of a node's weight among the errors,
                                                     // 0..10
  bool use_uncertainty = true;  // weights visits by the network's own short-term error, if it has
                                // one
  double uncertainty_coefficient = 0.25;  // weight times the error, for large errors; above 0
  double uncertainty_max_weight = 8.0;    // weight for an error of 0; above 0
  bool use_graph_search = true;           // transpositions share a node
  bool proves = true;  // bounds scores exactly and searches by the bounds, in games that allow it
  int solve_empties = -1;  // leaves with up to so many empty cells are solved exactly, in games
                           // with a solver, 0..100; -1: the game's own number

  bool random_symmetries = true;  // shows each position to the network under a random symmetry of
                                  // the board; false: as it stands

  // Root.
  int root_symmetries = 4;               // number of averaged network evaluations of the root, 1..8
  bool root_symmetry_pruning = false;    // searches one of several mirrored moves
  bool ignore_pre_root_history = false;  // hides the moves before the root from the network
  bool root_noise = false;               // mixes Dirichlet noise into the prior
  double root_dirichlet_concentration = 10.83;  // sum of the noise's parameters over all moves,
                                                // above 0
  double root_dirichlet_weight = 0.25;          // share of the noise in the prior, 0..1
  double root_forced_playouts = 0.0;  // k, 0 or more: each tried root move gets at least sqrt(k *
                                      // prior * visits) playouts
  double root_epsilon = 0.0;          // share of playouts that begin with a random move, 0..1
  double root_policy_temperature = 1.0;  // of the root's prior, 0.01 or more; above 1 flattens it
  double wide_root_noise = 0.0;  // flattens the prior and adds utility to random moves, 0 or more
  double root_ending_bonus_points = 0.5;  // points against filling settled areas, any sign
  bool conservative_pass = true;          // a pass at the root does not end the game
  double policy_temperature = 1.0;  // of every node's prior, 0.01 or more; above 1 flattens it
  double policy_optimism = 1.0;  // share of the optimistic policy below the root, in networks with
                                 // one, 0..1
  double root_policy_optimism = kFollows;  // the same at the root, 0..1; kFollows: kRootOptimism,
                                           // or policy_optimism if that is less

  // Choice.
  bool use_lcb_for_selection = true;  // prefers the move with the best lower bound of its utility
  double lcb_stdevs = 5.0;            // standard deviations from the mean to that bound, 0 or more
  double min_visit_prop_for_lcb = 0.20;  // least share of the most searched move's weight for it,
                                         // 0..1

  // Pending playouts at once: max(1, factor * visits ** exponent), and Tree::begin's least number.
  double in_flight_factor = 0.35;   // the factor, 0 or more
  double in_flight_exponent = 0.5;  // the exponent, 0..10

  static constexpr double kFollows = -1.0, kRootOptimism = 0.2;
  double optimism_at_root() const {
    return root_policy_optimism != kFollows ? root_policy_optimism
                                            : std::min(policy_optimism, kRootOptimism);
  }
};

}  // namespace sparring
