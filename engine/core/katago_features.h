// What a KataGo network is shown of a position: its input features of version 7.
#pragma once

#include <cstdint>

#include "go.h"

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

// Where a board's points come to lie under a symmetry 0..7: bit 0 mirrors y, bit 1 mirrors x, then
// bit 2 exchanges the axes (square boards only). At symmetry s, output i of a network belongs to
// the move m with index(point_of(m)) == i.
class SymmetryMap {
 public:
  SymmetryMap(int width, int height, int symmetry);
  int index(Point p) const {
    return origin_ + GoBoard::x_of(p) * x_step_ + GoBoard::y_of(p) * y_step_;
  }

 private:
  int origin_, x_step_, y_step_;
};

// Fills spatial[22][height][width] with zeros and ones, turned by the symmetry, and global[19],
// both from the view of the player to move.
void katago_features(const GoPosition& position, const FeatureOptions& options, int symmetry,
                     std::uint8_t* spatial, float* global);

}  // namespace sparring
