// Monte Carlo tree search of AlphaDDA's opponents MCTS1 to MCTS4 (Fujita 2022), over any game.
//
// A visit walks down by q / n + C sqrt(ln(N + 1) / (n + epsilon)), with n and N the visits of the
// child and of its parent, and q the sum of results (+1, 0, -1) for the mover there. It ends in a
// node without children, and a rollout gives the result. The root has children at once, another
// node from the end of its 5th visit on. The most visited move is played. All ties go to the first
// in order: every child is tried once before any is tried twice.
//
// The formula is the paper's; the published code has a factor 2 under the root, counts the
// children's visits for N, and begins with one visit at every first child.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "agents/agent_state.h"

namespace sparring {

struct UctSettings {
  int playouts = 300;
  double exploration = 0.5;  // C
  double epsilon = 1e-7;
  int opening_visits = 5;  // of a leaf, before it has children
};

template <AgentState State>
class UctTree {
 public:
  UctTree(const State& root, const UctSettings& settings) : root_(root), settings_(settings) {
    nodes_.push_back({});
    open(0, root);
  }

  void visit(Random& random) {
    State state = root_;
    path_.assign(1, 0);
    while (true) {
      if (state.is_over()) return back_up(state.result());
      Node& node = nodes_[path_.back()];
      if (node.children == 0) {
        if (node.visits < settings_.opening_visits) return back_up(play_out(state, random));
        open(path_.back(), state);
      }
      path_.push_back(child_of(nodes_[path_.back()]));
      state.play(nodes_[path_.back()].move);
    }
  }

  // The most visited move, its mean result, and the number of visits.
  Finding finding() const {
    Finding found{.nodes = nodes_[0].visits};
    int most = -1;
    for (int i = 0; i < nodes_[0].children; ++i) {
      const Node& child = nodes_[nodes_[0].first_child + i];
      if (child.visits <= most) continue;
      most = child.visits;
      found.move = child.move;
      found.value = child.visits > 0 ? child.results / child.visits : 0.0;
    }
    return found;
  }

 private:
  struct Node {
    std::int16_t move = -1;
    std::int16_t children = 0;
    std::int32_t first_child = 0;
    std::int32_t visits = 0;
    double results = 0.0;  // for the mover to this node
  };

  void open(int index, const State& state) {
    const AgentMoves moves = state.moves();
    nodes_[index].first_child = static_cast<std::int32_t>(nodes_.size());
    nodes_[index].children = static_cast<std::int16_t>(moves.size());
    for (const std::int16_t move : moves) nodes_.push_back({.move = move});
  }

  int child_of(const Node& parent) const {
    const double log_visits = std::log(parent.visits + 1.0);
    int best = parent.first_child;
    double best_score = -INFINITY;
    for (int i = parent.first_child; i < parent.first_child + parent.children; ++i) {
      const double visits = nodes_[i].visits + settings_.epsilon;
      const double score =
          nodes_[i].results / visits + settings_.exploration * std::sqrt(log_visits / visits);
      if (score <= best_score) continue;
      best_score = score;
      best = i;
    }
    return best;
  }

  // The result of a rollout, for the side to move here.
  static int play_out(State state, Random& random) {
    int sign = 1;
    for (; !state.is_over(); sign = -sign) state.play_random(random);
    return sign * state.result();
  }

  // Adds a result for the side to move at the path's end to all its nodes.
  void back_up(int result) {
    for (auto index = path_.rbegin(); index != path_.rend(); ++index) {
      result = -result;
      nodes_[*index].visits += 1;
      nodes_[*index].results += result;
    }
  }

  State root_;
  UctSettings settings_;
  std::vector<Node> nodes_;
  std::vector<int> path_;
};

// The move chosen after so many playouts.
template <AgentState State>
Finding search_uct(const State& root, const UctSettings& settings, Random& random) {
  if (root.is_over()) return {};
  UctTree<State> tree(root, settings);
  for (int i = 0; i < settings.playouts; ++i) tree.visit(random);
  return tree.finding();
}

}  // namespace sparring
