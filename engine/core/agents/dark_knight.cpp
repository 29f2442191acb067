#include "agents/dark_knight.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "agents/dark_knight_playout.h"

namespace sparring {

namespace {

// The mean and the deviation of numbers as they come (Welford).
class RunningMoments {
 public:
  void add(double number) {
    count_ += 1;
    const double before = number - mean_;
    mean_ += before / static_cast<double>(count_);
    squares_ += before * (number - mean_);
  }
  // The number's distance from the mean in deviations; 0 while there is none.
  double standardized(double number) const {
    const double deviation = count_ > 1 ? std::sqrt(squares_ / static_cast<double>(count_)) : 0.0;
    return deviation > 0 ? (number - mean_) / deviation : 0.0;
  }

 private:
  std::int64_t count_ = 0;
  double mean_ = 0.0, squares_ = 0.0;
};

// A sigmoid from -1 to 1.
double sigmoid(double x, double slope) { return 2.0 / (1.0 + std::exp(-slope * x)) - 1.0; }

// A node after an action, or, below a flip, after its outcome. Values are those of the player who
// moved to it.
struct Node {
  DarkChessAction action{};
  std::int8_t code = -1;   // of an outcome
  bool is_chance = false;  // a flip, with outcomes for children
  bool is_open = false;    // its children exist
  std::int16_t children = 0;
  std::int32_t first_child = 0;
  std::int64_t visits = 0;
  double rewards = 0.0;
  double minimax = 0.0;
  double losses = 0.0;  // draws are half
  double bias = 0.0;
  float victim = 0.0;  // weight of the captured piece
};

class DarkKnightTree {
 public:
  DarkKnightTree(const DarkChessPosition& position, const DarkKnightSettings& settings,
                 std::uint64_t seed)
      : settings_(settings), root_(position, settings), random_(mix64(seed)) {
    nodes_.push_back({});
    open(0, root_.board(), root_.board().actions());
  }

  void simulate() {
    DarkKnightGame game = root_;
    path_.assign(1, 0);
    descend(game);
    const int before = game.length();
    const bool is_end = game.is_over();
    if (!is_end) game.play_out(random_);
    playout_actions_ += game.length() - before;
    back_up(reward_of(game), game, is_end);
  }

  // Tests whether so many simulations more leave the most visited action the same.
  bool is_decided(int left) const {
    std::int64_t most = 0, second = 0;
    for (int i = nodes_[0].first_child; i < nodes_[0].first_child + nodes_[0].children; ++i) {
      second = std::max(second, std::min(most, nodes_[i].visits));
      most = std::max(most, nodes_[i].visits);
    }
    return nodes_[0].children == 1 || second + left < most;
  }

  DarkKnightResult result(const DarkChessPosition& position) const {
    DarkKnightResult out;
    const Node& root = nodes_[0];
    std::int64_t most = -1;
    double sum = 0.0;
    for (int i = root.first_child; i < root.first_child + root.children; ++i) {
      const Node& child = nodes_[i];
      const int move = position.board().geometry->move_of(child.action.from, child.action.to);
      const double value =
          child.visits > 0 ? child.rewards / static_cast<double>(child.visits) : 0.0;
      out.actions.push_back({move, child.visits, value});
      sum += child.rewards;
      if (child.visits > most) {
        most = child.visits;
        out.finding.move = move;
      }
    }
    out.finding.nodes = root.visits;
    const double visits = std::max(1.0, static_cast<double>(root.visits));
    out.finding.value = sum / visits;
    out.mean_playout = static_cast<double>(playout_actions_) / visits;
    return out;
  }

 private:
  bool uses_minimax() const { return settings_.minimax_share > 0; }

  // Walks to a new node, or to the end of the game.
  void descend(DarkKnightGame& game) {
    while (!game.is_over()) {
      const int index = path_.back();
      if (!nodes_[index].is_open) {
        const DarkChessActions actions = game.board().actions();
        game.check_actions(actions);
        if (game.is_over()) return;
        if (nodes_[index].visits == 0) {
          if (uses_minimax()) nodes_[index].minimax = -evaluation(game.board());
          return;
        }
        open(index, game.board(), actions);
      }
      const int child = pick(nodes_[index]);
      path_.push_back(child);
      const DarkChessAction action = nodes_[child].action;
      int code = -1;
      if (action.is_flip()) {
        code = game.board().draw(random_);
        path_.push_back(outcome(child, game.board(), code));
      }
      game.play(action, code);
    }
  }

