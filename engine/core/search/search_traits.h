// What the search may ask of a game beyond the Game concept. The defaults suit a game of plain
// moves on a board of cells whose policy has one output a cell and perhaps others that no symmetry
// moves, such as a pass; a game with more to say specialises SearchTraits in a header of its own
// (go_search.h).
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/random.h"
#include "game/game.h"
#include "game/score_bounds.h"
#include "game/symmetry.h"
#include "search/evaluation.h"

namespace sparring {

template <typename G>
struct SearchTraits;

// How a search shows positions to the network, beyond what the game itself says.
struct NetworkView {
  bool conservative_pass = false;           // a pass is shown as one that does not end the game
  float playout_doubling_advantage = 0.0f;  // of the player to move
};

// Knows nothing of how a game ends.
template <typename G>
struct NoScoreBounder {
  explicit NoScoreBounder(int /*megabytes*/ = 1) {}
  ScoreBounds bound(const G& /*game*/, int /*most_empty*/) { return {-127, 127}; }
};

template <typename G>
struct PlainTraits {
  // Whether every end of the game has a whole score, between -126 and 126, so that the search can
  // prove what best play comes to.
  static constexpr bool kProves = true;
  // Bounds the mover's score in an unfinished game without searching it by playouts; exactly in
  // positions with up to `most_empty` empty cells, where it can.
  using ScoreBounder = NoScoreBounder<G>;
  // That number where the settings leave it to the game.
  static constexpr int kSolveEmpties = 0;
  // The game as the search sees it from its root on.
  static G searched(const G& game) { return game; }
  // Whether play can still end with no winner at all, other than by a draw.
  static bool no_result_possible(const G&) { return false; }
  // Where the cell, or the move, lands when the board is turned.
  static int symmetric_cell(const G& game, int cell, int symmetry) {
    return sparring::symmetric_cell(cell, symmetry, game.width(), game.height());
  }
  static int symmetric_move(const G& game, int move, int symmetry) {
    return move < game.width() * game.height()
               ? SearchTraits<G>::symmetric_cell(game, move, symmetry)
               : move;
  }
  // Whether turning the board by this symmetry changes nothing about the game.
  static bool is_symmetric(const G& game, int symmetry) {
    for (int cell = 0; cell < game.width() * game.height(); ++cell) {
      const int image = SearchTraits<G>::symmetric_cell(game, cell, symmetry);
      if (game.color_at(cell) != game.color_at(image)) return false;
    }
    return true;
  }
  // Whose each cell of a finished game is, [cells]: +1 player 0's, -1 player 1's, 0 nobody's.
  static void owners(const G& game, std::int8_t* out) {
    for (int cell = 0; cell < game.width() * game.height(); ++cell) {
      const int color = game.color_at(cell);
      out[cell] = color < 0 ? 0 : color == 0 ? 1 : -1;
    }
  }
  // Names the local situation of a move about to be played; 0 for none.
  static std::uint64_t bias_key(const G&, int /*move*/) { return 0; }
  // A move whose real value should be known early wherever it can be played, or -1.
  static int must_consider(const G&) { return -1; }
  // Whether the search should look on after this move although it ends the game.
  static bool looks_past(const G&, int /*move*/, bool /*conservative_root*/) { return false; }
  // Whether the network's view of the root differs from that of the same position deeper down.
  static bool root_is_special(const G&, bool /*conservative*/) { return false; }
  static void features(const G& game, std::uint8_t* spatial, float* global, int symmetry,
                       const NetworkView& /*view*/) {
    game.features(spatial, global, symmetry);
  }
  // Points the mover should be thought to gain by each root move beyond its value: 0s unless a
  // game discourages moves that only drag on. `out` holds move_count() floats.
  static void ending_bonus(const G& game, const Evaluation&, double /*points*/, float* out) {
    for (int move = 0; move < game.move_count(); ++move) out[move] = 0.0f;
  }
};

template <typename G>
struct SearchTraits : PlainTraits<G> {};

// Equal for positions whose boards are symmetric images of each other and whose player to move is
// the same: the least of their hashes.
template <typename G>
std::uint64_t symmetric_hash(const G& game) {
  std::uint64_t least = ~std::uint64_t{0};
  for (int symmetry = 0; symmetry < game.symmetry_count(); ++symmetry) {
    std::uint64_t hash = mix64(game.to_move());
    for (int cell = 0; cell < game.width() * game.height(); ++cell) {
      const int image = SearchTraits<G>::symmetric_cell(game, cell, symmetry);
      if (const int color = game.color_at(cell); color >= 0) hash ^= mix64(image * 2 + color + 2);
    }
    least = std::min(least, hash);
  }
  return least;
}

}  // namespace sparring
