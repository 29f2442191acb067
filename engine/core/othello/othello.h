// A position of Othello on a board of 4x4 to 10x10: the side to move, passes, the end and the
// score. The board itself is in othello_board.h.
#pragma once

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "common/random.h"
#include "game/game.h"
#include "game/symmetry.h"
#include "othello/othello_board.h"

namespace sparring {

class OthelloPosition {
 public:
  static constexpr int kPlanes = 5, kGlobals = 3;
  static constexpr bool kHasOwnership = true;
  using AnyBoard =
      std::variant<OthelloBoard<4>, OthelloBoard<6>, OthelloBoard<8>, OthelloBoard<10>>;

  static constexpr bool fits(int size) { return size >= 4 && size <= 10 && size % 2 == 0; }

  // The usual start; the size must fit.
  explicit OthelloPosition(int size);

  // ---- The interface of game.h
  int width() const { return size_; }
  int height() const { return size_; }
  int move_count() const { return pass_move() + 1; }
  int symmetry_count() const { return 8; }
  int to_move() const { return to_move_; }
  int color_at(int cell) const;
  bool is_over() const { return over_; }
  bool legal(int move) const { return legal(move, to_move_); }
  void legal_mask(std::uint8_t* out) const;  // move_count() bytes, 1 legal
  void play(int move) { play(move, to_move_); }
  std::uint64_t board_hash() const;  // of the discs, for either side to move
  std::uint64_t graph_hash() const { return mix64(board_hash() + to_move_); }
  std::uint64_t network_hash() const { return graph_hash(); }
  Outcome outcome() const { return outcome_of(black_score()); }
  // Planes: the board, own discs, the opponent's, own legal cells, the opponent's. Globals: 1 if
  // Black is to move, the share of empty cells, 1 if their number is odd.
  void features(std::uint8_t* spatial, float* global, int symmetry) const;
  float score_scale() const { return static_cast<float>(size_); }

  // ---- Setting up
  // Replaces the board by (color, cell)s. Returns false, with nothing changed, on a cell named
  // twice.
  bool setup(const std::vector<std::pair<int, int>>& stones, int to_move);

  // ---- Playing
  // The pass; legal only if the side to move has no other move and the opponent has one.
  int pass_move() const { return size_ * size_; }
  int move_number() const { return move_number_; }
  // A move out of turn is legal if that color could play it now.
  bool legal(int move, int color) const;
  void play(int move, int color);  // a legal one

  // ---- Score
  int discs(int color) const;
  // Black's discs minus White's; in a finished game empty cells count for the winner.
  int black_score() const;
  int winner() const;  // of a finished game: 0, 1, or -1 drawn

  // ---- For solvers, agents and features
  const AnyBoard& board() const { return board_; }  // own: to_move()'s
  bool is_same(const OthelloPosition& other) const {
    return to_move_ == other.to_move_ && board_ == other.board_;
  }

 private:
  AnyBoard board_as(int color) const;
  void update_end();

  AnyBoard board_;
  std::int16_t move_number_ = 0;
  std::int8_t size_;
  std::int8_t to_move_ = 0;
  bool over_ = false;
};

static_assert(Game<OthelloPosition>);

}  // namespace sparring
