// Exact knowledge in the search graph: bounds on the score of best play, in games whose every end
// has a score. A node's bounds follow from its moves'; where they meet it is proven, and its
// averages give way to what is known.
#pragma once

#include "search/tree_root.h"
#include "search/tree_values.h"

namespace sparring {

// Narrows the node's bounds by its edges'. `unsearched` legal moves are known to be no better than
// others.
void back_up_bounds(Node& node, int unsearched);
// Takes bounds that were found otherwise.
void narrow_bounds(Node& node, const ScoreBounds& black);

// The values of a proven node.
Values proven_values(const Node& node, const SearchSettings& s, const NetworkScales& scales);
// Root moves that are searched only as another's mirror image.
int mirrored_moves(const RootView& view);

// Moves the node's averages to where its bounds allow them.
void obey_bounds(Node& node, const SearchSettings& s, const UtilityScale& scale);

// What the mover is sure of by its best move: bounds of the node as far as its edges tell.
int surest_score(const Node& node);
// Whether the move is known to be no better than one that is sure of `surest`: not worth a visit.
bool is_outdone(const ScoreBounds& bounds, int surest);
bool is_outdone(const Node& node, const Edge& edge, int surest);

}  // namespace sparring
