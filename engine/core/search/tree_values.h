// The arithmetic of the search on single nodes: utilities, backup, selection values, bounds. It
// knows no game and holds no tree.
#pragma once

#include "search/search_settings.h"
#include "search/tree_node.h"

namespace sparring {

// Converts results and scores into utility, Black's view, around the root's expected score.
struct UtilityScale {
  double score_center = 0;  // points
  double board_scale = 19;  // square root of the board's area
};

double result_utility(const SearchSettings& s, double win_loss, double no_result);
double score_utility(const SearchSettings& s, const UtilityScale& scale, double mean,
                     double mean_square);
double utility_of(const SearchSettings& s, const UtilityScale& scale, const Values& values);
// The change of utility by `points` more for Black at a node with these stats.
double score_bonus_utility(const SearchSettings& s, const UtilityScale& scale,
                           const NodeStats& stats, double points);
// The largest possible |utility|.
double utility_radius(const SearchSettings& s);
// The center of the dynamic score utility, at an expected score.
double score_center(const SearchSettings& s, double expected, double board_scale);

// The weight of one evaluation: 1, or by the network's own uncertainty.
double evaluation_weight(const SearchSettings& s, const UtilityScale& scale, const Values& values);

// Adds one visit with these values as they are: a terminal result, or a first evaluation.
void add_leaf_visit(Node& node, const SearchSettings& s, const UtilityScale& scale,
                    const Values& values);
// Recomputes everything but the visits from the node's evaluation and its edges; of a chance node
// from its edges, by the exact probabilities of the visited outcomes.
void recompute(Node& node, const SearchSettings& s, const UtilityScale& scale);
// Recomputes the utilities of a node without edges, after a change of the scale.
void rescale_leaf(Node& node, const SearchSettings& s, const UtilityScale& scale);

// Sums over a node's edges for the selection.
struct Exploration {
  double scaling = 0;             // cpuct * sqrt(total weight + offset) * spread
  double first_play_utility = 0;  // Black's view, of untried moves
};
Exploration exploration_of(const Node& node, const SearchSettings& s, const UtilityScale& scale,
                           double total_weight, double visited_prior, bool at_root);
// PUCT's value of a child for the player to move.
inline double selection_value(double scaling, double prior, double weight, double mover_utility) {
  return scaling * prior / (1.0 + weight) + mover_utility;
}

// Lower confidence bound of the mover's utility after an edge, and its distance from the mean.
struct Bound {
  double lower;
  double radius;
};
Bound lower_bound(const Edge& edge, double sign, const SearchSettings& s, double bonus_utility);

}  // namespace sparring
