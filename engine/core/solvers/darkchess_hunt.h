// The hunt in a likely won ending of dark chess: captures that the winning side can force.
#pragma once

#include <cstdint>
#include <vector>

#include "darkchess/darkchess.h"

namespace sparring {

struct DarkChessHunt {
  bool is_won = false;     // the material is a likely win of the side to move
  std::vector<int> moves;  // the legal moves that force a capture soonest; none if none is found
  int plies = 0;           // up to that capture, or up to the opponent's last legal move
  std::vector<int> repeating;  // the legal moves that repeat a position
};

// The quickest forced capture in a likely won ending (agents/dark_chess_material.h), by at most
// `most_plies` and `most_boards`. The material is still a likely win after the capture and after
// each capture in answer to it. The hunter flips nothing, and a flip of the opponent is an escape.
// No line reaches the limit of quiet moves, and no first move repeats a position. In an ending that
// is not won, and before the first flip, all is empty.
DarkChessHunt hunt(const DarkChessPosition& position, int most_plies, std::int64_t most_boards);

}  // namespace sparring
