// One self-play game: from position to position, each searched, solved or forced, with one
// evaluation at a time. Its moves depend on its number and the network alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/random.h"
#include "search/tree.h"
#include "search/tree_target.h"
#include "selfplay/self_play_record.h"
#include "selfplay/self_play_settings.h"
#include "solvers/solution.h"

namespace sparring {

// The common state of a self-play's games.
template <Game G>
struct SelfPlayRules {
  using ScoreBounder = typename SearchTraits<G>::ScoreBounder;

  G start;
  SearchSettings search;
  SelfPlaySettings play;
  NetworkScales scales;
  uint64_t seed;
  std::shared_ptr<ScoreBounder> score_bounder;
};

// A move in proportion to `policy` to the power of 1 / temperature; at 0 the first of the best.
inline int sampled_move(const std::vector<float>& policy, double temperature, Random& random) {
  const auto best = std::max_element(policy.begin(), policy.end());
  int move = static_cast<int>(best - policy.begin());
  if (temperature <= 0) return move;
  std::vector<double> shares(policy.size(), 0.0);
  double total = 0;
  for (std::size_t i = 0; i < policy.size(); ++i)
    if (policy[i] > 0)
      total += shares[i] = std::exp(std::log(double{policy[i]} / *best) / temperature);
  double left = random.uniform() * total;
  for (std::size_t i = 0; i < policy.size(); ++i) {
    if (shares[i] <= 0) continue;
    move = static_cast<int>(i);  // the last one if rounding leaves a remainder
    left -= shares[i];
    if (left < 0) break;
  }
  return move;
}

// The played move of a legal move: its outcome, if any, is drawn by the exact probabilities.
template <Game G>
int with_drawn_outcome(const G& game, int move, Random& random) {
  if constexpr (ChanceGame<G>) {
    const auto outcomes = game.outcomes(move);
    int weights = 0;
    for (const auto& outcome : outcomes) weights += outcome.second;
    int skip = random.below(weights);
    for (const auto& [played, weight] : outcomes)
      if ((skip -= weight) < 0) return played;
  }
  return move;
}

template <Game G>
class SelfPlayGame {
 public:
  SelfPlayGame(const SelfPlayRules<G>& rules, int number)
      : rules_(rules),
        random_(mix64(rules.seed) ^ static_cast<uint64_t>(number)),
        game_(rules.start),
        tree_(rules.start, rules.search, rules.scales, nullptr, 0, random_.next(),
              rules.score_bounder),
        legal_(rules.start.move_count()) {
    record_.number = number;
    play_opening();
  }

  // Plays on to the next needed evaluation and writes its row; false at the end of the game.
  // Repeats the request if the last evaluation did not come.
  bool play_on(uint8_t* spatial, float* global);
  void update(const float* policy, const float* value, const float* misc, const float* ownership) {
    tree_.update(0, policy, value, misc, ownership);
  }

  // The record of the finished game.
  GameRecord<G> take_record() {
    record_.end = game_;
    return std::move(record_);
  }

 private:
  static constexpr int kMostIdleTurns = 1000;  // of a search without requests and results

  void play_opening();
  void begin_search();
  bool searched() { return tree_.proven() || tree_.root()->stats.visits >= visits_; }
  // Writes the legal moves into legal_; returns their number.
  int count_legal() {
    game_.legal_mask(legal_.data());
    return static_cast<int>(std::count(legal_.begin(), legal_.end(), 1));
  }
  int any_legal() {
    int skip = random_.below(count_legal());
    for (int move = 0;; ++move)
      if (legal_[move] && skip-- == 0) return move;
  }
  int empties() const {
    int count = 0;
    for (int cell = 0; cell < game_.width() * game_.height(); ++cell)
      count += game_.color_at(cell) < 0;
    return count;
  }
  // Plays the move, in a game of chance with its outcome; returns the played move.
  int play(int move) {
    const int played = with_drawn_outcome(game_, move, random_);
    record_.moves.push_back(static_cast<int16_t>(played));
    game_.play(played);
    return played;
  }
  bool play_solved();
  bool play_only_move();
  void play_searched();
  int chosen(const PlyRecord<G>& ply, const std::vector<float>& policy);
  int softly_chosen(const std::vector<float>& policy);
  // Records the position and plays the move, on the tree too.
  void follow(PlyRecord<G> ply, int move);

