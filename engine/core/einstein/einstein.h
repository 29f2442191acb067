// A position of EinStein wuerfelt nicht (Althoefer 2004) on 5x5.
//
// Each side has the pieces 1 to 6. Red is color 0, in the top left corner, and moves right, down or
// both; Blue is color 1, in the other corner, and moves the opposite way. The die names the piece
// to move; without that piece the next lower or the next higher one moves. A step captures any
// piece, own ones too. A side wins by reaching the far corner, or by capturing all enemies.
//
// First Red places its pieces, then Blue. Each later move follows a die: the outcome of Blue's
// placing, and of each step, is the die of the next side. A played move is
// move + move_count() * die for a die of 1..6, and the move itself if it needs none.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "game/game.h"

namespace sparring {

// A set-up board: pieces as (code, cell), and the die of the side to move, 0 for none.
struct EinsteinSetup {
  std::vector<std::pair<int, int>> pieces;
  int die = 0;
};

class EinsteinPosition {
 public:
  static constexpr int kSize = 5, kCells = kSize * kSize;
  static constexpr int kNumbers = 6, kCodes = 2 * kNumbers;  // a code is color * 6 + number - 1
  static constexpr int kSteps = 112, kPlacings = 720;
  static constexpr int kPlanes = 16, kGlobals = 8;
  static constexpr bool kHasOwnership = false;
  static constexpr bool kHasChance = true;
  static constexpr int kNowhere = -1;

  // ---- The interface of game.h
  int width() const { return kSize; }
  int height() const { return kSize; }
  // Steps come by cell, then in the order right, down, both (Red's), left, up, both (Blue's), as
  // far as they stay on the board; then the placings, numbers on the corner's cells in rising order
  // of the texts.
  int move_count() const { return kSteps + kPlacings; }
  int symmetry_count() const { return 1; }
  int to_move() const { return to_move_; }
  int color_at(int cell) const { return board_[cell] < 0 ? -1 : board_[cell] / kNumbers; }
  bool is_over() const { return winner_ >= 0; }
  bool legal(int move) const { return legal(move, to_move_); }
  void legal_mask(std::uint8_t* out) const;
  void play(int move) { play(move, to_move_); }
  std::uint64_t board_hash() const;
  std::uint64_t graph_hash() const { return network_hash(); }
  std::uint64_t network_hash() const;
  Outcome outcome() const { return outcome_of(black_score()); }
  // Planes: the board, own pieces, the opponent's, own ones by number, the opponent's by number,
  // pieces that may move. Globals: the die by number, 1 while pieces are placed, 1 for Blue to
  // move.
  void features(std::uint8_t* spatial, float* global, int symmetry) const;
  float score_scale() const { return 1.0f; }

  // ---- Chance
  int played_move_count() const { return move_count() * (1 + kNumbers); }
  int move_without_outcome(int played) const { return played % move_count(); }
  // The die of a played move, 0 without one.
  int die_of(int played) const { return played / move_count(); }
  int with_outcome(int move, int die) const { return move + move_count() * die; }
  // The played moves that a legal move may become, each of equal weight.
  std::vector<std::pair<int, int>> outcomes(int move) const;
  bool is_complete(int played) const;

  // ---- Setting up
  // Replaces the board. Returns false, with nothing changed, if a piece or a cell is named twice, a
  // side has no piece, both sides stand on their goals, or a game that goes on has no die. A board
  // without pieces is the start.
  bool setup(const EinsteinSetup& setup, int to_move);
  EinsteinSetup as_setup() const;

  // ---- Playing
  int pass_move() const { return -1; }
  int move_number() const { return move_number_; }
  bool legal(int played, int color) const;
  void play(int played, int color);  // a legal and complete one

  // ---- Result
  int black_score() const { return winner_ < 0 ? 0 : winner_ == 0 ? 1 : -1; }
  int winner() const { return winner_; }

  // ---- For agents
  int die() const { return die_; }
  bool is_placing() const { return is_placing_; }
  int piece_at(int cell) const { return board_[cell]; }  // a code, or -1
  int cell_of(int code) const { return cells_[code]; }   // kNowhere for a captured piece
  // Cells of pieces, at most two.
  struct Cells {
    std::array<int, 2> cells;
    int count = 0;
    const int* begin() const { return cells.data(); }
    const int* end() const { return cells.data() + count; }
  };
  // The cells of the pieces that a color may move by the die.
  Cells movable(int color) const;
  // A step of the board.
  struct Step {
    std::int8_t start, end, color;
  };
  static const Step& step(int move);
  // The steps of a color from a cell begin with this one; there are at most three, in one row.
  static int first_step(int cell, int color);
  // Calls visit(move) for each legal step of the side to move; nothing while pieces are placed.
  template <typename Visit>
  void for_each_step(Visit visit) const {
    if (is_placing_ || is_over()) return;
    for (const int cell : movable(to_move_))
      for (int move = first_step(cell, to_move_); move < kSteps; ++move) {
        if (step(move).start != cell || step(move).color != to_move_) break;
        visit(move);
      }
  }
  // The steps of a piece of this color from a cell to its goal.
  static int distance(int cell, int color);
  // 0 before the placings, then by the piece nearest to its goal: 1/4 at first, 1 at the end.
  double phase() const;
  static int goal_of(int color) { return color == 0 ? kCells - 1 : 0; }
  bool ends_game(int move) const;  // of a step
  bool is_same(const EinsteinPosition& other) const;

 private:
  bool has_pieces(int color) const;
  void place(int placing, int color);

  std::array<std::int8_t, kCells> board_ = [] {
    std::array<std::int8_t, kCells> empty{};
    empty.fill(-1);
    return empty;
  }();
  std::array<std::int8_t, kCodes> cells_ = [] {
    std::array<std::int8_t, kCodes> none{};
    none.fill(kNowhere);
    return none;
  }();
  std::int16_t move_number_ = 0;
  std::int8_t to_move_ = 0;
  std::int8_t die_ = 0;
  std::int8_t winner_ = -1;
  bool is_placing_ = true;
};

static_assert(ChanceGame<EinsteinPosition>);

}  // namespace sparring
