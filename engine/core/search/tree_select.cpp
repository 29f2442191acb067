#include "search/tree_select.h"

#include <algorithm>
#include <cmath>

#include "search/tree_proof.h"

namespace sparring {

namespace {

// The most probable move without an edge, and its probability.
struct Untried {
  int move = -1;
  float prior = -1.0f;
};

bool has_edge(const Node& node, int move) {
  return std::any_of(node.edges.begin(), node.edges.end(),
                     [move](const Edge& edge) { return edge.move == move; });
}

// Scans every move; needed if the evaluation's order alone does not decide.
Untried scan_untried(const Node& node, const PickContext& context) {
  bool tried[kMostMoves] = {};
  for (const Edge& edge : node.edges) tried[edge.move] = true;
  const Evaluation& evaluation = *node.evaluation;
  Untried best;
  for (int move = 0; move < evaluation.moves(); ++move) {
    if (tried[move] || context.restriction->forbids(node.to_move, move, context.depth)) continue;
    const float prior = context.root ? context.root->prior[move] : evaluation.prior(move);
    if (prior > best.prior) best = {move, prior};
  }
  return best;
}

Untried best_untried(Node& node, const PickContext& context) {
  if (context.root || context.restriction->active(node.to_move)) return scan_untried(node, context);
  const Evaluation& evaluation = *node.evaluation;
  while (node.next_rank < evaluation.ordered()) {
    const int move = evaluation.ordered_move(node.next_rank);
    if (!has_edge(node, move)) return {move, evaluation.prior(move)};
    ++node.next_rank;
  }
  return evaluation.ordered() < Evaluation::kOrdered ? Untried() : scan_untried(node, context);
}

// KataGo's wide root noise: flattens the policy and raises the utility of random moves.
void widen(const SearchSettings& s, Random& random, double& prior, double& mover_utility) {
  prior = std::pow(prior, 1.0 / (4.0 * s.wide_root_noise + 1.0));
  if (random.uniform() < 0.5) mover_utility += s.wide_root_noise * std::fabs(random.normal());
}

// An edge's prior at this node, or -1 if it is excluded.
double edge_prior(const Node& node, const Edge& edge, const PickContext& context) {
  if (!edge.child || edge.prior < 0) return -1;
  if (context.restriction->forbids(node.to_move, edge.move, context.depth)) return -1;
  return context.root ? context.root->prior[edge.move] : edge.prior;
}

// Mover's utility and weight of an edge; pending playouts count as losses.
void edge_value(const Node& node, const Edge& edge, const SearchSettings& s,
                const UtilityScale& scale, const PickContext& context, double first_play_utility,
                double& utility, double& weight) {
  const Node& child = *edge.child;
  const double sign = node.sign();
  utility = sign * first_play_utility;
  if (child.stats.visits > 0 && child.stats.weight_sum > 0) {
    utility = sign * child.stats.utility;
    if (context.root && context.root->bonus_points[edge.move] != 0)
      utility += sign * score_bonus_utility(s, scale, child.stats,
                                            sign * context.root->bonus_points[edge.move]);
  }
  if (child.virtual_losses > 0) {
    const double losses = child.virtual_losses * s.virtual_losses;
    utility += (-utility_radius(s) - utility) * losses / (losses + std::max(0.25, weight));
    weight += losses;
  }
}

// Tests whether visits are better spent on other moves: one is proven as good, or this one is
// proven. The root chooses by proofs; elsewhere visits are also the weights of the average, and
// proven moves keep most of them.
bool is_settled(const Node& node, const Edge& edge, int surest, int64_t edge_visits, bool at_root) {
  constexpr int kProvenShare = 4;  // visits of a proven move to one of the others
  if (is_outdone(node, edge, surest)) return true;
  return edge.child->proven() &&
         (at_root || edge.visits > kProvenShare * (edge_visits - edge.visits));
}

// Tests whether a tried root move is due another visit at any value (KataGo's paper, section 3.2).
constexpr double kForced = 1e20;
bool is_forced(const SearchSettings& s, double prior, double weight, double total_weight) {
  return s.root_forced_playouts > 0 && weight > 0 &&
         weight * weight < s.root_forced_playouts * prior * total_weight;
}

// A uniformly random move of the root; none without a move.
Pick any_pick(const Node& node, const PickContext& context) {
  const std::vector<float>& prior = context.root->prior;
  std::vector<int> moves;
  for (int move = 0; move < static_cast<int>(prior.size()); ++move)
    if (prior[move] >= 0 && !context.restriction->forbids(node.to_move, move, context.depth))
      moves.push_back(move);
  if (moves.empty()) return {};
  const int move = moves[context.random->below(static_cast<int>(moves.size()))];
  const auto edge = std::find_if(node.edges.begin(), node.edges.end(),
                                 [move](const Edge& e) { return e.move == move; });
  return {static_cast<int>(edge - node.edges.begin()), move, true};
}

// Overrides the pick to evaluate a move like a pass, and some other move, early.
Pick consider(const Node& node, const Pick& pick, int move, int64_t edge_visits,
              const Untried& untried) {
  if (edge_visits < 2 || pick.edge < 0) return pick;
  const bool has_it = has_edge(node, move);
  const bool has_other = node.edges.size() > (has_it ? 1u : 0u);
  const int new_edge = static_cast<int>(node.edges.size());
  if (!has_it && pick.move != move) return {new_edge, move, false};
  if (has_it && !has_other && pick.move == move && untried.move >= 0 && untried.move != move)
    return {new_edge, untried.move, false};
  return pick;
}

}  // namespace

Pick pick_move(Node& node, const SearchSettings& s, const UtilityScale& scale,
               const PickContext& context) {
  const bool at_root = context.root != nullptr;
  if (at_root && s.root_epsilon > 0 && context.random->uniform() < s.root_epsilon)
    return any_pick(node, context);
  double total_weight = 0;
  double visited_prior = 0;
  int64_t edge_visits = 0;
  for (const Edge& edge : node.edges) {
    const double prior = edge_prior(node, edge, context);
    if (prior < 0) continue;
    visited_prior += prior;
    total_weight += edge_weight(edge);
    edge_visits += edge.visits;
  }
  const Exploration exploration =
      exploration_of(node, s, scale, total_weight, visited_prior, at_root);
  const bool wide = at_root && s.wide_root_noise > 0;

  const int surest = context.by_proof ? surest_score(node) : 0;
  Pick best;
  double best_value = -1e50;
  for (int i = 0; i < static_cast<int>(node.edges.size()); ++i) {
    const Edge& edge = node.edges[i];
    double prior = edge_prior(node, edge, context);
    if (prior < 0) continue;
    if (context.by_proof && is_settled(node, edge, surest, edge_visits, at_root)) continue;
    double weight = edge_weight(edge);
    double utility;
    edge_value(node, edge, s, scale, context, exploration.first_play_utility, utility, weight);
    if (wide) widen(s, *context.random, prior, utility);
    double value = selection_value(exploration.scaling, prior, weight, utility);
    if (at_root && is_forced(s, prior, weight, total_weight)) value = kForced;
    if (value > best_value) {
      best_value = value;
      best = {i, edge.move, true};
    }
  }

  const Untried untried = best_untried(node, context);
  if (untried.move >= 0) {
    double prior = untried.prior;
    double utility = node.sign() * exploration.first_play_utility;
    if (wide) widen(s, *context.random, prior, utility);
    if (selection_value(exploration.scaling, prior, 0, utility) > best_value)
      best = {static_cast<int>(node.edges.size()), untried.move, true};
  }
  if (context.must_consider >= 0 && !context.restriction->active(node.to_move) &&
      node.evaluation->prior(context.must_consider) >= 0 &&
      (!at_root || context.root->prior[context.must_consider] >= 0))
    return consider(node, best, context.must_consider, edge_visits, untried);
  if (best.edge < 0 && context.by_proof) {
    PickContext all = context;
    all.by_proof = false;
    return pick_move(node, s, scale, all);
  }
  return best;
}

}  // namespace sparring
