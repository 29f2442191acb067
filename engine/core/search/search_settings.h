// How the tree searches. The names and defaults are KataGo's where both have the thing.
#pragma once

namespace sparring {

struct SearchSettings {
  // Utility: what a result is worth.
  double win_loss_utility_factor = 1.0;
  double static_score_utility_factor = 0.1;       // score seen from 0
  double dynamic_score_utility_factor = 0.3;      // score seen from near the expected one
  double dynamic_score_center_zero_weight = 0.2;  // pulls that center towards 0
  double dynamic_score_center_scale = 0.75;       // width, in square roots of the board's area
  double no_result_utility = 0.0;                 // Black's view
  double draw_equivalent_wins = 0.5;              // a draw counts so much of a win, Black's view

  // An input of the network: by how many doublings one player searches more than the other.
  double playout_doubling_advantage = 0.0;
  int playout_doubling_color = -1;  // that player, 0 or 1; else the one to move at the root

  // Selection (PUCT).
  double cpuct_exploration = 1.0;
  double cpuct_exploration_log = 0.45;
  double cpuct_exploration_base = 500.0;
  double cpuct_weight_offset = 0.01;  // added to the weight of a node's edges under the square
                                      // root; 1 counts the node's own visit too, as in AlphaZero
  double cpuct_utility_stdev_prior = 0.40;
  double cpuct_utility_stdev_prior_weight = 2.0;
  double cpuct_utility_stdev_scale = 0.85;
  double fpu_parent_share = 1.0;  // of the node's utility in that of a move never tried; 0 makes
                                  // such a move worth 0, as in AlphaZero
  double fpu_reduction_max = 0.2;
  double root_fpu_reduction_max = 0.1;
  double fpu_parent_weight_by_visited_policy_pow = 2.0;
  double virtual_losses = 1.0;  // weight of one playout under way

  // Backup.
  double value_weight_exponent = 0.25;  // favours the better children in the average
  bool use_noise_pruning = true;
  double noise_prune_utility_scale = 0.15;
  double subtree_value_bias_factor = 0.45;
  double subtree_value_bias_free_prop = 0.8;
  double subtree_value_bias_weight_exponent = 0.85;
  bool use_uncertainty = true;  // weights by the network's own short-term error, where it has one
  double uncertainty_coefficient = 0.25;
  double uncertainty_max_weight = 8.0;
  bool use_graph_search = true;  // transpositions share a node
  bool proves = true;  // bounds scores exactly and searches by the bounds, in games that allow it
  int solve_empties = -1;  // leaves with up to so many empty cells are solved exactly, in games
                           // that have a solver; -1: as many as pays in the game

  bool random_symmetries = true;  // the network sees each position under a random symmetry of the
                                  // board; false: as the position stands

  // Root.
  int root_symmetries = 4;  // network evaluations of the root that are averaged
  bool root_symmetry_pruning = false;
  bool root_noise = false;
  double root_dirichlet_concentration = 10.83;
  double root_dirichlet_weight = 0.25;
  double root_forced_playouts =
      0.0;                    // k: each root move tried gets sqrt(k * prior * visits) at least
  double root_epsilon = 0.0;  // share of playouts that begin with any move
  double root_policy_temperature = 1.0;
  double wide_root_noise = 0.0;
  double root_ending_bonus_points = 0.5;  // against filling what is settled
  bool conservative_pass = true;          // a pass at the root is not taken to end the game
  double policy_temperature = 1.0;

  // Choice.
  bool use_lcb_for_selection = true;
  double lcb_stdevs = 5.0;
  double min_visit_prop_for_lcb = 0.20;

  // Playouts under way at once: visits ** exponent * factor, at least one.
  double in_flight_factor = 0.35;
  double in_flight_exponent = 0.5;
};

}  // namespace sparring
