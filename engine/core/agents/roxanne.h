// Roxanne's policy of Othello, and Liang's Monte Carlo tree search with rollouts by it (2022).
//
// The search's tree is two plies deep. A loop takes the child of the root with the highest
//
//     mean(result) + alpha * init / (1 + visits)
//
// with result +1, 0, -1 for the searcher, 0 before any, and init the evaluation of the child; a
// random child of that child is played to the end by the policy. The most visited move is played.
// The study does not give a scale for init: here values within kEvaluationRange of 0 become 0 to 1,
// the best of the tried scales: the term then fades with visits, as a prior does.
#pragma once

#include <algorithm>
#include <vector>

#include "agents/othello_evaluation.h"

namespace sparring {

// Plays a random legal square of the highest value; a pass if it must.
template <int N>
void play_roxanne(OthelloState<N>& state, Random& random) {
  static constexpr auto kClasses = roxanne_classes<N>();
  const auto squares = state.squares();
  for (const auto places : kClasses)
    if (const auto best = squares & places; best != 0)
      return state.play_square(lowest_bit(random_bit(best, count_bits(best), random)));
  state.pass();
}

template <int N>
class RoxanneSearch {
 public:
  static constexpr double kAlpha = 0.4;
  static constexpr double kEvaluationRange = 50.0;

  // The moves of the root in the order of ties; there must be one.
  RoxanneSearch(const OthelloState<N>& root, const AgentMoves& moves) : moves_(moves) {
    for (const int move : moves) {
      Child& child = children_.emplace_back(root);
      child.state.play(move);
      const double value = LiangEvaluation<N>()(child.state, false);
      child.init = std::clamp(0.5 + 0.5 * value / kEvaluationRange, 0.0, 1.0);
    }
  }

  void loop(Random& random) {
    Child& best = *std::ranges::max_element(children_, {}, &Child::score);
    best.results += play_out(best.state, random);
    best.visits += 1;
  }

  // The most visited move, its mean result, the number of rollouts.
  Finding finding() const {
    int best = 0, visits = 0;
    for (int i = 0; i < moves_.size(); ++i) {
      visits += children_[i].visits;
      if (children_[i].visits > children_[best].visits) best = i;
    }
    return {moves_[best], children_[best].mean(), visits};
  }

 private:
  struct Child {
    explicit Child(const OthelloState<N>& root) : state(root) {}

    OthelloState<N> state;
    double init = 0.0;
    double results = 0.0;
    int visits = 0;

    double mean() const { return visits > 0 ? results / visits : 0.0; }
    double score() const { return mean() + kAlpha * init / (1 + visits); }
  };

  // The result of a rollout from a child of the root, for the mover there.
  static int play_out(OthelloState<N> state, Random& random) {
    if (state.is_over()) return -state.result();
    state.play_random(random);
    int sign = 1;
    for (; !state.is_over(); sign = -sign) play_roxanne(state, random);
    return sign * state.result();
  }

  AgentMoves moves_;
  std::vector<Child> children_;
};

}  // namespace sparring
