// Replay of records of Othello on 8x8: the position before each move, for training in bulk.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sparring {

// The replayed games, a row a position; passes, omitted by records, are rows too.
struct OthelloRecords {
  // Per row. Bits as in othello_board.h; on 8x8 they are the cells.
  std::vector<std::uint64_t> own, other;  // discs of the side to move and of its opponent
  std::vector<std::uint8_t> to_move;      // 0 Black, 1 White
  std::vector<std::uint8_t> move;         // cell, or 64 for a pass
  std::vector<std::int32_t> game;         // index of the game, from 0
  // Per game.
  std::vector<std::uint64_t> black, white;  // discs at the end of the record
  std::vector<std::uint8_t> over;           // 1 if neither side can move there
};

// Replays games. moves: the cells of all games in turn, without passes; lengths: the number of
// moves of each game. Throws std::invalid_argument on an illegal move, naming the game and the
// move, and on lengths with another sum than the number of moves.
OthelloRecords play_records(std::span<const std::uint8_t> moves,
                            std::span<const std::int32_t> lengths);

}  // namespace sparring