  void open(int index, const DarkChessBoard& board, const DarkChessActions& actions) {
    nodes_[index].is_open = true;
    nodes_[index].first_child = static_cast<std::int32_t>(nodes_.size());
    nodes_[index].children = static_cast<std::int16_t>(actions.size());
    for (const DarkChessAction& action : actions) {
      Node node{.action = action, .is_chance = action.is_flip()};
      if (settings_.visits_captures_first && !action.is_flip())
        if (const int code = board.code_at(action.to); code >= 0)
          node.victim = static_cast<float>(kPieceWeights[kind_of(code)]);
      if (settings_.bias_share > 0)
        node.bias = settings_.bias_share * settings_.bias(board, action);
      nodes_.push_back(node);
    }
  }

  // The child of a chance node for a piece.
  int outcome(int index, const DarkChessBoard& board, int code) {
    if (!nodes_[index].is_open) {
      nodes_[index].is_open = true;
      nodes_[index].first_child = static_cast<std::int32_t>(nodes_.size());
      for (int each = 0; each < kPieceCodes; ++each) {
        if (board.pool[each] == 0) continue;
        nodes_.push_back({.action = nodes_[index].action, .code = static_cast<std::int8_t>(each)});
        nodes_[index].children += 1;
      }
    }
    int child = nodes_[index].first_child;
    while (nodes_[child].code != code) ++child;
    return child;
  }

  int pick(const Node& parent) const {
    const double logarithm =
        std::log(static_cast<double>(std::max<std::int64_t>(parent.visits, 1)));
    const double share = minimax_share(parent);
    int best = parent.first_child;
    double most = -INFINITY;
    for (int i = parent.first_child; i < parent.first_child + parent.children; ++i) {
      const Node& child = nodes_[i];
      double score = kFirst + child.bias + child.victim;  // unvisited actions come first
      if (child.visits > 0) {
        const double visits = static_cast<double>(child.visits);
        const double mean = child.rewards / visits;
        score = (1.0 - share) * mean + share * child.minimax +
                settings_.exploration * std::sqrt(logarithm / visits);
        if (child.bias != 0) score += child.bias / divisor(child);
      }
      if (score <= most) continue;
      most = score;
      best = i;
    }
    return best;
  }

  double minimax_share(const Node& parent) const {
    const double least = settings_.minimax_share, decay = settings_.minimax_decay;
    if (decay <= 0) return least;
    const double visits = static_cast<double>(parent.visits);
    return (1.0 - least) * std::sqrt(decay / (decay + settings_.minimax_decay_visits * visits)) +
           least;
  }

  // At least a half, the losses of one draw: no division by 0.
  double divisor(const Node& node) const {
    const double visits = static_cast<double>(node.visits);
    double count = 0.0;
    switch (settings_.bias_count) {
      case BiasCount::kVisits:
        count = visits;
        break;
      case BiasCount::kRootVisits:
        count = std::sqrt(visits);
        break;
      case BiasCount::kLogVisits:
        count = std::log(visits + 1.0);
        break;
      case BiasCount::kLosses:
        count = node.losses;
        break;
      case BiasCount::kRootLosses:
        count = std::sqrt(node.losses);
        break;
      case BiasCount::kLogLosses:
        count = std::log(node.losses + 1.0);
        break;
    }
    return std::max(count, 0.5);
  }

  // The lead in weights for the color to move, within -1..1.
  double evaluation(const DarkChessBoard& board) const {
    if (board.color == DarkChessBoard::kNoColor) return 0.0;
    return sigmoid(weight_lead(board, board.color), settings_.minimax_scale);
  }

  struct Reward {
    double amount;  // for the winner; 0 for a draw
    int winner;     // color, -1 for a draw
  };

