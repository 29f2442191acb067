#include "connect4/connect4.h"

#include <algorithm>

#include "game/symmetry.h"

namespace sparring {

void Connect4Position::legal_mask(std::uint8_t* out) const {
  for (int column = 0; column < board_.width; ++column) out[column] = legal(column);
}

void Connect4Position::play(int move, int color) {
  if (color != to_move_) board_.own ^= board_.all;
  board_.play(move);
  if (board_.is_lost()) winner_ = static_cast<std::int8_t>(color);
  to_move_ = static_cast<std::int8_t>(1 - color);
  move_number_ += 1;
}

bool Connect4Position::setup(const std::vector<std::pair<int, int>>& stones, int to_move) {
  Connect4Board changed(board_.width, board_.height);
  for (const auto& [color, cell] : stones) {
    const Connect4Board::Bits bit = Connect4Board::Bits{1} << bit_of(cell);
    if ((changed.all & bit) != 0) return false;
    changed.all |= bit;
    if (color == to_move) changed.own |= bit;
  }
  const bool floats = (changed.all & ~changed.bottom & ~(changed.all << 1)) != 0;
  const bool own_four = Connect4Board::has_four(changed.own, board_.height);
  if (floats || (own_four && changed.is_lost())) return false;
  board_ = changed;
  to_move_ = static_cast<std::int8_t>(to_move);
  move_number_ = 0;
  winner_ = static_cast<std::int8_t>(own_four ? to_move : board_.is_lost() ? 1 - to_move : -1);
  return true;
}

std::uint64_t Connect4Position::board_hash() const {
  const Connect4Board::Bits first = to_move_ == 0 ? board_.own : board_.other();
  return mix64(mix64(mix64(board_.width << 8 | board_.height) + first) + board_.all);
}

int Connect4Position::black_score() const {
  if (winner_ < 0) return 0;
  const int score = (area() + 2 - board_.count()) / 2;
  return winner_ == 0 ? score : -score;
}

int Connect4Position::color_at(int cell) const {
  const Connect4Board::Bits bit = Connect4Board::Bits{1} << bit_of(cell);
  if ((board_.all & bit) == 0) return -1;
  return (board_.own & bit) != 0 ? to_move_ : 1 - to_move_;
}

void Connect4Position::features(std::uint8_t* spatial, float* global, int symmetry) const {
  const int rise = board_.height + 1;
  const auto mark = [&](Connect4Board::Bits bits, int plane) {
    for (; bits != 0; bits &= bits - 1) {
      const int bit = std::countr_zero(bits);
      const int column = symmetry == 0 ? bit / rise : board_.width - 1 - bit / rise;
      spatial[plane * area() + (board_.height - 1 - bit % rise) * board_.width + column] = 1;
    }
  };
  std::fill(spatial, spatial + area(), std::uint8_t{1});
  std::fill(spatial + area(), spatial + kPlanes * area(), std::uint8_t{0});
  mark(board_.own, 1);
  mark(board_.other(), 2);
  mark(board_.playable(), 3);
  mark(board_.winning_cells(board_.own), 4);
  mark(board_.winning_cells(board_.other()), 5);
  global[0] = to_move_ == 0 ? 1.0f : 0.0f;
  global[1] = static_cast<float>(area() - board_.count()) / static_cast<float>(area());
}

}  // namespace sparring
