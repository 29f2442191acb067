#include "rollouts/connect4_rollouts.h"

#include <bit>
#include <cstdlib>

#include "agents/agent_state.h"

namespace sparring {

namespace {

using Bits = Connect4Board::Bits;

// The candidate cells of a sensible player: winning ones, else forced blocks, else those without a
// gift to the opponent, else any.
Bits sensible(const Connect4Board& board) {
  const Bits playable = board.playable();
  if (const Bits wins = board.winning_cells(board.own) & playable) return wins;
  const Bits threats = board.winning_cells(board.other());
  if (const Bits blocks = threats & playable) return blocks;
  const Bits safe = playable & ~(threats >> 1);
  return safe ? safe : playable;
}

// The final score for the side to move: 1 for a win by the last disc that fits, one more for every
// two discs earlier; negative for a loss.
int play_out(Connect4Board board, Random& random) {
  const int area = board.width * board.height;
  int sign = 1;
  while (!board.is_full()) {
    const bool wins = (board.playable() & board.winning_cells(board.own)) != 0;
    const Bits cells = sensible(board);
    const Bits cell = random_bit(cells, std::popcount(cells), random);
    board.own ^= board.all;
    board.all |= cell;
    if (wins) return sign * ((area + 2 - board.count()) / 2);
    sign = -sign;
  }
  return 0;
}

}  // namespace

Connect4Board Connect4Rollouts::read_board(const std::uint8_t* spatial) const {
  Connect4Board board = empty_;
  for (int cell = 0; cell < area(); ++cell) {
    const Bits bit = Bits{1} << board.bit_of(cell % width(), height() - 1 - cell / width());
    if (spatial[area() + cell]) board.own |= bit;
    if (spatial[area() + cell] || spatial[2 * area() + cell]) board.all |= bit;
  }
  return board;
}

void Connect4Rollouts::evaluate(const RowView& row) const {
  const Connect4Board board = read_board(row.spatial);
  Random random(mix64(mix64(mix64(board.own) ^ board.all) ^ seed_));
  double wins = 0;
  double score = 0;
  double score_square = 0;
  for (int i = 0; i < rollouts_; ++i) {
    const int result = play_out(board, random);
    wins += result > 0 ? 1 : result < 0 ? 0 : 0.5;
    score += result;
    score_square += result * result;
  }
  const double games = rollouts_;
  const double mean = score / games;
  // A drawn game is added: a few games must not give certainty.
  write_estimate({(wins + 0.5) / (games + 1), mean,
                  std::sqrt(score_square / games - mean * mean + 0.5 * area())},
                 row);
  std::fill(row.ownership, row.ownership + area(), 0.0f);
  const Bits best = sensible(board);
  const Bits three = board.winning_cells(board.own);
  for (int column = 0; column < width(); ++column) {
    const Bits cell = board.playable() & board.column_cells(column);
    const int off_centre = std::abs(2 * column - (width() - 1));
    row.policy[column] = -0.15f * static_cast<float>(off_centre);
    if (cell & best) row.policy[column] += 2.0f;
    if (cell == 0) continue;
    // Threats made by the move.
    const Bits made = board.winning_cells(board.own | cell) & ~three;
    row.policy[column] += 0.5f * static_cast<float>(std::popcount(made));
  }
}

}  // namespace sparring
