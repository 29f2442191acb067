// Search traits of dark chess, beyond the Game concept.
#pragma once

#include "darkchess/darkchess.h"
#include "search/search_traits.h"
#include "search/tree.h"

namespace sparring {

template <>
struct SearchTraits<DarkChessPosition> : PlainTraits<DarkChessPosition> {
  // Bounds of a move's outcomes would have to be averaged; nothing does.
  static constexpr bool kProves = false;
  static constexpr int kCellCodes = DarkChessPosition::kFaceDown + 1;

  static int cell_code(const DarkChessPosition& game, int cell) { return game.piece_at(cell); }
  static int symmetric_move(const DarkChessPosition& game, int move, int symmetry) {
    const DarkChessGeometry& geometry = *game.board().geometry;
    return geometry.move_of(symmetric_cell(game, geometry.from_of(move), symmetry),
                            symmetric_cell(game, geometry.to_of(move), symmetry));
  }
};

extern template class Tree<DarkChessPosition>;

}  // namespace sparring
