// A position of Chinese dark chess: the board, the players' colors, and the rules of draws.
//
// The players are 0, the first to move, and 1; red and black are theirs from the first flip on. A
// flip's outcome is chance: a legal move names the cell alone, and play() needs the piece as well.
// A played move is move + move_count() * (1 + code) for a flip of this code, and the move itself
// otherwise. The rules are those of the Computer Olympiad (NTU's rule sheet of 13 January 2016).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "darkchess/darkchess_board.h"
#include "game/game.h"

namespace sparring {

struct DarkChessRules {
  KindCounts material = kUsualMaterial;  // of each side; the board has twice as many cells
  // Moves of both sides without a capture or a flip that make a draw; 0: no number.
  int quiet_limit = 40;
  // Occurrences of one position that make a draw; 0: no number.
  int repetitions = 3;

  bool operator==(const DarkChessRules&) const = default;
};

// A set-up board: face-up pieces as (code, cell), face-down cells, and the pieces under them.
struct DarkChessSetup {
  std::vector<std::pair<int, int>> pieces;
  std::vector<int> hidden;
  CodeCounts pool{};
  int first_color = 0;  // of player 0; without effect while all pieces are face down
};

class DarkChessPosition {
 public:
  static constexpr int kPlanes = 18, kGlobals = 16;
  static constexpr bool kHasOwnership = false;
  static constexpr bool kHasChance = true;
  static constexpr int kFaceDown = kPieceCodes;          // in piece_at()
  static constexpr int kFirstIsBlack = kPieceCodes + 1;  // in a list of placed pieces

  // The start; the geometry fits and has a cell for each piece of the material.
  DarkChessPosition(int width, int height, const DarkChessRules& rules);

  // ---- The interface of game.h
  int width() const { return board_.geometry->width; }
  int height() const { return board_.geometry->height; }
  int move_count() const { return board_.geometry->move_count(); }
  int symmetry_count() const { return 4; }
  int to_move() const { return to_move_; }
  int color_at(int cell) const;  // the player with a face-up piece there
  bool is_over() const { return over_; }
  bool legal(int move) const { return legal(move, to_move_); }
  void legal_mask(std::uint8_t* out) const;
  void play(int move) { play(move, to_move_); }
  std::uint64_t board_hash() const { return board_.pieces_hash() ^ (first_color_ == 1 ? 1 : 0); }
  std::uint64_t graph_hash() const;
  std::uint64_t network_hash() const;
  Outcome outcome() const { return outcome_of(black_score()); }
  // Planes: the board, own pieces, the opponent's, face-down ones, own ones by kind, the opponent's
  // by kind; all but the face-down ones are face-up. Globals: 1 if colors are known, quiet moves as
  // a share of their limit, unrevealed own pieces by kind, the opponent's by kind, as shares of the
  // material of that kind. Before the first flip own is red.
  void features(std::uint8_t* spatial, float* global, int symmetry) const;
  float score_scale() const { return 1.0f; }

  // ---- Chance
  // The number of played moves, those with outcomes included.
  int played_move_count() const { return move_count() * (1 + kPieceCodes); }
  int move_without_outcome(int played) const { return played % move_count(); }
  // The code that a played flip reveals; -1 without one.
  int outcome_code(int played) const { return played / move_count() - 1; }
  int with_outcome(int move, int code) const { return move + move_count() * (1 + code); }
  bool is_flip(int move) const { return move_without_outcome(move) < board_.geometry->cells; }
  // The played moves that a legal move may become, each with the number of pieces that make it so.
  std::vector<std::pair<int, int>> outcomes(int move) const;
  // Tests whether play() has all it needs: a flip comes with its outcome.
  bool is_complete(int played) const { return !is_flip(played) || outcome_code(played) >= 0; }

  // ---- Setting up
  // Replaces the board; players get their colors, unless all pieces are face down.
  // Returns false, with nothing changed, if a cell is named twice, the unrevealed pieces are not as
  // many as the face-down cells, there are more pieces of a code than in the material, or the side
  // to move has no color.
  bool setup(const DarkChessSetup& setup, int to_move);
  DarkChessSetup as_setup() const;

  // ---- Playing
  int pass_move() const { return -1; }
  int move_number() const { return move_number_; }
  bool legal(int played, int player) const;  // a flip with or without its outcome
  void play(int played, int player);         // a legal and complete one

  // ---- Result
  int black_score() const { return over_ && winner_ >= 0 ? (winner_ == 0 ? 1 : -1) : 0; }
  int winner() const { return winner_; }
  // The share of captures and flips that are made: 0 with all pieces face down, 1 without pieces.
  double phase() const {
    const int left = std::popcount(board_.occupied()) + board_.hidden_count();
    return 1.0 - left / (2.0 * width() * height());
  }
  int quiet_moves() const { return static_cast<int>(quiet_.size()); }
  // Earlier occurrences of this position.
  int occurrences() const;

  // ---- For solvers and agents
  const DarkChessBoard& board() const { return board_; }
  const DarkChessRules& rules() const { return rules_; }
  // The color of a player; -1 before the first flip.
  int color_of_player(int player) const;
  int piece_at(int cell) const;  // a code, kFaceDown, or -1
  bool is_same(const DarkChessPosition& other) const;

 private:
  DarkChessAction action_of(int played) const;
  void find_end(bool is_quiet);

  DarkChessRules rules_;
  DarkChessBoard board_;
  std::vector<std::uint64_t> quiet_;  // hashes of the boards before each quiet move at the end
  std::int16_t move_number_ = 0;
  std::int8_t to_move_ = 0;
  std::int8_t first_color_ = -1;  // of player 0
  std::int8_t winner_ = -1;
  bool over_ = false;
};

static_assert(ChanceGame<DarkChessPosition>);

}  // namespace sparring
