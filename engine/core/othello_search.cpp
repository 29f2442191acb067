#include "othello_search.h"

#include <algorithm>

namespace sparring {

namespace {

constexpr int kMostEmpty = 7;  // some ten microseconds

template <int N>
int final_score(const OthelloBoard<N>& board) {
  const int own = board.count_own();
  const int other = board.count_other();
  if (own == other) return 0;
  return own > other ? N * N - 2 * other : 2 * own - N * N;
}

// The score of the side to move: exact between alpha and beta, else a bound on their side.
template <int N>
int exact_score(const OthelloBoard<N>& board, int alpha, int beta, bool passed = false) {
  auto squares = board.moves();
  if (squares == 0) {
    if (passed) return -final_score(board.swapped());
    return -exact_score(board.swapped(), -beta, -alpha, true);
  }
  int best = -N * N;
  for (; squares != 0; squares &= squares - 1) {
    OthelloBoard<N> after = board;
    after.play(lowest_bit(squares));
    const int score = after.empty() == 0 ? -final_score(after)
                                         : -exact_score(after, -beta, -std::max(alpha, best));
    best = std::max(best, score);
    if (best >= beta) break;
  }
  return best;
}

}  // namespace

std::optional<Outcome> SearchTraits<OthelloPosition>::known_result(const OthelloPosition& game) {
  if (game.is_over()) return game.outcome();
  return std::visit(
      [&]<int N>(const OthelloBoard<N>& board) -> std::optional<Outcome> {
        if (board.count_empty() > kMostEmpty) return std::nullopt;
        const int score = exact_score(board, -N * N, N * N);
        return outcome_of(game.to_move() == 0 ? score : -score);
      },
      game.board());
}

template class Tree<OthelloPosition>;

}  // namespace sparring
