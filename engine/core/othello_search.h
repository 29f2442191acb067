// What the search asks of Othello beyond the Game concept.
#pragma once

#include <optional>

#include "othello.h"
#include "search_traits.h"
#include "tree.h"

namespace sparring {

template <>
struct SearchTraits<OthelloPosition> : PlainTraits<OthelloPosition> {
  // Scores count, so a win is not enough.
  static constexpr Proof kProof = Proof::all_moves;
  // Plays out the last few empty squares.
  static std::optional<Outcome> known_result(const OthelloPosition& game);
};

extern template class Tree<OthelloPosition>;

}  // namespace sparring
