#include "tree_target.h"

#include <algorithm>
#include <cmath>

#include "tree_proof.h"

namespace sparring {
namespace {

// An edge that a visit may take.
struct Taken {
  const Edge* edge;
  double prior;
  double weight;
  double mover_utility;
};

std::vector<Taken> taken_edges(const Node& root, const RootView& view) {
  std::vector<Taken> taken;
  for (const Edge& edge : root.edges) {
    const double prior = view.prior[edge.move];
    if (!edge.child || edge.prior < 0 || prior < 0 || edge.visits <= 0) continue;
    taken.push_back({&edge, prior, edge_weight(edge), root.sign() * edge.child->stats.utility});
  }
  return taken;
}

// Takes back forced visits as far as exploration alone, knowing the values now, would not have
// asked for them. A single visit that is left says nothing.
void take_back_forced(const std::vector<Taken>& taken, const Node& root, const SearchSettings& s,
                      const UtilityScale& scale, float* visits) {
  double total = 0;
  for (const Taken& t : taken) total += t.weight;
  const double scaling = exploration_of(root, s, scale, total, 1.0, true).scaling;
  const Taken& best = *std::max_element(
      taken.begin(), taken.end(),
      [](const Taken& a, const Taken& b) { return a.edge->visits < b.edge->visits; });
  const double target = selection_value(scaling, best.prior, best.weight, best.mover_utility);
  for (const Taken& t : taken) {
    if (&t == &best || t.weight <= 0) continue;
    const double forced = std::sqrt(s.root_forced_playouts * t.prior * total);
    const double gap = target - t.mover_utility;
    const double wanted =
        gap <= 0 ? t.weight : std::clamp(scaling * t.prior / gap - 1.0, 0.0, t.weight);
    const double kept = std::max(wanted, t.weight - forced) / t.weight * t.edge->visits;
    visits[t.edge->move] = kept <= 1.0 ? 0.0f : static_cast<float>(kept);
  }
}

// Moves known not to be the best lose their visits, those not known to win too where one is. The
// search spends no more visits on a move whose score is proven: where it looks as good as the most
// visited one, it counts for as much.
void obey_proofs(const std::vector<Taken>& taken, const Node& root, std::vector<float>& visits) {
  const int surest = surest_score(root);
  if (surest == Node::kUnknown) return;
  const Taken* favourite = nullptr;
  for (const Taken& t : taken) {
    const ScoreBounds bounds = t.edge->child->bounds_of(root.to_move);
    float& own = visits[t.edge->move];
    if (root.proven()) own = bounds.low == surest ? 1.0f : 0.0f;
    if (is_outdone(root, *t.edge, surest) || (surest > 0 && bounds.low <= 0)) own = 0;
    if (!favourite || own > visits[favourite->edge->move]) favourite = &t;
  }
  const float most = visits[favourite->edge->move];
  for (const Taken& t : taken)
    if (t.edge->child->proven() && t.edge->child->bounds_of(root.to_move).low == surest &&
        t.mover_utility >= favourite->mover_utility)
      visits[t.edge->move] = std::max(1.0f, most);
}

}  // namespace

std::vector<float> policy_target(const Node& root, const RootView& view, const SearchSettings& s,
                                 const UtilityScale& scale) {
  std::vector<float> policy(view.prior.size(), 0.0f);
  const std::vector<Taken> taken = taken_edges(root, view);
  if (taken.empty()) {
    for (std::size_t move = 0; move < policy.size(); ++move)
      policy[move] = std::max(0.0f, view.prior[move]);
  } else {
    for (const Taken& t : taken) policy[t.edge->move] = static_cast<float>(t.edge->visits);
    if (s.root_forced_playouts > 0) take_back_forced(taken, root, s, scale, policy.data());
    obey_proofs(taken, root, policy);
  }
  double sum = 0;
  for (const float p : policy) sum += p;
  for (float& p : policy) p = static_cast<float>(p / sum);
  return policy;
}

}  // namespace sparring
