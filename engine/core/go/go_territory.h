// Weights of points for games decided by weighted territory. The networks of two styles, centre and
// edge, are trained on such games (Shi, Fan, Li, Hsueh, Ikeda, Position Control and Production of
// Various Strategies for Game of Go, JISE 37(3), 2021, offline strategies).
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

// The sum of the weights of a set of points; their number if beta is 0.
float weighted_size(const GoBoard& board, const PointSet& points, const TerritoryWeights& weights);

}  // namespace sparring
