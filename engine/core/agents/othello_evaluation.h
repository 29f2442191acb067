// The evaluations of Othello's searching agents, for the searcher.
#pragma once

#include "agents/agent_state.h"
#include "othello/othello_weights.h"

namespace sparring {

// Liang's evaluation (2022), the sum of four terms: Roxanne's value of every disc; discs, with
// fewer better early and more better late; the opponent's mobility; corners, less the squares
// beside an empty corner. The study gives no factors: these are ours. Ours are also the end of the
// early part, at half of the board filled, and the value of a finished game, first by its winner,
// then by discs.
template <int N>
struct LiangEvaluation {
  using Board = OthelloBoard<N>;
  using Bits = typename Board::Bits;
  static constexpr int kWon = 1'000'000;
  static constexpr int kMobility = 2, kCorner = 20, kBesideCorner = 5;

  int operator()(const OthelloState<N>& state, bool own_turn) const {
    const Board board = own_turn ? state.board() : state.board().swapped();
    const int discs = board.count_own() - board.count_other();
    if (state.is_over()) return discs + (own_turn ? kWon : -kWon) * state.result();
    const bool early = 2 * board.count_empty() > N * N;
    return places(board) + (early ? -discs : discs) + corners(board) -
           kMobility * count_bits(board.swapped().moves());
  }

 private:
  static int places(const Board& board) {
    static constexpr auto kClasses = roxanne_classes<N>();
    int sum = 0;
    for (int i = 0; i < kRoxanneClasses; ++i)
      sum += (kRoxanneClasses - i) *
             (count_bits(board.own & kClasses[i]) - count_bits(board.other & kClasses[i]));
    return sum;
  }
  static int corners(const Board& board) {
    int sum = 0;
    for (const int cell : {0, N - 1, N * N - N, N * N - 1}) {
      const Bits corner = Board::bit(Board::square_of(cell));
      if (corner & board.own) sum += kCorner;
      if (corner & board.other) sum -= kCorner;
      if (corner & ~(board.own | board.other)) {
        const int inward = cell % N == 0 ? 1 : -1, down = cell < N ? N : -N;
        for (const int beside : {cell + inward, cell + down, cell + inward + down}) {
          const Bits square = Board::bit(Board::square_of(beside));
          if (square & board.own) sum -= kBesideCorner;
          if (square & board.other) sum += kBesideCorner;
        }
      }
    }
    return sum;
  }
};

// AlphaDDA's (Fujita 2022): a sum of the discs' square values; 1000 for a won game.
template <int N>
struct PlaceEvaluation {
  static constexpr int kWon = 1000;
  static constexpr PlaceEvaluation minimax1() { return {alphadda_values<N>()}; }
  static constexpr PlaceEvaluation minimax2() {
    return {mirrored<N>([](int, int) { return 1; })};
  }

  SquareValues<N> values;

  int operator()(const OthelloState<N>& state, bool own_turn) const {
    const auto& board = state.board();
    const int value = state.is_over()
                          ? kWon * state.result()
                          : sum_values<N>(values, board.own) - sum_values<N>(values, board.other);
    return own_turn ? value : -value;
  }
};

}  // namespace sparring
