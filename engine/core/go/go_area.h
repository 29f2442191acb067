// The owner of each point of a board, for scoring and for the network's features: pass-alive chains
// (Benson's algorithm), territory, and areas alive outside seki. All stones outside the opponent's
// pass-alive territory count as alive.
#pragma once

#include <array>

#include "go/go_board.h"
#include "go/go_rules.h"
#include "go/points.h"

namespace sparring {

struct GoArea {
  std::array<PointSet, 2> owned;                 // by color
  std::array<int, 2> independent_regions{0, 0};  // each pays two points under the tax on all groups
};

// In all three, suicide means legal suicide in Benson's algorithm: all points of a vital region
// must then touch the chain, not only the empty ones.

// Chains alive even if their owner always passes, and the territory enclosed by them.
GoArea pass_alive_area(const GoBoard& board, bool suicide);

// The pass-alive area, the empty regions bordered by one color alone, and all other stones.
GoArea full_area(const GoBoard& board, bool suicide);

// The part of full_area() scored by the rules. Under territory scoring, stones outside it count too
// if they are as old as the second encore; the caller adds them.
GoArea scored_area(const GoBoard& board, const GoRules& rules, bool suicide);

}  // namespace sparring
