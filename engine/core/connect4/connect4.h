// A position of Connect4: the side to move, the end and the score. The board itself is in
// connect4_board.h.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/random.h"
#include "connect4/connect4_board.h"
#include "game/game.h"

namespace sparring {

class Connect4Position {
 public:
  static constexpr int kPlanes = 6, kGlobals = 2;
  static constexpr bool kHasOwnership = false;

  // An empty board; Connect4Board::fits() the size.
  Connect4Position(int width, int height) : board_(width, height) {}

  // ---- The interface of game.h. A move is a column.
  int width() const { return board_.width; }
  int height() const { return board_.height; }
  int move_count() const { return board_.width; }
  int symmetry_count() const { return 2; }  // 1 exchanges left and right
  int to_move() const { return to_move_; }
  int color_at(int cell) const;
  bool is_over() const { return winner_ >= 0 || board_.is_full(); }
  bool legal(int move) const { return !is_over() && board_.can_play(move); }
  void legal_mask(std::uint8_t* out) const;  // move_count() bytes, 1 legal
  void play(int move) { play(move, to_move_); }
  std::uint64_t board_hash() const;  // of the discs, for either side to move
  std::uint64_t graph_hash() const { return mix64(board_hash() + to_move_); }
  std::uint64_t network_hash() const { return graph_hash(); }
  Outcome outcome() const { return outcome_of(black_score()); }
  // Planes: the board, own discs, the opponent's, playable cells, empty cells completing four for
  // the player to move (playable or not), the same for the opponent. Globals: 1 if color 0 is to
  // move, the share of empty cells.
  void features(std::uint8_t* spatial, float* global, int symmetry) const;
  float score_scale() const { return std::sqrt(static_cast<float>(area())); }

  // ---- Setting up
  // Replaces the board by (color, cell)s. Returns false, with nothing changed, on a cell named
  // twice, a disc above an empty cell, or four in a row of both colors.
  bool setup(const std::vector<std::pair<int, int>>& stones, int to_move);

  // ---- Playing
  int pass_move() const { return -1; }  // there is none
  int move_number() const { return move_number_; }
  bool legal(int move, int /*color*/) const { return legal(move); }  // out of turn too
  void play(int move, int color);                                    // a legal one

  // ---- Score
  // Color 0's score of a finished game: 1 for a win by the last possible disc, one more for every
  // two discs earlier; negative if color 1 has won. 0 before the end.
  int black_score() const;
  int winner() const { return winner_; }  // of a finished game: 0, 1, or -1 drawn

  // ---- For solvers, agents and features
  const Connect4Board& board() const { return board_; }  // own: to_move()'s
  int area() const { return board_.width * board_.height; }
  bool is_same(const Connect4Position& other) const {
    return to_move_ == other.to_move_ && board_ == other.board_;
  }

 private:
  // The bit of a cell; cells count from the top.
  int bit_of(int cell) const {
    return board_.bit_of(cell % board_.width, board_.height - 1 - cell / board_.width);
  }

  Connect4Board board_;
  std::int16_t move_number_ = 0;
  std::int8_t to_move_ = 0;
  std::int8_t winner_ = -1;
};

static_assert(Game<Connect4Position>);

}  // namespace sparring
