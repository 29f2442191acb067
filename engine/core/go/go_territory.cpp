#include "go/go_territory.h"

#include <algorithm>

namespace sparring {
namespace {

int line_of(const GoBoard& board, Point p) {
  const int x = GoBoard::x_of(p), y = GoBoard::y_of(p);
  return 1 + std::min({x, y, board.width() - 1 - x, board.height() - 1 - y});
}

}  // namespace

float weighted_size(const GoBoard& board, const PointSet& points, const TerritoryWeights& weights) {
  int farther = 0;  // points inside the middle line, minus points outside it
  if (weights.beta != 0.0f)
    points.for_each([&](Point p) {
      const int line = line_of(board, p);
      farther += (line > weights.middle_line) - (line < weights.middle_line);
    });
  return static_cast<float>(points.size()) + weights.beta * static_cast<float>(farther);
}

}  // namespace sparring
