// What points count where games are decided by weighted territory: the networks of two styles learn
// from such games, one that wants the centre and one that wants the edge (Shi, Fan, Li, Hsueh,
// Ikeda, Position Control and Production of Various Strategies for Game of Go, JISE 37(3), 2021,
// offline strategies).
#pragma once

#include "go/go_board.h"
#include "go/points.h"

namespace sparring {

// A point of the middle line counts 1, one nearer to the border 1 - beta, one farther in 1 + beta.
struct TerritoryWeights {
  float beta = 0.0f;    // above 0 the centre counts for more, below 0 the edge
  int middle_line = 4;  // line 1 is the border

  bool operator==(const TerritoryWeights&) const = default;
};

// What the points of the set count together; their number where beta is 0.
float weighted_size(const GoBoard& board, const PointSet& points, const TerritoryWeights& weights);

}  // namespace sparring
