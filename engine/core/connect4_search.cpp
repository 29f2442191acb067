#include "connect4_search.h"

#include <algorithm>

namespace sparring {

namespace {

constexpr int kMostEmpty = 10;  // some ten microseconds

// What a win by the disc that is the count-th of all gives its color, as black_score() has it.
int win_by_disc(const Connect4Board& board, int count) {
  return (board.width * board.height + 2 - count) / 2;
}

// The score of the side to move if it, or else the opponent, can win at once whatever the other
// does; 0 where neither can.
int forced_score(const Connect4Board& board) {
  const auto playable = board.playable();
  if ((board.winning_cells(board.own) & playable) != 0)
    return win_by_disc(board, board.count() + 1);
  const auto threats = board.winning_cells(board.other());
  const auto forced = threats & playable;
  // Two places to defend, or a defence that lets the opponent play on top of it and win.
  const bool is_lost = (forced & (forced - 1)) != 0 || ((forced << 1) & threats) != 0;
  return is_lost ? -win_by_disc(board, board.count() + 2) : 0;
}

// The score of the side to move: exact between alpha and beta, else a bound on their side.
int exact_score(const Connect4Board& board, int alpha, int beta) {
  if (const int score = forced_score(board); score != 0) return score;
  if (board.is_full()) return 0;
  int best = -board.width * board.height;
  for (int i = 0; i < board.width; ++i) {
    const int column = (board.width + (i % 2 == 0 ? i : -i - 1)) / 2;  // the middle ones first
    if (!board.can_play(column)) continue;
    Connect4Board after = board;
    after.play(column);
    best = std::max(best, -exact_score(after, -beta, -std::max(alpha, best)));
    if (best >= beta) break;
  }
  return best;
}

}  // namespace

std::optional<Outcome> SearchTraits<Connect4Position>::known_result(const Connect4Position& game) {
  if (game.is_over()) return game.outcome();
  const Connect4Board& board = game.board();
  const int cells = game.area();
  int score = forced_score(board);
  if (score == 0) {
    if (cells - board.count() > kMostEmpty) return std::nullopt;
    score = exact_score(board, -cells, cells);
  }
  return outcome_of(game.to_move() == 0 ? score : -score);
}

template class Tree<Connect4Position>;

}  // namespace sparring
