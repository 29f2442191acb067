// What Othello's searching agents think of a position, as the one who searches sees it.
#pragma once

#include "agents/agent_state.h"
#include "othello/othello_weights.h"

namespace sparring {

// Liang's evaluation (2022), the sum of four terms: Roxanne's value of every disc; discs, of which
// fewer is better early and more is better late; the opponent's mobility; corners, and against them
// the squares beside a corner that is still empty. The study gives no factors: these are ours, and
// so is that early ends with half of the board filled, and that a finished game counts for its
// winner before anything else, then by discs.
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

// AlphaDDA's (Fujita 2022): a sum over discs of what their square is worth; 1000 for a won game.
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
