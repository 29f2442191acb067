// Search traits: questions of the search to a game beyond the Game concept. The defaults suit a
// game of plain moves on a board of cells, with one policy output per cell and perhaps others
// unmoved by symmetries, such as a pass. Other games specialise SearchTraits in a header of their
// own (go_search.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "common/random.h"
#include "game/game.h"
#include "game/score_bounds.h"
#include "game/symmetry.h"
#include "search/evaluation.h"

namespace sparring {

template <typename G>
struct SearchTraits;

// Options of a position's features for the network, beyond the game itself.
struct NetworkView {
  static constexpr int kFullHistory = std::numeric_limits<int>::max();

  bool conservative_pass = false;           // a pass is shown as not ending the game
  int max_history = kFullHistory;           // latest moves that are shown, at most
  float playout_doubling_advantage = 0.0f;  // of the player to move
};

// Bounds no score.
template <typename G>
struct NoScoreBounder {
  explicit NoScoreBounder(int /*megabytes*/ = 1) {}
  ScoreBounds bound(const G& /*game*/, int /*most_empty*/) { return {-127, 127}; }
};

template <typename G>
struct PlainTraits {
  // Tests whether every final score is a whole number in -126..126; the search can then prove
  // scores.
  static constexpr bool kProves = true;
  // Bounds the mover's score in an unfinished game without playouts; exactly in positions with up
  // to `most_empty` empty cells, if possible.
  using ScoreBounder = NoScoreBounder<G>;
  // The default of that number.
  static constexpr int kSolveEmpties = 0;
  // The game as the search sees it from its root on.
  static G searched(const G& game) { return game; }
  // Tests whether play can still end without a result (other than a draw).
  static bool no_result_possible(const G&) { return false; }
  // The image of the cell, or the move, under a symmetry of the board.
  static int symmetric_cell(const G& game, int cell, int symmetry) {
    return sparring::symmetric_cell(cell, symmetry, game.width(), game.height());
  }
  static int symmetric_move(const G& game, int move, int symmetry) {
    return move < game.width() * game.height()
               ? SearchTraits<G>::symmetric_cell(game, move, symmetry)
               : move;
  }
  // A number of what stands on a cell, below kCellCodes; -1 for nothing.
  static constexpr int kCellCodes = 2;
  static int cell_code(const G& game, int cell) { return game.color_at(cell); }
  // Tests whether this symmetry maps the game to itself.
  static bool is_symmetric(const G& game, int symmetry) {
    for (int cell = 0; cell < game.width() * game.height(); ++cell) {
      const int image = SearchTraits<G>::symmetric_cell(game, cell, symmetry);
      if (SearchTraits<G>::cell_code(game, cell) != SearchTraits<G>::cell_code(game, image))
        return false;
    }
    return true;
  }
  // The owner of each cell of a finished game, [cells]: +1 player 0, -1 player 1, 0 none.
  static void owners(const G& game, std::int8_t* out) {
    for (int cell = 0; cell < game.width() * game.height(); ++cell) {
      const int color = game.color_at(cell);
      out[cell] = color < 0 ? 0 : color == 0 ? 1 : -1;
    }
  }
  // A key of the local situation of the next move; 0 for none.
  static std::uint64_t bias_key(const G&, int /*move*/) { return 0; }
  // A move to evaluate early at every node with it, or -1.
  static int must_consider(const G&) { return -1; }
  // Tests whether the search continues after this move although it ends the game.
  static bool looks_past(const G&, int /*move*/, bool /*conservative_root*/) { return false; }
  // Tests whether the root's features differ from those of the same position deeper down.
  static bool root_is_special(const G&, bool /*conservative*/) { return false; }
  static void features(const G& game, std::uint8_t* spatial, float* global, int symmetry,
                       const NetworkView& /*view*/) {
    game.features(spatial, global, symmetry);
  }
  // Points that the mover gains by each root move beyond its value: 0s unless a game discourages
  // needless prolonging. `out` holds move_count() floats.
  static void ending_bonus(const G& game, const Evaluation&, double /*points*/, float* out) {
    for (int move = 0; move < game.move_count(); ++move) out[move] = 0.0f;
  }
};

template <typename G>
struct SearchTraits : PlainTraits<G> {};

// Equal for positions with the same player to move on symmetric boards: the least of their hashes.
template <typename G>
std::uint64_t symmetric_hash(const G& game) {
  std::uint64_t least = ~std::uint64_t{0};
  for (int symmetry = 0; symmetry < game.symmetry_count(); ++symmetry) {
    std::uint64_t hash = mix64(game.to_move());
    for (int cell = 0; cell < game.width() * game.height(); ++cell) {
      const int image = SearchTraits<G>::symmetric_cell(game, cell, symmetry);
      if (const int code = SearchTraits<G>::cell_code(game, cell); code >= 0)
        hash ^= mix64(image * SearchTraits<G>::kCellCodes + code + 2);
    }
    least = std::min(least, hash);
  }
  return least;
}

}  // namespace sparring
