// The inputs of a KataGo network: its features of version 7.
#pragma once

#include <cstdint>

#include "go/go.h"

namespace sparring {

struct FeatureOptions {
  // KataGo's playout doubling advantage of the player to move, in doublings of its playouts.
  float playout_doubling_advantage = 0.0f;
  // At most this many of the latest moves are shown.
  int max_history = GoPosition::kRecentMoves;
  // Hides the end of the game by a pass (KataGo's conservativePass, for the root of a search) ...
  bool conservative_pass = false;
  // ... or hides it only if the player to move would not win by the pass (enablePassingHacks).
  bool passing_hacks = false;
};

// Fills spatial[22][height][width] with zeros and ones, turned by the symmetry, and global[19],
// both from the view of the player to move.
void katago_features(const GoPosition& position, const FeatureOptions& options, int symmetry,
                     std::uint8_t* spatial, float* global);

}  // namespace sparring
