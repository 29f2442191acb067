// Minimax to a fixed depth, with or without alpha-beta's cuts, over any game. A forced pass is a
// ply. Values are whole numbers of the searcher, on every ply: an evaluation need not be symmetric.
#pragma once

#include <algorithm>
#include <climits>
#include <cstdint>

#include "agents/agent_state.h"

namespace sparring {

// Values a position, over or not, for the searcher; with own_turn the searcher is to move.
template <typename E, typename State>
concept AgentEvaluation = requires(const E evaluation, const State state, bool own_turn) {
  { evaluation(state, own_turn) } -> std::same_as<int>;
};

// The way from the values of leaves to the value of a move.
enum class Backup {
  minimax,
  alpha_beta,  // minimax's moves, from fewer positions
  least_leaf,  // the least of all leaves below the move, for any side to choose
};

template <AgentState State, AgentEvaluation<State> Evaluation>
class DepthSearch {
 public:
  DepthSearch(const Evaluation& evaluation, Backup backup)
      : evaluation_(evaluation), backup_(backup) {}

  // The first of these moves of the root with the best value; there must be one. It is the same
  // with pruning: a cut move cannot be better than an earlier one.
  Finding best(const State& root, const AgentMoves& moves, int depth) {
    nodes_ = 1;
    int best = -INT_MAX, move = -1;
    for (const int candidate : moves) {
      const int value =
          value_after(root, candidate, depth, backup_ == Backup::alpha_beta ? best : -INT_MAX);
      if (value <= best) continue;
      best = value;
      move = candidate;
    }
    return {move, static_cast<double>(best), nodes_};
  }

  // The first of them with the worst value against the opponent's best replies.
  Finding worst(const State& root, const AgentMoves& moves, int depth) {
    nodes_ = 1;
    int worst = INT_MAX, move = -1;
    for (const int candidate : moves) {
      const int value = value_after(root, candidate, depth, -INT_MAX);
      if (value >= worst) continue;
      worst = value;
      move = candidate;
    }
    return {move, static_cast<double>(worst), nodes_};
  }

 private:
  int value_after(const State& root, int move, int depth, int alpha) {
    State child = root;
    child.play(move);
    return value_of(child, depth - 1, false, alpha, INT_MAX);
  }

  int value_of(const State& state, int depth, bool own_turn, int alpha, int beta) {
    ++nodes_;
    if (depth <= 0 || state.is_over()) return evaluation_(state, own_turn);
    const bool maximizing = own_turn && backup_ != Backup::least_leaf;
    int best = maximizing ? -INT_MAX : INT_MAX;
    for (const int move : state.moves()) {
      State child = state;
      child.play(move);
      const int value = value_of(child, depth - 1, !own_turn, alpha, beta);
      best = maximizing ? std::max(best, value) : std::min(best, value);
      if (backup_ != Backup::alpha_beta) continue;
      (own_turn ? alpha : beta) = own_turn ? std::max(alpha, best) : std::min(beta, best);
      if (alpha >= beta) break;
    }
    return best;
  }

  Evaluation evaluation_;
  Backup backup_;
  std::int64_t nodes_ = 0;
};

template <AgentState State, AgentEvaluation<State> Evaluation>
Finding search_best(const State& root, const AgentMoves& moves, const Evaluation& evaluation,
                    int depth, Backup backup) {
  return DepthSearch<State, Evaluation>(evaluation, backup).best(root, moves, depth);
}

template <AgentState State, AgentEvaluation<State> Evaluation>
Finding search_worst(const State& root, const AgentMoves& moves, const Evaluation& evaluation,
                     int depth) {
  return DepthSearch<State, Evaluation>(evaluation, Backup::minimax).worst(root, moves, depth);
}

}  // namespace sparring
