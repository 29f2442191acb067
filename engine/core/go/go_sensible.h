// Moves of Go without plain harm, for random play; games end by the exclusion of eyes.
#pragma once

#include "go/go.h"

namespace sparring {

// Whether the empty point is an eye: all its neighbours are the color's, and at most one diagonal
// neighbour is the opponent's, none on the edge.
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

// Calls visit(move) in rising order for the legal moves outside one's own eyes, without the pass.
template <typename Visit>
void for_each_sensible_move(const GoPosition& position, Visit visit) {
  const GoBoard& board = position.board();
  for (int move = 0; move < position.pass_move(); ++move)
    if (position.legal(move) && !is_eye(board, board.point_of(move), position.to_move()))
      visit(move);
}

}  // namespace sparring
