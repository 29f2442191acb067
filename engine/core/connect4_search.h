// What the search asks of Connect4 beyond the Game concept.
#pragma once

#include <optional>

#include "connect4.h"
#include "search_traits.h"
#include "tree.h"

namespace sparring {

template <>
struct SearchTraits<Connect4Position> : PlainTraits<Connect4Position> {
  static constexpr Proof kProof = Proof::any_win;
  // Sees who wins with the next two discs, and plays out the last few empty cells.
  static std::optional<Outcome> known_result(const Connect4Position& game);
  static int symmetric_cell(const Connect4Position& game, int cell, int symmetry) {
    const int column = cell % game.width();
    return cell - column + symmetric_move(game, column, symmetry);
  }
  static int symmetric_move(const Connect4Position& game, int move, int symmetry) {
    return symmetry == 0 ? move : game.width() - 1 - move;
  }
};

extern template class Tree<Connect4Position>;

}  // namespace sparring
