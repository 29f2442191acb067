// Solves all positions of a small dark chess: up to 8 cells and 4 kinds, both sides with the same
// material (Chang et al.; Hsueh 2019, section 1.3).
//
// A value is the expected result of best play for the side to move: 1 won, 0 drawn, -1 lost.
// Endless play is drawn; there is no limit of quiet moves. Values are exact: with h face-down
// pieces a value is a whole multiple of 1 / h!. They are stored as multiples of 1 / 5040, and given
// as multiples of 1 / 40320.
//
// Captures and flips leave a layer, quiet steps stay in it. The values of the exits of a layer are
// known, and decide its positions from the greatest absolute value to the least: a position with a
// step to a lost one wins as much, and a position loses as soon as all of its steps do.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "darkchess/darkchess.h"
#include "solvers/darkchess_layers.h"

namespace sparring {

// The number of positions by value.
struct ValueCount {
  int value;  // multiple of 1 / 40320, the side to move
  std::int64_t positions;
};

class SolvedDarkChess {
 public:
  static constexpr int kWhole = 40320;  // 8!

  // Solves every position; blocks for up to a minute. Throws std::invalid_argument on a larger
  // board, or more than 4 kinds.
  SolvedDarkChess(const DarkChessGeometry& geometry, const KindCounts& material);

  const DarkChessGeometry& geometry() const { return geometry_; }
  const KindCounts& material() const { return material_; }
  std::int64_t positions() const { return layers_.positions(); }
  std::int64_t lookups() const { return lookups_; }  // of values, while solving

  // The value for the color to move, of a board with pieces of the material only.
  int value(const DarkChessBoard& board) const;
  // The value of a flip for the color to move.
  int flip_value(const DarkChessBoard& board, int cell) const;
  // Each legal action with its value for the color to move; an end of the game counts as such.
  std::vector<std::pair<DarkChessAction, int>> action_values(const DarkChessBoard& board) const;
  // The positions that play from the start reaches, by value, the start and both colors included
  // but no ends of games; from the lowest value up.
  std::vector<ValueCount> distribution() const;

 private:
  class LayerSolver;

  int stored(const SmallDarkChess& position, int id) const {
    const DarkChessLayer& layer = layers_.layer(id);
    return values_[layer.first + layers_.rank(layer, position)];
  }
  const DarkChessGeometry& geometry_;
  KindCounts material_;
  DarkChessLayers layers_;
  std::vector<std::int16_t> values_;  // multiples of 1 / 5040
  std::int64_t lookups_ = 0;
};

}  // namespace sparring