  const SelfPlayRules<G>& rules_;
  Random random_;
  G game_;
  Tree<G> tree_;
  GameRecord<G> record_;
  std::vector<uint8_t> legal_;
  bool searching_ = false;
  bool full_ = false;  // of the present search
  int visits_ = 0;     // its target
};

template <Game G>
void SelfPlayGame<G>::play_opening() {
  const SelfPlaySettings& s = rules_.play;
  if (random_.uniform() < s.random_openings) {
    for (int left = 1 + random_.below(s.random_opening_moves); left > 0 && !game_.is_over(); --left)
      play(any_legal());
    tree_.set_game(game_);
  }
}

template <Game G>
bool SelfPlayGame<G>::play_on(uint8_t* spatial, float* global) {
  if (tree_.repeat(0, spatial, global) > 0) return true;
  int idle_turns = 0;
  while (!game_.is_over()) {
    if (!searching_) {
      if (play_solved() || play_only_move()) continue;
      begin_search();
    }
    if (searched()) {
      play_searched();
      idle_turns = 0;
      continue;
    }
    const int64_t budget = visits_ - tree_.root()->stats.visits;
    if (tree_.select(0, spatial, global, 1, budget) > 0) return true;
    if (++idle_turns > kMostIdleTurns) throw std::logic_error("a game of self-play stands still");
  }
  return false;
}

template <Game G>
void SelfPlayGame<G>::begin_search() {
  const SelfPlaySettings& s = rules_.play;
  full_ = random_.uniform() < s.full_share;
  visits_ = full_ ? s.visits : s.fast_visits;
  tree_.set_root_exploration(full_, full_ ? s.forced_playouts : 0.0);
  tree_.begin();
  searching_ = true;
}

template <Game G>
void SelfPlayGame<G>::follow(PlyRecord<G> ply, int move) {
  record_.plies.push_back(std::move(ply));
  const int played = play(move);
  searching_ = false;
  if (rules_.play.reuse_tree)
    tree_.advance(played, game_);
  else
    tree_.set_game(game_);
}

// Plays a forced move; false if there is a choice. The sample has a result but no policy.
template <Game G>
bool SelfPlayGame<G>::play_only_move() {
  if (count_legal() > 1) return false;
  const int move = static_cast<int>(std::find(legal_.begin(), legal_.end(), 1) - legal_.begin());
  follow({game_, static_cast<int>(record_.moves.size()), {}, {}}, move);
  return true;
}

// Plays a solved move; false if the position has too many empty cells.
template <Game G>
bool SelfPlayGame<G>::play_solved() {
  if constexpr (SearchTraits<G>::kProves) {
    if (empties() > rules_.play.solve_empties) return false;
    const BestMoves best = rules_.score_bounder->solver.best_moves(game_);
    std::vector<float> policy(game_.move_count(), 0.0f);
    for (const int move : best.moves) policy[move] = 1.0f / static_cast<float>(best.moves.size());
    PlyRecord<G> ply{game_, static_cast<int>(record_.moves.size()), policy, best.score};
    const int move = chosen(ply, policy);
    follow(std::move(ply), move);
    return true;
  } else {
    return false;
  }
}

template <Game G>
void SelfPlayGame<G>::play_searched() {
  const Node& root = *tree_.root();
  std::vector<float> policy =
      policy_target(root, tree_.root_view(), tree_.settings(), tree_.scale());
  PlyRecord<G> ply{game_, static_cast<int>(record_.moves.size()), {}, {}};
  if (tree_.proven()) ply.exact_score = root.bounds_of(root.to_move).low;
  const int move = chosen(ply, policy);
  if (full_ || ply.exact_score) ply.policy = std::move(policy);
  follow(std::move(ply), move);
}

template <Game G>
int SelfPlayGame<G>::chosen(const PlyRecord<G>& ply, const std::vector<float>& policy) {
  const SelfPlaySettings& s = rules_.play;
  if (ply.exact_score) {
    if (random_.uniform() < s.solved_random_share) return any_legal();
    return sampled_move(policy, 1.0, random_);
  }
  const bool opening = ply.ply < s.opening_moves;
  if (opening && s.opening_softness > 0) return softly_chosen(policy);
  return sampled_move(policy, opening ? s.opening_temperature : s.later_temperature, random_);
}

// Any legal move, in proportion to exp(visits / opening_softness).
template <Game G>
int SelfPlayGame<G>::softly_chosen(const std::vector<float>& policy) {
  const double visits = static_cast<double>(tree_.root()->stats.visits - 1);
  const double most = *std::max_element(policy.begin(), policy.end());
  std::vector<float> shares(policy.size(), 0.0f);
  count_legal();
  for (std::size_t i = 0; i < policy.size(); ++i)
    if (legal_[i])
      shares[i] =
          static_cast<float>(std::exp((policy[i] - most) * visits / rules_.play.opening_softness));
  return sampled_move(shares, 1.0, random_);
}

}  // namespace sparring
