// Search traits of EinStein wuerfelt nicht, beyond the Game concept.
#pragma once

#include "einstein/einstein.h"
#include "search/search_traits.h"
#include "search/tree.h"

namespace sparring {

template <>
struct SearchTraits<EinsteinPosition> : PlainTraits<EinsteinPosition> {
  // Bounds of a move's dice would have to be averaged; nothing does.
  static constexpr bool kProves = false;
  static constexpr int kCellCodes = EinsteinPosition::kCodes;

  static int cell_code(const EinsteinPosition& game, int cell) { return game.piece_at(cell); }
  static int symmetric_move(const EinsteinPosition&, int move, int /*symmetry*/) { return move; }
};

static_assert(EinsteinPosition::kSteps + EinsteinPosition::kPlacings <= kMostMoves);

extern template class Tree<EinsteinPosition>;

}  // namespace sparring
