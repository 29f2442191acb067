// AlphaDDA3's search over any Game (Fujita 2022): a search for positions that undo the lead.
//
// A simulation descends by the greatest U(s,a) = W(s,a) / N(s,a) + C sqrt(2 ln(N(s) + 1) / (N(s,a)
// + 1)), without a policy. W / N of an untaken edge is 0, N(s) is the sum of its edges' visits, and
// ties go to the first move. The paper prints W(s,a) / N(s), the node's visits. Its authors' code
// divides by the edge's visits, and so does this: W / N(s) is no mean value, and would shrink with
// the visits of the other moves. A simulation ends at a new position, evaluated as v(s), or at the
// end of the game. On the way back every edge of the path subtracts |v(s) + vbar c(s,a) c| from its
// W: v and vbar, the mean of the real game's last values, are +1 for a win of color 0, and c(s,a) c
// is 1 on the edges of the side to move at the root, -1 on its opponent's. One side thus aims at v
// = -vbar, and expects the other to aim at v = vbar.
//
// A plain tree, one simulation at a time, as in the paper. Not thread-safe; never blocks or prints.
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "game/game.h"
#include "search/evaluation.h"
#include "search/search_traits.h"

namespace sparring {

// A root move and its result.
struct BalanceMove {
  int move;
  int visits;
  double distance;  // mean |v + vbar|, 0 without visits
};

template <Game G>
class BalanceTree {
 public:
  using Traits = SearchTraits<G>;

  // mean_value: vbar.
  BalanceTree(const G& game, double exploration, double mean_value)
      : game_(Traits::searched(game)), exploration_(exploration), mean_value_(mean_value) {
    nodes_.push_back({});
  }

  const G& game() const { return game_; }
  int simulations() const { return simulations_; }
  bool waits() const { return waits_; }

  // Starts a simulation. Returns true if it waits for update() with the network's outputs of the
  // one filled row; false if the game was over, and the simulation is complete.
  bool select(std::uint8_t* spatial, float* global) {
    G game = game_;
    path_.clear();
    int node = 0;
    while (nodes_[node].edges > 0) {
      const int edge = best_edge(nodes_[node]);
      path_.push_back({edge, game.to_move() == game_.to_move()});
      game.play(edges_[edge].move);
      if (edges_[edge].child < 0) {
        edges_[edge].child = static_cast<int>(nodes_.size());
        nodes_.push_back({});
      }
      node = edges_[edge].child;
    }
    if (game.is_over()) {
      back_up(2.0 * game.outcome().black_win - 1.0);
      return false;
    }
    open(node, game);
    game.features(spatial, global, 0);
    black_to_move_ = game.to_move() == 0;
    no_result_possible_ = Traits::no_result_possible(game);
    waits_ = true;
    return true;
  }

  // Completes the simulation with the network's logits of win, loss and no result. Throws
  // std::runtime_error if they are not finite; the simulation then does not count.
  void update(const float* value) {
    waits_ = false;
    const ResultOdds odds = odds_of(value, no_result_possible_);
    if (!odds.finite) throw std::runtime_error("the network's output is not finite");
    const double win_loss = odds.win - odds.loss;
    back_up(black_to_move_ ? win_loss : -win_loss);
  }

  // The root's moves in rising order; none before the first simulation.
  std::vector<BalanceMove> moves() const {
    std::vector<BalanceMove> found;
    for (int i = 0; i < nodes_[0].edges; ++i) {
      const Edge& edge = edges_[nodes_[0].first_edge + i];
      found.push_back({edge.move, edge.visits, edge.visits > 0 ? -edge.sum / edge.visits : 0.0});
    }
    return found;
  }

 private:
  struct Node {
    int first_edge = 0;
    int edges = 0;   // 0: not evaluated, or the game is over
    int visits = 0;  // of its edges
  };
  struct Edge {
    std::int16_t move;
    int node;  // the node above
    int child = -1;
    int visits = 0;
    double sum = 0.0;  // W
  };
  struct Step {
    int edge;
    bool own;  // of the side to move at the root
  };

  void open(int node, const G& game) {
    legal_.resize(game.move_count());
    game.legal_mask(legal_.data());
    nodes_[node].first_edge = static_cast<int>(edges_.size());
    for (int move = 0; move < game.move_count(); ++move)
      if (legal_[move]) edges_.push_back({.move = static_cast<std::int16_t>(move), .node = node});
    nodes_[node].edges = static_cast<int>(edges_.size()) - nodes_[node].first_edge;
  }

  int best_edge(const Node& node) const {
    const double breadth = 2.0 * std::log(node.visits + 1.0);
    int best = node.first_edge;
    double best_score = -INFINITY;
    for (int i = node.first_edge; i < node.first_edge + node.edges; ++i) {
      const Edge& edge = edges_[i];
      const double mean = edge.visits > 0 ? edge.sum / edge.visits : 0.0;
      const double score = mean + exploration_ * std::sqrt(breadth / (edge.visits + 1.0));
      if (score <= best_score) continue;
      best_score = score;
      best = i;
    }
    return best;
  }

  void back_up(double value) {
    for (const Step& step : path_) {
      Edge& edge = edges_[step.edge];
      edge.visits += 1;
      edge.sum -= std::abs(value + (step.own ? mean_value_ : -mean_value_));
      nodes_[edge.node].visits += 1;
    }
    ++simulations_;
  }

  G game_;
  double exploration_;
  double mean_value_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<Step> path_;
  std::vector<std::uint8_t> legal_;
  int simulations_ = 0;
  bool waits_ = false;
  bool black_to_move_ = true;
  bool no_result_possible_ = false;
};

}  // namespace sparring