  Reward reward_of(const DarkKnightGame& game) {
    const int winner = game.winner();
    if (winner < 0) return {0.0, -1};
    double amount = 1.0;
    if (settings_.length_share > 0) {
      const double length = game.length();
      amount += settings_.length_share *
                sigmoid(-lengths_[winner].standardized(length), settings_.length_slope);
      lengths_[winner].add(length);
    }
    if (settings_.terminal_share > 0) {
      const double quality = terminal_quality(game.board(), winner);
      amount += settings_.terminal_share *
                sigmoid(qualities_[winner].standardized(quality), settings_.terminal_slope);
      qualities_[winner].add(quality);
    }
    return {amount, winner};
  }

  double terminal_quality(const DarkChessBoard& board, int winner) const {
    double sum = 0.0;
    for (int kind = 0; kind < kDarkChessKinds; ++kind) {
      const int code = piece_code(winner, kind);
      const int left = std::popcount(board.pieces[code]) + board.pool[code];
      sum += left * (1.0 + settings_.terminal_weight * kPieceWeights[kind]);
    }
    return sum;
  }

  void back_up(const Reward& reward, const DarkKnightGame& game, bool is_end) {
    // The mover to the last node of the path has the color that is not to move after the tree's
    // actions; it follows from the final color and the number of actions after them.
    int tree_actions = 0;
    for (const int index : path_) tree_actions += index != 0 && nodes_[index].code < 0;
    const int final_color = game.board().color;
    int mover = (game.length() - tree_actions) % 2 == 0 ? 1 - final_color : final_color;
    for (auto index = path_.rbegin(); index != path_.rend(); ++index) {
      Node& node = nodes_[*index];
      const bool is_outcome = node.code >= 0;
      node.visits += 1;
      if (reward.winner >= 0)
        node.rewards += reward.winner == mover ? reward.amount : -reward.amount;
      node.losses += reward.winner < 0 ? 0.5 : reward.winner != mover;
      if (uses_minimax() && node.is_open) renew_minimax(node);
      if (uses_minimax() && !node.is_open && is_end)
        node.minimax = reward.winner < 0 ? 0.0 : reward.winner == mover ? 1.0 : -1.0;
      // An outcome and its chance node belong to one mover.
      if (!is_outcome) mover = 1 - mover;
    }
  }

  void renew_minimax(Node& node) const {
    double best = -INFINITY, sum = 0.0, visits = 0.0;
    for (int i = node.first_child; i < node.first_child + node.children; ++i) {
      const Node& child = nodes_[i];
      if (child.visits == 0) continue;
      best = std::max(best, child.minimax);
      sum += static_cast<double>(child.visits) * child.minimax;
      visits += static_cast<double>(child.visits);
    }
    if (visits > 0) node.minimax = node.is_chance ? sum / visits : -best;
  }

  static constexpr double kFirst = 1e6;

  DarkKnightSettings settings_;
  DarkKnightGame root_;
  Random random_;
  std::vector<Node> nodes_;
  std::vector<int> path_;
  std::array<RunningMoments, 2> lengths_, qualities_;  // by the winner's color
  std::int64_t playout_actions_ = 0;
};

}  // namespace

DarkKnightResult search_dark_knight(const DarkChessPosition& position,
                                    const DarkKnightSettings& settings, std::uint64_t seed) {
  constexpr int kCheckInterval = 64;  // simulations
  DarkKnightTree tree(position, settings, seed);
  for (int left = settings.simulations; left > 0; --left) {
    if (settings.stops_when_decided && left % kCheckInterval == 0 && tree.is_decided(left)) break;
    tree.simulate();
  }
  return tree.result(position);
}

std::vector<DarkKnightResult> search_dark_knight_stages(const DarkChessPosition& position,
                                                        const DarkKnightSettings& settings,
                                                        std::uint64_t seed,
                                                        const std::vector<int>& stages) {
  DarkKnightTree tree(position, settings, seed);
  std::vector<DarkKnightResult> out;
  int simulations = 0;
  for (const int stage : stages) {
    for (; simulations < stage; ++simulations) tree.simulate();
    out.push_back(tree.result(position));
  }
  return out;
}

}  // namespace sparring
