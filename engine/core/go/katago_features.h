// What a KataGo network is shown of a position: its input features of version 7.
#pragma once

#include <cstdint>

#include "go/go.h"

namespace sparring {

struct FeatureOptions {
  // KataGo's handicap of playouts: by how many doublings the player to move searches more.
  float playout_doubling_advantage = 0.0f;
  // At most this many of the latest moves are shown.
  int max_history = GoPosition::kRecentMoves;
  // A pass that would end the game is shown as one that would not (KataGo's conservativePass, for
  // the root of a search) ...
  bool conservative_pass = false;
  // ... or only when the player to move would not win by it (enablePassingHacks).
  bool passing_hacks = false;
};

// Fills spatial[22][height][width] with zeros and ones, turned by the symmetry, and global[19],
// both from the view of the player to move.
void katago_features(const GoPosition& position, const FeatureOptions& options, int symmetry,
                     std::uint8_t* spatial, float* global);

}  // namespace sparring
