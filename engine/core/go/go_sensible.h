// Which moves of Go are not plainly harmful: what random play takes from, so that games end.
#pragma once

#include "go/go.h"

namespace sparring {

// Whether all that surrounds this empty point is the color's and no stone there can be cut off:
// diagonal neighbours of the opponent are at most one, and none on the edge.
inline bool is_eye(const GoBoard& board, Point point, int color) {
  const Stone own = stone_of(color);
  for (const Point step : kNeighbours)
    if (const Stone stone = board.at(point + step); stone != own && stone != kWall) return false;
  int hostile = 0;
  bool edge = false;
  for (const Point step : kDiagonals) {
    const Stone stone = board.at(point + step);
    hostile += stone == opponent(own);
    edge = edge || stone == kWall;
  }
  return hostile + edge < 2;
}

// Calls visit(move) in rising order for the moves that do no obvious harm; a pass is none.
template <typename Visit>
void for_each_sensible_move(const GoPosition& position, Visit visit) {
  const GoBoard& board = position.board();
  for (int move = 0; move < position.pass_move(); ++move)
    if (position.legal(move) && !is_eye(board, board.point_of(move), position.to_move()))
      visit(move);
}

}  // namespace sparring
