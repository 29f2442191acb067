// Ladders: chains captured by a run of ataris, read to the end.
#pragma once

#include <array>

#include "go/go_board.h"
#include "go/points.h"

namespace sparring {

struct Ladders {
  // Stones of chains without escape: chains in atari moving first, and chains with two liberties if
  // the opponent moves first.
  PointSet captured;
  // By the chain's color: the opponent's first moves of captures of chains with two liberties.
  std::array<PointSet, 2> winning_moves;
};

// Reads ladders like KataGo: captures by ko fail, and so do captures with more than 25,000 moves to
// read.
Ladders find_ladders(const GoBoard& board);

// The same, with a cache of this thread's recent boards. A search goes from a board to its
// successors, and the network sees the ladders two moves back.
Ladders cached_ladders(const GoBoard& board);
Ladders cached_ladders(const BoardSnapshot& board);

}  // namespace sparring
