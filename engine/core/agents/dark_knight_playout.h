// The playouts of DarkKnight's search: a board, its material, and the end of a game.
#pragma once

#include "agents/dark_chess_material.h"
#include "agents/dark_knight.h"

namespace sparring {

// A game under way inside a simulation. Boards change, and material and quiet moves with them.
class DarkKnightGame {
 public:
  DarkKnightGame(const DarkChessPosition& position, const DarkKnightSettings& settings);
  // From a board after `quiet` quiet moves, of which `limit` make a draw.
  DarkKnightGame(const DarkChessBoard& board, int quiet, int limit,
                 const DarkKnightSettings& settings);

  const DarkChessBoard& board() const { return board_; }
  int length() const { return length_; }  // actions since the position
  bool is_over() const { return over_; }
  // The winning color of an ended game, or -1 for a draw.
  int winner() const { return winner_; }

  // Plays a legal action; of a flip also the code that it reveals.
  void play(const DarkChessAction& action, int code);
  // Ends the game if the color to move has no action.
  void check_actions(const DarkChessActions& actions) {
    if (actions.size() == 0) end(1 - board_.color);
  }
  // Plays to the end, or to a likely outcome.
  void play_out(Random& random);

 private:
  void end(int winner) {
    over_ = true;
    winner_ = winner;
  }
  bool ends_early(Random& random);
  LikelyOutcome likely() const { return LikelyOutcomes::of(material_[0], material_[1]); }
  // Picks an action of a playout; false if there is none.
  bool pick(Random& random, DarkChessAction& out) const;
  DarkChessAction pick_capture(const DarkChessActions& captures, Random& random) const;

  const DarkKnightSettings* settings_;
  DarkChessBoard board_;
  std::array<int, 2> material_{};  // numbers by color; unused without early ends
  int quiet_;
  int limit_;
  int length_ = 0;
  int loser_at_root_ = -1;  // the color of a likely loser at the root
  bool is_armed_ = true;    // likely outcomes count: not before a capture, if the root has one
  bool over_ = false;
  int winner_ = -1;
};

}  // namespace sparring
