// Whose each point of a board is, as scoring and the network's features see it: pass-alive chains
// (Benson's algorithm), territory, and areas alive on their own rather than in seki. Every stone
// outside the opponent's pass-alive territory counts as alive.
#pragma once

#include <array>

#include "go/go_board.h"
#include "go/go_rules.h"
#include "go/points.h"

namespace sparring {

struct GoArea {
  std::array<PointSet, 2> owned;                 // by color
  std::array<int, 2> independent_regions{0, 0};  // each pays two points where the tax is on all
};

// In all three, suicide says whether Benson's algorithm may rely on suicide being legal: then
// every point of a vital region must touch the chain, not only the empty ones.

// Chains that live even if their owner only ever passes, and the territory they enclose.
GoArea pass_alive_area(const GoBoard& board, bool suicide);

// Pass-alive area, then every empty region that one color alone borders, then all other stones.
GoArea full_area(const GoBoard& board, bool suicide);

// The part of full_area() that the rules score. Under territory scoring the stones outside it that
// stood there when the second encore began still count: that is for the caller to add.
GoArea scored_area(const GoBoard& board, const GoRules& rules, bool suicide);

}  // namespace sparring
