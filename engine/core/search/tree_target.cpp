#include "search/tree_target.h"

#include <algorithm>
#include <cmath>

#include "search/tree_proof.h"

namespace sparring {
namespace {

// A searched root move.
struct Searched {
  const Node* child;
  int move;
  double prior;
  double weight;
  double mover_utility;
  ScoreBounds bounds;  // the mover's
  double visits;       // to learn
};

std::vector<Searched> searched_moves(const Node& root, const RootView& view) {
  std::vector<Searched> moves;
  for (const Edge& edge : root.edges) {
    const double prior = view.prior[edge.move];
    if (!edge.child || edge.prior < 0 || prior < 0 || edge.visits <= 0) continue;
    moves.push_back({edge.child, edge.move, prior, edge_weight(edge),
                     root.sign() * edge.child->stats.utility, edge.child->bounds_of(root.to_move),
                     static_cast<double>(edge.visits)});
  }
  return moves;
}

const Searched& most_visited(const std::vector<Searched>& moves) {
  return *std::max_element(moves.begin(), moves.end(), [](const Searched& a, const Searched& b) {
    return a.visits < b.visits;
  });
}

// Drops moves proven not best, and with a proven win those not proven to win. The search spends no
// more visits on a proven move; if it looks as good as the most visited one, it counts as much.
// Never drops all.
void obey_proofs(const Node& root, std::vector<Searched>& moves) {
  int surest = Node::kUnknown;
  for (const Searched& m : moves) surest = std::max(surest, m.bounds.low);
  if (surest == Node::kUnknown) return;
  std::erase_if(moves, [&](const Searched& m) {
    return is_outdone(m.bounds, surest) || (surest > 0 && m.bounds.low <= 0) ||
           (root.proven() && m.bounds.low < surest);
  });
  if (root.proven())
    for (Searched& m : moves) m.visits = 1;
  const Searched favourite = most_visited(moves);
  for (Searched& m : moves)
    if (m.child->proven() && m.bounds.low == surest && m.mover_utility >= favourite.mover_utility)
      m.visits = favourite.visits;
}

// Removes forced visits that exploration alone would not have spent, knowing the values now. A
// single remaining visit is dropped. `total` is the weight of all moves.
void take_back_forced(const Node& root, const SearchSettings& s, const UtilityScale& scale,
                      double total, std::vector<Searched>& moves) {
  const double scaling = exploration_of(root, s, scale, total, 1.0, true).scaling;
  const Searched& best = most_visited(moves);
  const double target = selection_value(scaling, best.prior, best.weight, best.mover_utility);
  for (Searched& m : moves) {
    if (&m == &best || m.weight <= 0) continue;
    const double forced = std::sqrt(s.root_forced_playouts * m.prior * total);
    const double gap = target - m.mover_utility;
    const double wanted = gap <= 0 ? m.weight : scaling * m.prior / gap - 1.0;
    const double kept = std::clamp(wanted, std::max(0.0, m.weight - forced), m.weight);
    m.visits *= kept / m.weight;
    if (m.visits <= 1) m.visits = 0;
  }
}

}  // namespace

std::vector<float> policy_target(const Node& root, const RootView& view, const SearchSettings& s,
                                 const UtilityScale& scale) {
  std::vector<double> visits(view.prior.size(), 0.0);
  std::vector<Searched> moves = searched_moves(root, view);
  if (moves.empty()) {
    for (std::size_t move = 0; move < visits.size(); ++move)
      visits[move] = std::max(0.0f, view.prior[move]);
  } else {
    double total = 0;
    for (const Searched& m : moves) total += m.weight;
    obey_proofs(root, moves);
    if (s.root_forced_playouts > 0 && !root.proven())
      take_back_forced(root, s, scale, total, moves);
    for (const Searched& m : moves) visits[m.move] = m.visits;
  }
  double sum = 0;
  for (const double v : visits) sum += v;
  std::vector<float> policy(visits.size());
  for (std::size_t move = 0; move < policy.size(); ++move)
    policy[move] = static_cast<float>(visits[move] / sum);
  return policy;
}

}  // namespace sparring
