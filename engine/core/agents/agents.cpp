#include "agents/agents.h"

#include <stdexcept>
#include <string>
#include <variant>

#include "agents/connect4_evaluation.h"
#include "agents/depth_search.h"
#include "agents/othello_evaluation.h"
#include "agents/roxanne.h"
#include "agents/uct.h"
#include "go/go_sensible.h"

namespace sparring {

namespace {

constexpr int kAlphaDdaDepth = 3;
constexpr int kAlphaDdaLastTurns = 6;  // empty squares at the start of a search to the end
constexpr int kToTheEnd = 2 * kAlphaDdaLastTurns;  // plies, if every second one is a pass
constexpr int kWorstDepth = 2;

// Numbers from the game's seed and its length so far: no state is kept.
template <typename Position>
Random random_for(const Position& position, std::uint64_t seed) {
  return Random(mix64(seed) + static_cast<std::uint64_t>(position.move_number()));
}

// Calls act(OthelloState<N>) for the board of this position.
template <typename Act>
auto on_state(const OthelloPosition& position, Act act) {
  return std::visit(
      [&]<int N>(const OthelloBoard<N>& board) { return act(OthelloState<N>(board)); },
      position.board());
}

AgentMoves shuffled(AgentMoves moves, Random& random) {
  moves.shuffle(random);
  return moves;
}

Backup backup_of(AlphaDdaMinimax kind) {
  return kind.published ? Backup::least_leaf : Backup::minimax;
}

template <int N>
PlaceEvaluation<N> places(AlphaDdaMinimax kind) {
  if constexpr (N == 6 || N == 8)
    return kind.number == 1 ? PlaceEvaluation<N>::minimax1() : PlaceEvaluation<N>::minimax2();
  else
    throw std::invalid_argument("AlphaDDA's minimax plays Othello on 6x6 and 8x8, not " +
                                std::to_string(N) + "x" + std::to_string(N));
}

ConnectionEvaluation connections(AlphaDdaMinimax kind) {
  return kind.number == 1 ? ConnectionEvaluation::minimax1() : ConnectionEvaluation::minimax2();
}

template <AgentState State>
Finding random_of(const State& state, Random random) {
  const AgentMoves moves = state.moves();
  return {moves[random.below(moves.size())]};
}

template <int N>
int taste(const OthelloBoard<N>& board, int square, OthelloTaste taste) {
  static constexpr auto kRoxanneValues = roxanne_values<N>();
  switch (taste) {
    case OthelloTaste::most_discs:
      return count_bits(board.flips(square));
    case OthelloTaste::fewest_discs:
      return -count_bits(board.flips(square));
    case OthelloTaste::roxanne:
      return kRoxanneValues[square];
  }
  return 0;
}

}  // namespace

Finding random_move(const GoPosition& position, std::uint64_t seed) {
  Random random = random_for(position, seed);
  int chosen = position.pass_move(), count = 0;
  for_each_sensible_move(position, [&](int move) {
    if (random.below(++count) == 0) chosen = move;
  });
  return {chosen};
}

Finding random_move(const OthelloPosition& position, std::uint64_t seed) {
  return on_state(position,
                  [&](const auto& state) { return random_of(state, random_for(position, seed)); });
}

Finding random_move(const Connect4Position& position, std::uint64_t seed) {
  return random_of(Connect4State(position.board()), random_for(position, seed));
}

Finding first_move(const GoPosition& position) {
  int first = position.pass_move();
  for_each_sensible_move(position, [&](int move) { first = std::min(first, move); });
  return {first};
}

Finding first_move(const OthelloPosition& position) {
  return on_state(position, [](const auto& state) { return Finding{state.moves()[0]}; });
}

Finding first_move(const Connect4Position& position) {
  return {Connect4State(position.board()).moves()[0]};
}

Finding worst_move(const OthelloPosition& position, std::uint64_t seed) {
  Random random = random_for(position, seed);
  return on_state(position, [&]<int N>(const OthelloState<N>& state) {
    const AgentMoves moves = shuffled(state.moves(), random);
    return search_worst(state, moves, LiangEvaluation<N>(), kWorstDepth);
  });
}

Finding worst_move(const Connect4Position& position, std::uint64_t seed) {
  Random random = random_for(position, seed);
  const Connect4State state(position.board());
  const AgentMoves moves = shuffled(state.moves(), random);
  return search_worst(state, moves, ConnectionEvaluation::minimax1(), kWorstDepth);
}

Finding tasteful_move(const OthelloPosition& position, OthelloTaste by, std::uint64_t seed) {
  Random random = random_for(position, seed);
  return on_state(position, [&]<int N>(const OthelloState<N>& state) {
    if (state.squares() == 0) return Finding{OthelloBoard<N>::kCells};
    Finding found;
    int ties = 0;
    for (const int move : state.moves()) {
      const int value = taste(state.board(), OthelloBoard<N>::square_of(move), by);
      if (ties > 0 && value < found.value) continue;
      ties = ties > 0 && value == found.value ? ties + 1 : 1;
      if (random.below(ties) == 0) found.move = move;
      found.value = value;
    }
    return found;
  });
}

Finding liang_minimax(const OthelloPosition& position, int depth, bool pruning,
                      std::uint64_t seed) {
  Random random = random_for(position, seed);
  return on_state(position, [&]<int N>(const OthelloState<N>& state) {
    const AgentMoves moves = shuffled(state.moves(), random);
    return search_best(state, moves, LiangEvaluation<N>(), depth,
                       pruning ? Backup::alpha_beta : Backup::minimax);
  });
}

int liang_evaluation(const OthelloPosition& position, int color) {
  return on_state(position, [&]<int N>(const OthelloState<N>& state) {
    return LiangEvaluation<N>()(state, position.to_move() == color);
  });
}

Finding liang_tree_search(const OthelloPosition& position, int loops, std::uint64_t seed) {
  Random random = random_for(position, seed);
  return on_state(position, [&]<int N>(const OthelloState<N>& state) {
    RoxanneSearch<N> search(state, shuffled(state.moves(), random));
    for (int i = 0; i < loops; ++i) search.loop(random);
    return search.finding();
  });
}

Finding alphadda_tree_search(const OthelloPosition& position, int playouts, std::uint64_t seed) {
  Random random = random_for(position, seed);
  return on_state(position, [&](const auto& state) {
    return search_uct(state, {.playouts = playouts}, random);
  });
}

Finding alphadda_tree_search(const Connect4Position& position, int playouts, std::uint64_t seed) {
  Random random = random_for(position, seed);
  return search_uct(Connect4State(position.board()), {.playouts = playouts}, random);
}

Finding alphadda_minimax(const OthelloPosition& position, AlphaDdaMinimax kind) {
  return on_state(position, [&]<int N>(const OthelloState<N>& state) {
    const bool last = state.board().count_empty() <= kAlphaDdaLastTurns;
    return search_best(state, state.moves(), places<N>(kind), last ? kToTheEnd : kAlphaDdaDepth,
                       backup_of(kind));
  });
}

Finding alphadda_minimax(const Connect4Position& position, AlphaDdaMinimax kind) {
  const Connect4State state(position.board());
  return search_best(state, state.moves(), connections(kind), kAlphaDdaDepth, backup_of(kind));
}

int alphadda_evaluation(const OthelloPosition& position, AlphaDdaMinimax kind) {
  return on_state(
      position, [&]<int N>(const OthelloState<N>& state) { return places<N>(kind)(state, true); });
}

int alphadda_evaluation(const Connect4Position& position, AlphaDdaMinimax kind) {
  return connections(kind)(Connect4State(position.board()), true);
}

}  // namespace sparring
