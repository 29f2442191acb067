// How the tree searches. The names and defaults are KataGo's where both have the thing.
#pragma once

namespace sparring {

// Utilities are in the view of Black. Without use_uncertainty each visit has the weight 1.
struct SearchSettings {
  // Utility of a result.
  double win_loss_utility_factor = 1.0;           // utility of a win; a loss has minus as much
  double static_score_utility_factor = 0.1;       // most utility of the score, measured from 0
  double dynamic_score_utility_factor = 0.3;      // the same, measured from near the expected one
  double dynamic_score_center_zero_weight = 0.2;  // pulls that center towards 0
  double dynamic_score_center_scale = 0.75;       // width, in square roots of the board's area
  double no_result_utility = 0.0;                 // utility of a game without a result
  double draw_equivalent_wins = 0.5;              // share of a win in a draw, Black's view

  // An input of the network: by how many doublings one player searches more than the other.
  double playout_doubling_advantage = 0.0;  // doublings
  int playout_doubling_color = -1;  // that player, 0 or 1; else the side to move at the root

  // Selection (PUCT).
  double cpuct_exploration = 1.0;         // factor of exploration at a node without visits
  double cpuct_exploration_log = 0.45;    // growth of that factor with the logarithm of the weight
  double cpuct_exploration_base = 500.0;  // weight from which the logarithm grows
  double cpuct_weight_offset = 0.01;      // added to the weight of a node's edges under the square
                                          // root; 1 counts the node's own visit too (AlphaZero)
  double cpuct_utility_stdev_prior = 0.40;        // expected standard deviation of the utility
  double cpuct_utility_stdev_prior_weight = 2.0;  // weight of that expectation among the visits
  double cpuct_utility_stdev_scale = 0.85;  // share of the deviation's excess in the exploration
  double fpu_parent_share = 1.0;   // share of the node's utility in that of a move never tried; 0
                                   // makes such a move worth 0 (AlphaZero)
  double fpu_reduction_max = 0.2;  // most utility that a move never tried is thought to lose
  double root_fpu_reduction_max = 0.1;                   // the same at the root
  double fpu_parent_weight_by_visited_policy_pow = 2.0;  // power of the visited moves' prior; the
                                                         // result is the weight of the average
                                                         // beside the network's own utility
  double virtual_losses = 1.0;                           // weight of one playout under way

  // Backup.
  double value_weight_exponent = 0.25;  // favours the better children in the average; 0: does not
  bool use_noise_pruning = true;        // takes weight from worse moves visited beyond their prior
  double noise_prune_utility_scale = 0.15;  // loss of utility that takes away 63% of the excess
  double subtree_value_bias_factor = 0.45;  // share of the mean error learned in similar positions
                                            // that corrects the network's utility; 0: none
  double subtree_value_bias_free_prop = 0.8;         // share of a dropped node's error forgotten
  double subtree_value_bias_weight_exponent = 0.85;  // power of a node's weight among the errors
  bool use_uncertainty = true;  // weights by the network's own short-term error, where it has one
  double uncertainty_coefficient = 0.25;  // weight times the error, where the error is large
  double uncertainty_max_weight = 8.0;    // weight where the network sees no error
  bool use_graph_search = true;           // transpositions share a node
  bool proves = true;  // bounds scores exactly and searches by the bounds, in games that allow it
  int solve_empties = -1;  // leaves with up to so many empty cells are solved exactly, in games
                           // that have a solver; -1: as many as pays in the game

  bool random_symmetries = true;  // the network sees each position under a random symmetry of the
                                  // board; false: as the position stands

  // Root.
  int root_symmetries = 4;             // network evaluations of the root that are averaged
  bool root_symmetry_pruning = false;  // searches one of several moves that are mirror images
  bool root_noise = false;             // mixes Dirichlet noise into the prior
  double root_dirichlet_concentration = 10.83;  // sum of the noise's parameters over all moves
  double root_dirichlet_weight = 0.25;          // share of the noise in the prior
  double root_forced_playouts = 0.0;     // k: each root move tried gets sqrt(k * prior * visits) at
                                         // least
  double root_epsilon = 0.0;             // share of playouts that begin with any move
  double root_policy_temperature = 1.0;  // above 1 flattens the prior of the root
  double wide_root_noise = 0.0;          // flattens the prior, and adds utility to random moves
  double root_ending_bonus_points = 0.5;  // points against filling settled areas
  bool conservative_pass = true;          // a pass at the root is not taken to end the game
  double policy_temperature = 1.0;        // above 1 flattens the prior of every node

  // Choice.
  bool use_lcb_for_selection = true;  // prefers the move with the best lower bound of its utility
  double lcb_stdevs = 5.0;            // standard deviations from the mean to that bound
  double min_visit_prop_for_lcb = 0.20;  // least share of the most searched move's weight for it

  // Playouts under way at once: visits ** exponent * factor, at least one.
  double in_flight_factor = 0.35;   // the factor
  double in_flight_exponent = 0.5;  // the exponent
};

}  // namespace sparring
