#include "solvers/perft.h"

#include <unordered_map>

namespace sparring {

namespace {

template <int N>
std::uint64_t count(const OthelloBoard<N>& board, int moves) {
  if (moves == 0) return 1;
  auto squares = board.moves();
  if (squares == 0) {
    const OthelloBoard<N> passed = board.swapped();
    if (passed.moves() == 0) return 0;
    return count(passed, moves - 1);
  }
  if (moves == 1) return count_bits(squares);
  std::uint64_t sum = 0;
  for (; squares != 0; squares &= squares - 1) {
    OthelloBoard<N> after = board;
    after.play(lowest_bit(squares));
    sum += count(after, moves - 1);
  }
  return sum;
}

std::uint64_t count(const Connect4Board& board, int moves) {
  if (moves == 0) return 1;
  if (board.is_lost()) return 0;
  if (moves == 1) return std::popcount(board.playable());
  std::uint64_t sum = 0;
  for (int column = 0; column < board.width; ++column) {
    if (!board.can_play(column)) continue;
    Connect4Board after = board;
    after.play(column);
    sum += count(after, moves - 1);
  }
  return sum;
}

template <Game G>
std::vector<std::uint64_t> distinct(const G& start, int moves) {
  std::unordered_map<std::uint64_t, G> layer{{start.graph_hash(), start}};
  std::vector<std::uint64_t> counts{1};
  for (int ply = 0; ply < moves; ++ply) {
    std::unordered_map<std::uint64_t, G> next;
    for (const auto& [hash, position] : layer)
      for (int move = 0; move < position.move_count(); ++move) {
        if (position.is_over() || !position.legal(move)) continue;
        G after = position;
        after.play(move);
        next.try_emplace(after.graph_hash(), after);
      }
    layer = std::move(next);
    counts.push_back(layer.size());
  }
  return counts;
}

}  // namespace

std::uint64_t perft(const OthelloPosition& position, int moves) {
  return std::visit([&](const auto& board) { return count(board, moves); }, position.board());
}

std::uint64_t perft(const Connect4Position& position, int moves) {
  // The board reports a win of the side that moved last; in a set-up position it may be the
  // other's.
  if (moves > 0 && position.is_over()) return 0;
  return count(position.board(), moves);
}

std::vector<std::uint64_t> distinct_positions(const OthelloPosition& position, int moves) {
  return distinct(position, moves);
}

std::vector<std::uint64_t> distinct_positions(const Connect4Position& position, int moves) {
  return distinct(position, moves);
}

}  // namespace sparring
