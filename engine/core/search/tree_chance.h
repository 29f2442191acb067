// The chance nodes of a Tree: a move without its outcome leads to one, and its children are the
// outcomes. Other games have none. The last part of tree.h, which includes it.
#pragma once

#include <algorithm>

#include "search/tree.h"

namespace sparring {

// Takes an outcome of a chance node. Outcomes are drawn in proportion to the visits that they lack
// for their exact probabilities: the first draws are fair, and later ones balance them.
template <Game G>
void Tree<G>::select_outcome(G& game, Node*& node, Path& path, bool& done)
  requires ChanceGame<G>
{
  const auto taken = [](const Edge& edge) {
    return static_cast<double>(edge.visits) + (edge.child ? edge.child->virtual_losses : 0);
  };
  double number = 1, lacking = 0;
  for (const Edge& edge : node->edges) number += taken(edge);
  const auto lacks = [&](const Edge& edge) {
    return std::max(0.0, edge.prior * number - taken(edge));
  };
  for (const Edge& edge : node->edges) lacking += lacks(edge);
  double left = random_.uniform() * lacking;
  int chosen = -1;
  for (int i = 0; i < static_cast<int>(node->edges.size()); ++i) {
    const double share = lacks(node->edges[i]);
    if (share <= 0) continue;
    chosen = i;
    left -= share;
    if (left < 0) break;
  }
  Edge& edge = node->edges[std::max(chosen, 0)];
  game.play(edge.move);
  if (!edge.child) {
    edge.child = graph_.find_or_add(settings_.use_graph_search ? game.graph_hash() : random_.next(),
                                    game.to_move());
    begin_child(game, *edge.child, false);
  }
  enter(node, std::max(chosen, 0), path, true, done);
}

// The chance node of a move at `node`.
template <Game G>
Node* Tree<G>::expand_chance(const G& game, const Node& node, int move)
  requires ChanceGame<G>
{
  constexpr uint64_t kChance = 0x3c79ac492ba7b653ULL;
  const uint64_t hash =
      settings_.use_graph_search ? mix64(node.hash ^ mix64(kChance + move)) : random_.next();
  Node* child = graph_.find_or_add(hash, node.to_move);
  if (child->chance) return child;
  child->chance = true;
  double total = 0;
  const auto outcomes = game.outcomes(move);
  for (const auto& [played, weight] : outcomes) total += weight;
  for (const auto& [played, weight] : outcomes)
    child->edges.push_back(
        {nullptr, static_cast<float>(weight / total), static_cast<int16_t>(played), 0});
  return child;
}

}  // namespace sparring
