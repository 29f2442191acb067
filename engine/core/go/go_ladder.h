// Ladders: chains that a run of ataris captures, read out to the end.
#pragma once

#include <array>

#include "go/go_board.h"
#include "go/points.h"

namespace sparring {

struct Ladders {
  // Stones of chains that can't escape: of those in atari though they move first, of those with two
  // liberties when the opponent does.
  PointSet captured;
  // By the chain's color: the opponent's moves that start such a capture of a chain with two
  // liberties.
  std::array<PointSet, 2> winning_moves;
};

// As KataGo reads them: a capture that hangs on a ko does not work, nor one that takes more than
// 25,000 moves to find out.
Ladders find_ladders(const GoBoard& board);

// The same, remembered for the boards this thread asked about lately: a search comes from a board
// to its successors, of which the network sees the ladders two moves back.
Ladders recall_ladders(const GoBoard& board);
Ladders recall_ladders(const BoardSnapshot& board);

}  // namespace sparring
