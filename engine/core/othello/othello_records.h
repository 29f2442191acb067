// Othello games on 8x8 as they were written down, played again: the positions that moves were made
// in, for those who learn from them in bulk.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sparring {

// What was played, a row a position; passes, which records leave out, are rows too.
struct OthelloRecords {
  // Of each row. Bits as in othello_board.h, which on 8x8 are the cells.
  std::vector<std::uint64_t> own, other;  // discs of the side to move and of its opponent
  std::vector<std::uint8_t> to_move;      // 0 Black, 1 White
  std::vector<std::uint8_t> move;         // the cell, or 64 a pass
  std::vector<std::int32_t> game;         // from 0
  // Of each game.
  std::vector<std::uint64_t> black, white;  // discs where the record ends
  std::vector<std::uint8_t> over;           // 1 where nobody could have moved on
};

// Plays games whose moves, cells without passes, follow one another in `moves`; `lengths` says how
// many are each game's and must sum to those. Throws std::invalid_argument that names the game and
// the move on an illegal one.
OthelloRecords play_records(std::span<const std::uint8_t> moves,
                            std::span<const std::int32_t> lengths);

}  // namespace sparring
