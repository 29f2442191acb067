// AlphaZero with a table in place of a network, on a small dark chess (Hsueh 2019, chapter 4).
//
// Each position has a number for each move and one for its value; the policy is their softmax, the
// value their sigmoid: 1 won, 0 lost, for the side to move. A search picks the action with the
// greatest W / N + c P sqrt(sum N) / (1 + N); W / N of an unvisited one is 0. A flip's outcome is
// drawn by its exact probability, and its edge sums up all outcomes. The thesis does not state the
// two last points. Each search begins with an empty tree.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/random.h"
#include "solvers/position_graph.h"

namespace sparring {

struct TabularSettings {
  int simulations = 800;
  double exploration = 1.0;   // c_puct
  double noise_alpha = 1.5;   // of the root's Dirichlet noise
  double noise_share = 0.25;  // epsilon
  double temperature = 1.0;   // tau, of moves and of policy targets
  // The symmetries that learning uses, as bits by their numbers in PositionGraph; the identity is
  // one of them.
  int symmetries = 0xff;
  int window = 2;        // iterations whose games are learned from
  int quiet_limit = 40;  // quiet moves that make a draw
};

// Results of games against optimal play.
struct TabularSeries {
  int games = 0;
  double points = 0.0;  // a draw is half
  int illegal = 0;      // games lost by an illegal move
};

class TabularAlphaZero {
 public:
  TabularAlphaZero(std::shared_ptr<const PositionGraph> graph, const TabularSettings& settings,
                   std::uint64_t seed);

  // Plays games with itself, an iteration's. Returns the number of their positions.
  std::int64_t play(int games);
  // Learns once from each position of the window and its images, in random order. Returns their
  // number.
  std::int64_t learn(double rate);

  const PositionGraph& graph() const { return *graph_; }
  double value(int position) const;
  // [moves], illegal moves included.
  std::vector<double> policy(int position) const;
  // Visits of each action of a position in a search without noise.
  std::vector<int> search(int position);
  // The number of positions learned from so far, images included, each counted once.
  int distinct() const { return distinct_; }
  // Plays the likeliest move, legal or not, without search, against any best move by the values.
  TabularSeries against_optimal(const std::vector<int>& values, int games, int quiet_limit);

 private:
  struct Sample {
    std::int32_t position;
    std::int32_t first;  // of its targets
    std::int16_t actions;
    float outcome;  // for the side to move: 1, .5 or 0
  };
  struct Games {
    std::vector<Sample> samples;
    std::vector<float> targets;  // by action
  };
  struct Node {
    std::int32_t position, first_edge;
    std::int32_t visits = 0;  // of its edges
  };
  struct Edge {
    float prior, sum = 0.0f;
    std::int32_t visits = 0;
    std::int32_t child = -1;  // a node; of a flip the first of `children_`
  };

  float* logits(int position) { return logits_.data() + std::size_t(position) * moves_; }
  const float* logits(int position) const {
    return logits_.data() + std::size_t(position) * moves_;
  }
  void play_game(Games& games);
  void run_search(int position, bool has_noise);
  int add_node(int position);
  void simulate();
  int pick_edge(const Node& node) const;
  // The node after an edge, -1 after the game's end; a new one is made.
  int follow(int edge, const GraphAction& action, bool& is_new);
  int draw_outcome(const GraphAction& action);
  void add_noise();
  void step(int position, const Sample& sample, const float* targets, int symmetry, double rate);

  std::shared_ptr<const PositionGraph> graph_;
  TabularSettings settings_;
  Random random_;
  int moves_;
  std::vector<float> logits_;  // [positions, moves]
  std::vector<float> values_;  // [positions], before the sigmoid
  std::vector<Games> window_;
  std::vector<bool> is_learned_;
  int distinct_ = 0;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<std::int32_t> children_;
  std::vector<std::int32_t> path_;  // edges
};

}  // namespace sparring
