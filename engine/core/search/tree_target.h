// The training target of a search at its root: the policy that a network should have there.
#pragma once

#include <vector>

#include "search/tree_select.h"

namespace sparring {

// The target of an evaluated root: [moves], 0 or more, with sum 1. Forced visits
// (SearchSettings::root_forced_playouts) are removed; moves proven not best have none; under a
// proven score all moves proven to reach it are equal.
std::vector<float> policy_target(const Node& root, const RootView& view, const SearchSettings& s,
                                 const UtilityScale& scale);

}  // namespace sparring
