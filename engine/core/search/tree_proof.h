// Proven bounds on the score of best play, in games with a score at every end. A node's bounds
// follow from its moves'; a node with equal bounds is proven, and its averages give way to the
// proof.
#pragma once

#include "search/tree_root.h"
#include "search/tree_values.h"

namespace sparring {

// Narrows the node's bounds by its edges'. The bounds prove `unsearched` legal moves no better than
// others.
void back_up_bounds(Node& node, int unsearched);
// Applies bounds from another source.
void narrow_bounds(Node& node, const ScoreBounds& black);

// The values of a proven node.
Values proven_values(const Node& node, const SearchSettings& s, const NetworkScales& scales);
// Root moves that are searched only as another's mirror image.
int mirrored_moves(const RootView& view);

// Clips the node's averages to its bounds.
void obey_bounds(Node& node, const SearchSettings& s, const UtilityScale& scale);

// The mover's proven minimum by its best move: bounds of the node from its edges.
int surest_score(const Node& node);
// Tests whether the move is proven no better than one of score `surest`: not worth a visit.
bool is_outdone(const ScoreBounds& bounds, int surest);
bool is_outdone(const Node& node, const Edge& edge, int surest);

}  // namespace sparring
