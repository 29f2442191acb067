// Connect4 without a network: positions judged by rollouts. Both sides win if they can, block if
// they must and otherwise play at random, but not below a winning cell of the opponent.
#pragma once

#include <cstdint>

#include "connect4/connect4_board.h"
#include "rollouts/row_view.h"

namespace sparring {

class Connect4Rollouts {
 public:
  static constexpr int kPlanes = 6, kGlobals = 2;

  // `rollouts` games a row. Equal rows and seeds give equal outputs.
  Connect4Rollouts(int width, int height, int rollouts, std::uint64_t seed)
      : empty_(width, height), rollouts_(rollouts), seed_(seed) {}

  int width() const { return empty_.width; }
  int height() const { return empty_.height; }
  int area() const { return width() * height(); }
  int moves() const { return width(); }

  void evaluate(const RowView& row) const;

 private:
  Connect4Board read_board(const std::uint8_t* spatial) const;

  Connect4Board empty_;
  int rollouts_;
  std::uint64_t seed_;
};

}  // namespace sparring
