// What a search teaches of its root: the policy that a network should have had there.
#pragma once

#include <vector>

#include "search/tree_select.h"

namespace sparring {

// Of an evaluated root, [moves], 0 or more, summing to 1. Visits that were only forced
// (SearchSettings::root_forced_playouts) are taken back; moves known not to be the best have none;
// where the score is proven, all moves that are proven to reach it are alike.
std::vector<float> policy_target(const Node& root, const RootView& view, const SearchSettings& s,
                                 const UtilityScale& scale);

}  // namespace sparring
