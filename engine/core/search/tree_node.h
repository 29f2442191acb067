// The search graph's nodes. Transpositions share a node: an edge counts its own visits, and a node
// is an average over its edges, computed again at any time (KataGo docs/GraphSearch.md).
//
// Every value is Black's view (color 0):
//
//            Black to move, utility +0.2          the mover reads sign(to_move) * utility:
//           /           |            \            Black prefers +0.5, White would prefer -0.1
//     W -0.1 (3)    W +0.5 (9)    W +0.1 (2)      (edge visits)
#pragma once

#include <cstdint>
#include <vector>

#include "game/score_bounds.h"
#include "search/evaluation.h"

namespace sparring {

struct Node;

// The network's mean error after a local pattern of play (KataGoMethods, "Subtree Value Bias
// Correction"): the sum of (children's average - network's utility) over the nodes of the entry.
struct BiasEntry {
  double delta_sum = 0;
  double weight_sum = 0;
  int64_t users = 0;
};

// Averages over the node's own evaluation and its edges.
struct NodeStats {
  int64_t visits = 0;
  double weight_sum = 0;
  double weight_square_sum = 0;
  double win_loss = 0;  // Black's wins minus White's
  double no_result = 0;
  double score_mean = 0;
  double score_mean_square = 0;
  double lead = 0;
  double utility = 0;
  double utility_square = 0;
};

struct Edge {
  Node* child;
  float prior;  // -1: illegal on some path
  int16_t move;
  int32_t visits;
};

struct Node {
  NodeStats stats;
  EvaluationRef evaluation;
  std::vector<Edge> edges;
  uint64_t hash = 0;
  BiasEntry* bias = nullptr;
  double bias_delta = 0;  // this node's share of the entry's sums
  double bias_weight = 0;
  int32_t virtual_losses = 0;  // pending playouts below
  uint32_t mark = 0;
  int16_t next_rank = 0;  // of the evaluation's ordered moves; those before it have edges
  int8_t to_move = 0;
  bool terminal = false;
  // An outcome is drawn here: the edges are the played moves, their priors the probabilities.
  bool chance = false;
  bool pending = false;     // its evaluation is pending
  int8_t low = kUnknown;    // proven lower bound of the final score under best play, Black's view
  int8_t high = -kUnknown;  // proven upper bound; +-127: unknown

  static constexpr int8_t kUnknown = -127;

  // The sign between Black's view and the mover's.
  double sign() const { return to_move == 0 ? 1.0 : -1.0; }
  // Tests whether the score is proven.
  bool proven() const { return low == high; }
  // The bounds from the view of player `color`.
  ScoreBounds bounds_of(int color) const { return turned({low, high}, color); }
};

// The part of the child's weight that came through this edge.
inline double edge_weight(const Edge& edge) {
  const NodeStats& stats = edge.child->stats;
  if (edge.visits <= 0 || stats.visits <= 0) return 0;
  return stats.weight_sum * (static_cast<double>(edge.visits) / static_cast<double>(stats.visits));
}

inline double edge_weight_square(const Edge& edge) {
  const NodeStats& stats = edge.child->stats;
  if (edge.visits <= 0 || stats.visits <= 0) return 0;
  return stats.weight_square_sum *
         (static_cast<double>(edge.visits) / static_cast<double>(stats.visits));
}

}  // namespace sparring
